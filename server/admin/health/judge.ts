import { describeHeld, HEALTH_KEYS, type HealthKey } from '#contract/admin/health/constants';
import type { HealthCheck, HealthReport } from '#contract/admin/health/health';
import { listOf } from '#contract/platform/text/constants/formats';
import { msg, t } from '#contract/platform/text/constants/texts';
import type { ProcessFigures } from '../../platform/metrics/heartbeat.ts';
import { gigabytes, hours, judge, LIMITS, milliseconds, seconds, worst } from './figures.ts';
import type { DatabaseFigures, Measured, MeasuredProcess, QueueCounts } from './measure.ts';

/** Free space that is enough whatever part of the disk it is, in bytes. */
const DISK_AMPLE_BYTES = 20e9;

type Found = Omit<HealthCheck, 'key'>;

const notAsked = (): Found => ({ state: 'unknown', value: t("Can't be asked just now.") });

/** Judges what was measured, line by line. */
export function judgeHealth(measured: Measured, at: Date): HealthReport {
  const { database } = measured;
  const of = (judgeIt: (figures: DatabaseFigures) => Found): Found =>
    database ? judgeIt(database) : notAsked();
  const found: Record<HealthKey, Found> = {
    postgres: answers(measured.postgresMs, LIMITS.postgresMs, measured.refusals.postgres),
    redis: answers(measured.redisMs, LIMITS.redisMs, measured.refusals.redis),
    processes: of(judgeProcesses),
    events: of(({ oldestEventSeconds }) => ({
      state: judge(oldestEventSeconds ?? 0, LIMITS.eventSeconds),
      value:
        oldestEventSeconds === null
          ? t('None waits for its number.')
          : t('The oldest has waited for its number for {time}.', {
              time: seconds(oldestEventSeconds),
            }),
    })),
    followers: of(judgeFollowers),
    timers: of(judgeTimers),
    alerts: of(judgeAlerts),
    queues: judgeQueues(measured),
    mail: of(({ mail }) => judgeMail(mail, measured)),
    late: of(judgeLate),
    backup: of(judgeBackup),
    disk: judgeDisk(measured),
    memory: of(judgeMemory),
    eventLoop: ofEach(database, {
      figure: ({ eventLoopDelayMs }) => eventLoopDelayMs,
      limits: LIMITS.eventLoopMs,
      describe: (ms) => t('At most {time} late.', { time: milliseconds(ms) }),
    }),
    clocks: of(judgeClocks),
    pool: ofEach(database, {
      figure: ({ poolWaiting }) => poolWaiting,
      limits: LIMITS.poolWaiting,
      describe: (waiting, { poolUsed, poolMax }) =>
        waiting > 0
          ? t(
              '{used, number} of {most, number} in use in the busiest process, {waiting, plural, one {# statement} other {# statements}} waiting.',
              { used: poolUsed, most: poolMax, waiting },
            )
          : t('{used, number} of {most, number} in use in the busiest process.', {
              used: poolUsed,
              most: poolMax,
            }),
      tieBreak: ({ poolUsed }) => poolUsed,
    }),
    sockets: of(judgeSockets),
  };
  const checks = HEALTH_KEYS.map((key) => ({ key, ...found[key] }));
  return {
    at: at.toISOString(),
    state: worst(checks.map(({ state }) => state)),
    checks,
    processes: database ? database.processes.map(presentProcess) : null,
    lastBackup: database?.backup ? withoutAge(database.backup) : null,
    held: database?.held ?? null,
  };
}

function answers(
  ms: number | undefined,
  limits: { warning: number; bad: number },
  refusal: string | undefined,
): Found {
  if (refusal) return { state: 'bad', value: t('Takes no writes: {refusal}.', { refusal }) };
  if (ms === undefined) return { state: 'bad', value: t('Does not answer.') };
  return { state: judge(ms, limits), value: t('Answers in {time}.', { time: milliseconds(ms) }) };
}

function judgeProcesses({ processes }: DatabaseFigures): Found {
  const alive = processes.filter((each) => !isSilent(each));
  const number = (service: string) => alive.filter((each) => each.service === service).length;
  const [servers, workers] = [number('server'), number('workers')];
  if (workers === 0)
    return {
      state: 'bad',
      value: t(
        '{servers, plural, one {# server} other {# servers}} and {workers, plural, one {# worker process} other {# worker processes}} running: no mail is sent, no timer runs.',
        { servers, workers },
      ),
    };
  const silent = processes.length - alive.length;
  if (silent > 0)
    return {
      state: 'warning',
      value: t(
        '{servers, plural, one {# server} other {# servers}} and {workers, plural, one {# worker process} other {# worker processes}} running, {silent, plural, one {# other} other {# others}} not heard of since a moment ago.',
        { servers, workers, silent },
      ),
    };
  const versions = new Set(alive.map(({ version }) => version)).size;
  if (versions > 1)
    return {
      state: 'warning',
      value: t(
        '{servers, plural, one {# server} other {# servers}} and {workers, plural, one {# worker process} other {# worker processes}} running, of {versions, number} versions.',
        { servers, workers, versions },
      ),
    };
  return {
    state: 'good',
    value: t(
      '{servers, plural, one {# server} other {# servers}} and {workers, plural, one {# worker process} other {# worker processes}} running.',
      { servers, workers },
    ),
  };
}

function judgeFollowers({ followers }: DatabaseFigures): Found {
  const behind = followers.filter((each) => each.behind > 0);
  const oldest = Math.max(0, ...behind.map((each) => each.seconds ?? 0));
  const state = judge(oldest, LIMITS.followerSeconds);
  if (behind.length === 0) return { state, value: t('All have handled every event.') };
  const lags = behind.map((each) =>
    t('{name} is {count, plural, one {# event} other {# events}} behind', {
      name: each.name,
      count: each.behind,
    }),
  );
  return {
    state,
    value: t('{lags}, by {time}.', { lags: listOf(lags, 'unit'), time: seconds(oldest) }),
  };
}

function judgeTimers({ timers }: DatabaseFigures): Found {
  const state = judge(timers.seconds ?? 0, LIMITS.timerSeconds);
  const value =
    timers.overdue === 0
      ? t('None is overdue.')
      : t('{count, plural, one {# timer} other {# timers}} overdue, the oldest by {time}.', {
          count: timers.overdue,
          time: seconds(timers.seconds ?? 0),
        });
  if (timers.failed === 0) return { state, value };
  const failed = t('{count, plural, one {# timer} other {# timers}} failed and will be retried.', {
    count: timers.failed,
  });
  return { state: worst([state, 'warning']), value: inARow(value, failed) };
}

/** How long what asks a farm for an answer waits for its next step, which has not run. */
function judgeAlerts({ oldestAlertSeconds: late }: DatabaseFigures): Found {
  return {
    state: judge(late ?? 0, LIMITS.alertSeconds),
    value:
      late === null
        ? t('Every farm is told in time.')
        : t('The oldest step that is due has waited for {time}.', { time: seconds(late) }),
  };
}

function judgeQueues({ queues }: Measured): Found {
  if (!queues) return notAsked();
  const all = Object.entries(queues);
  const state = worst(
    all.flatMap(([, jobs]) => [
      judge(jobs.failed, LIMITS.failedJobs),
      judge(jobs.waiting, LIMITS.waitingJobs),
    ]),
  );
  const failed = all.flatMap(([name, jobs]) =>
    jobs.failed > 0 ? [t('{count, number} failed of {name}', { count: jobs.failed, name })] : [],
  );
  const sum = (count: (jobs: QueueCounts) => number) =>
    all.reduce((total, [, jobs]) => total + count(jobs), 0);
  const running = sum(({ waiting, active }) => waiting + active);
  const value = t('{failed}, {running, number} waiting or running, {later, number} for later.', {
    failed: failed.length > 0 ? listOf(failed, 'unit') : msg('None failed'),
    running,
    later: sum(({ delayed }) => delayed),
  });
  return { state, value };
}

function judgeMail(
  { failed, retrying, unreachable }: DatabaseFigures['mail'],
  { sendsMail, isProduction }: Measured,
): Found {
  if (!sendsMail) {
    return {
      state: isProduction ? 'warning' : 'good',
      value: t('Mails are written to files: SMTP_URL is not set.'),
    };
  }
  const value =
    failed + retrying === 0
      ? t('No mail failed in the last 24 hours.')
      : t(
          '{failed, plural, one {# mail} other {# mails}} failed in the last 24 hours, {retrying, number} being retried.',
          { failed, retrying },
        );
  const people =
    unreachable > 0
      ? t('{count, plural, one {# person} other {# people}} cannot be reached.', {
          count: unreachable,
        })
      : '';
  return { state: judge(failed + retrying, LIMITS.failedMails), value: inARow(value, people) };
}

function judgeLate({ held, outdated }: DatabaseFigures): Found {
  const waiting = describeHeld(held);
  const dropped =
    outdated === 0
      ? ''
      : t(
          '{count, plural, one {# outdated one} other {# outdated ones}} dropped in the last 7 days.',
          { count: outdated },
        );
  return waiting
    ? {
        state: 'warning',
        value: inARow(t('{held} of before the restore wait.', { held: waiting }), dropped),
      }
    : { state: 'good', value: inARow(t('None waits.'), dropped) };
}

function judgeBackup({ backup }: DatabaseFigures): Found {
  if (!backup) return { state: 'warning', value: t('There is none yet.') };
  const age = hours(backup.ageHours);
  const made =
    backup.pictureCount === null
      ? t('The last one was made {age} ago, without pictures.', { age })
      : t(
          'The last one was made {age} ago, with {count, plural, one {# picture file} other {# picture files}}.',
          { age, count: backup.pictureCount },
        );
  return backup.isVerified
    ? { state: judge(backup.ageHours, LIMITS.backupHours), value: made }
    : { state: 'bad', value: inARow(made, t('It was not verified.')) };
}

/** Judges the fullest disk of all processes, or that of this one while Postgres cannot be asked. */
function judgeDisk({ database, disk }: Measured): Found {
  const ofDatabase = (database?.processes ?? []).flatMap((each) => {
    const { diskFreeBytes = null, diskBytes = null } = each.figures ?? {};
    return !isSilent(each) && diskFreeBytes !== null && diskBytes !== null
      ? [{ freeBytes: diskFreeBytes, totalBytes: diskBytes }]
      : [];
  });
  const disks = [...ofDatabase, ...(disk ? [disk] : [])].filter(({ totalBytes }) => totalBytes > 0);
  const usedOf = (each: (typeof disks)[number]) => 1 - each.freeBytes / each.totalBytes;
  const [fullest] = disks.sort((one, other) => usedOf(other) - usedOf(one));
  if (!fullest) return notAsked();
  const state = judge(usedOf(fullest), LIMITS.diskUsed);
  return {
    state: fullest.freeBytes >= DISK_AMPLE_BYTES ? 'good' : state,
    value: t('{free} of {all} free under DATA_DIR.', {
      free: gigabytes(fullest.freeBytes),
      all: gigabytes(fullest.totalBytes),
    }),
  };
}

/** Judges the machine or container whose processes use most of their memory. */
function judgeMemory({ processes }: DatabaseFigures): Found {
  const byHost = new Map<string, { used: number; max: number }>();
  for (const each of processes) {
    if (!each.figures || isSilent(each)) continue;
    const { memoryBytes, memoryMaxBytes } = each.figures;
    const sum = byHost.get(each.host) ?? { used: 0, max: memoryMaxBytes };
    byHost.set(each.host, { used: sum.used + memoryBytes, max: sum.max });
  }
  const [fullest] = [...byHost.values()].sort(
    (one, other) => other.used / other.max - one.used / one.max,
  );
  if (!fullest) return notAsked();
  const part = fullest.used / fullest.max;
  return {
    state: judge(part, LIMITS.memoryUsed),
    value: t('{used} of {most} used by Farmgate, {part, number} %.', {
      used: gigabytes(fullest.used),
      most: gigabytes(fullest.max),
      part: Math.round(part * 100),
    }),
  };
}

/** Judges the process whose clock differs most from the database's, which decides. */
function judgeClocks({ processes }: DatabaseFigures): Found {
  const [worst] = processes
    .flatMap((each) => {
      const ms = each.figures?.clockAheadMs;
      return ms === undefined || isSilent(each) ? [] : [{ ...each, ms }];
    })
    .sort((one, other) => Math.abs(other.ms) - Math.abs(one.ms));
  const state = judge(Math.abs(worst?.ms ?? 0), LIMITS.clockMs);
  if (!worst || state === 'good')
    return { state: 'good', value: t("All agree with the database's.") };
  const { service, host, pid } = worst;
  const of = { service, host, pid, time: seconds(Math.round(Math.abs(worst.ms) / 1000)) };
  return {
    state,
    value:
      worst.ms > 0
        ? t(
            "That of {service, select, workers {workers} other {server}} {host}, process {pid}, is {time} ahead of the database's. Set the time of this machine.",
            of,
          )
        : t(
            "That of {service, select, workers {workers} other {server}} {host}, process {pid}, is {time} behind the database's. Set the time of this machine.",
            of,
          ),
  };
}

/** Judges the fullest process, and how many of all clients can open no WebSocket. */
function judgeSockets(database: DatabaseFigures): Found {
  const all = figuresOf(database);
  const logReaders = all.reduce((sum, each) => sum + (each.logReaders ?? 0), 0);
  const clients = all.reduce((sum, { sockets }) => sum + sockets, logReaders);
  const fullest = ofEach(database, {
    figure: (figures) => figures.sockets + (figures.logReaders ?? 0),
    limits: LIMITS.sockets,
    describe: (most) =>
      t(
        '{clients, plural, one {# connection} other {# connections}} in all, {most, number} in the fullest process.',
        { clients, most },
      ),
  });
  const state = judge(logReaders / Math.max(1, clients), LIMITS.withoutSocket);
  if (state === 'good') return fullest;
  const without = t(
    '{count, number} of {clients, plural, one {# client} other {# clients}} cannot open a WebSocket: let the proxy pass it.',
    { count: logReaders, clients },
  );
  return { state: worst([fullest.state, state]), value: inARow(without, fullest.value) };
}

/** Puts whole sentences, or none, beside each other. */
const inARow = (...sentences: readonly string[]): string => sentences.filter(Boolean).join(' ');

/** Judges the process whose figure is highest. */
function ofEach(
  database: DatabaseFigures | undefined,
  {
    figure,
    limits,
    describe,
    tieBreak = () => 0,
  }: {
    figure: (figures: ProcessFigures) => number;
    limits: { warning: number; bad: number };
    describe: (highest: number, figures: ProcessFigures) => string;
    tieBreak?: (figures: ProcessFigures) => number;
  },
): Found {
  const [highest] = figuresOf(database).toSorted(
    (one, other) => figure(other) - figure(one) || tieBreak(other) - tieBreak(one),
  );
  if (!highest) return notAsked();
  const value = figure(highest);
  return { state: judge(value, limits), value: describe(value, highest) };
}

/** Returns the figures of all processes that run. */
const figuresOf = (database: DatabaseFigures | undefined): ProcessFigures[] =>
  (database?.processes ?? []).flatMap((each) =>
    each.figures && !isSilent(each) ? [each.figures] : [],
  );

const isSilent = ({ silentSeconds }: MeasuredProcess): boolean =>
  silentSeconds >= LIMITS.silentSeconds.warning;

const presentProcess = (each: MeasuredProcess) => ({
  _id: each.id,
  service: each.service,
  host: each.host,
  pid: each.pid,
  version: each.version,
  startedAt: each.startedAt,
  seenAt: each.seenAt,
  isSilent: isSilent(each),
  memoryBytes: each.figures?.memoryBytes ?? null,
  eventLoopDelayMs: each.figures?.eventLoopDelayMs ?? null,
  sockets: each.figures?.sockets ?? null,
});

const withoutAge = ({ ageHours: _, ...backup }: NonNullable<DatabaseFigures['backup']>) => backup;
