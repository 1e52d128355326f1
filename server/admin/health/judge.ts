import {
  describeHeld,
  HEALTH_KEYS,
  type HealthKey,
  type HealthState,
} from '#contract/admin/health/constants';
import type { HealthCheck, HealthReport } from '#contract/admin/health/health';
import { formatCount } from '#contract/platform/text/constants/formats';
import type { ProcessFigures } from '../../platform/metrics/heartbeat.ts';
import type { DatabaseFigures, Measured, MeasuredProcess, QueueCounts } from './measure.ts';

/** From which value on a figure is amber, and from which red. docs/alarms.yml rings by similar limits. */
export const LIMITS = {
  postgresMs: { warning: 100, bad: 1000 },
  redisMs: { warning: 50, bad: 500 },
  eventSeconds: { warning: 2, bad: 30 },
  followerSeconds: { warning: 10, bad: 60 },
  timerSeconds: { warning: 30, bad: 120 },
  failedJobs: { warning: 1, bad: 100 },
  waitingJobs: { warning: 1000, bad: 20_000 },
  failedMails: { warning: 1, bad: 20 },
  backupHours: { warning: 26, bad: 50 },
  /** Parts of the whole. */
  diskUsed: { warning: 0.9, bad: 0.95 },
  memoryUsed: { warning: 0.8, bad: 0.92 },
  eventLoopMs: { warning: 100, bad: 500 },
  clockMs: { warning: 5000, bad: 60_000 },
  poolWaiting: { warning: 1, bad: 50 },
  sockets: { warning: 5000, bad: 10_000 },
  /** Part of the clients. */
  withoutSocket: { warning: 0.1, bad: Number.POSITIVE_INFINITY },
  silentSeconds: { warning: 15, bad: 60 },
} as const;

/** Free space that is enough whatever part of the disk it is, in bytes. */
const DISK_AMPLE_BYTES = 20e9;

type Found = Omit<HealthCheck, 'key'>;

const ORDER: readonly HealthState[] = ['good', 'unknown', 'warning', 'bad'];
const worst = (states: readonly HealthState[]): HealthState =>
  states.reduce((one, other) => (ORDER.indexOf(other) > ORDER.indexOf(one) ? other : one), 'good');

const judge = (value: number, { warning, bad }: { warning: number; bad: number }): HealthState =>
  value >= bad ? 'bad' : value >= warning ? 'warning' : 'good';

const NOT_ASKED: Found = { state: 'unknown', value: "Can't be asked just now." };

const count = (number: number, one: string, many = `${one}s`): string =>
  `${formatCount(number)} ${number === 1 ? one : many}`;
const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
const seconds = (value: number): string => {
  if (value < 120) return count(Math.round(value), 'second');
  return value < 7200 ? count(Math.round(value / 60), 'minute') : hours(value / 3600);
};
const hours = (value: number): string => {
  if (value < 1) return 'less than an hour';
  return value < 72 ? count(Math.floor(value), 'hour') : count(Math.floor(value / 24), 'day');
};
const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
const percent = (part: number): string => `${Math.round(part * 100)} %`;

/** Judges what was measured, line by line. */
export function judgeHealth(measured: Measured, at: Date): HealthReport {
  const { database } = measured;
  const of = (judgeIt: (figures: DatabaseFigures) => Found): Found =>
    database ? judgeIt(database) : NOT_ASKED;
  const found: Record<HealthKey, Found> = {
    postgres: answers(measured.postgresMs, LIMITS.postgresMs, measured.refusals.postgres),
    redis: answers(measured.redisMs, LIMITS.redisMs, measured.refusals.redis),
    processes: of(judgeProcesses),
    events: of(({ oldestEventSeconds }) => ({
      state: judge(oldestEventSeconds ?? 0, LIMITS.eventSeconds),
      value:
        oldestEventSeconds === null
          ? 'None waits for its number.'
          : `The oldest has waited for its number for ${seconds(oldestEventSeconds)}.`,
    })),
    followers: of(judgeFollowers),
    timers: of(judgeTimers),
    queues: judgeQueues(measured),
    mail: of(({ mail }) => judgeMail(mail, measured)),
    late: of(judgeLate),
    backup: of(judgeBackup),
    disk: judgeDisk(measured),
    memory: of(judgeMemory),
    eventLoop: ofEach(database, {
      figure: ({ eventLoopDelayMs }) => eventLoopDelayMs,
      limits: LIMITS.eventLoopMs,
      describe: (ms) => `At most ${milliseconds(ms)} late.`,
    }),
    clocks: of(judgeClocks),
    pool: ofEach(database, {
      figure: ({ poolWaiting }) => poolWaiting,
      limits: LIMITS.poolWaiting,
      describe: (waiting, { poolUsed, poolMax }) =>
        `${poolUsed} of ${poolMax} in use in the busiest process` +
        (waiting > 0 ? `, ${count(waiting, 'statement')} waiting.` : '.'),
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
  if (refusal) return { state: 'bad', value: `Takes no writes: ${refusal}.` };
  if (ms === undefined) return { state: 'bad', value: 'Does not answer.' };
  return { state: judge(ms, limits), value: `Answers in ${milliseconds(ms)}.` };
}

function judgeProcesses({ processes }: DatabaseFigures): Found {
  const alive = processes.filter((each) => !isSilent(each));
  const number = (service: string) => alive.filter((each) => each.service === service).length;
  const [servers, workers] = [number('server'), number('workers')];
  const running = `${count(servers, 'server')} and ${count(workers, 'worker process', 'worker processes')} running`;
  if (workers === 0) return { state: 'bad', value: `${running}: no mail is sent, no timer runs.` };
  const silent = processes.length - alive.length;
  if (silent > 0) {
    return {
      state: 'warning',
      value: `${running}, ${count(silent, 'other')} not heard of since a moment ago.`,
    };
  }
  const versions = new Set(alive.map(({ version }) => version));
  return versions.size > 1
    ? { state: 'warning', value: `${running}, of ${versions.size} versions.` }
    : { state: 'good', value: `${running}.` };
}

function judgeFollowers({ followers }: DatabaseFigures): Found {
  const behind = followers.filter((each) => each.behind > 0);
  const oldest = Math.max(0, ...behind.map((each) => each.seconds ?? 0));
  const state = judge(oldest, LIMITS.followerSeconds);
  if (behind.length === 0) return { state, value: 'All have handled every event.' };
  const lags = behind.map((each) => `${each.name} is ${count(each.behind, 'event')} behind`);
  return { state, value: `${lags.join(', ')}, by ${seconds(oldest)}.` };
}

function judgeTimers({ timers }: DatabaseFigures): Found {
  const state = judge(timers.seconds ?? 0, LIMITS.timerSeconds);
  const failed =
    timers.failed > 0 ? ` ${count(timers.failed, 'timer')} failed and will be retried.` : '';
  const value =
    timers.overdue === 0
      ? 'None is overdue.'
      : `${count(timers.overdue, 'timer')} overdue, the oldest by ${seconds(timers.seconds ?? 0)}.`;
  return { state: failed ? worst([state, 'warning']) : state, value: value + failed };
}

function judgeQueues({ queues }: Measured): Found {
  if (!queues) return NOT_ASKED;
  const all = Object.entries(queues);
  const state = worst(
    all.flatMap(([, jobs]) => [
      judge(jobs.failed, LIMITS.failedJobs),
      judge(jobs.waiting, LIMITS.waitingJobs),
    ]),
  );
  const failed = all.flatMap(([name, jobs]) =>
    jobs.failed > 0 ? [`${jobs.failed} failed of ${name}`] : [],
  );
  const sum = (count: (jobs: QueueCounts) => number) =>
    all.reduce((total, [, jobs]) => total + count(jobs), 0);
  const running = sum(({ waiting, active }) => waiting + active);
  const counts = [
    ...(failed.length > 0 ? failed : ['None failed']),
    `${running} waiting or running`,
    `${sum(({ delayed }) => delayed)} for later`,
  ];
  return { state, value: `${counts.join(', ')}.` };
}

function judgeMail(
  { failed, retrying, unreachable }: DatabaseFigures['mail'],
  { sendsMail, isProduction }: Measured,
): Found {
  if (!sendsMail) {
    return {
      state: isProduction ? 'warning' : 'good',
      value: 'Mails are written to files: SMTP_URL is not set.',
    };
  }
  const value =
    failed + retrying === 0
      ? 'No mail failed in the last 24 hours.'
      : `${count(failed, 'mail')} failed in the last 24 hours, ${retrying} being retried.`;
  const people =
    unreachable > 0 ? ` ${count(unreachable, 'person', 'people')} cannot be reached.` : '';
  return { state: judge(failed + retrying, LIMITS.failedMails), value: value + people };
}

function judgeLate({ held, outdated }: DatabaseFigures): Found {
  const waiting = describeHeld(held);
  const dropped =
    outdated === 0 ? '' : ` ${count(outdated, 'outdated one')} dropped in the last 7 days.`;
  return waiting
    ? { state: 'warning', value: `${waiting} of before the restore wait.${dropped}` }
    : { state: 'good', value: `None waits.${dropped}` };
}

function judgeBackup({ backup }: DatabaseFigures): Found {
  if (!backup) return { state: 'warning', value: 'There is none yet.' };
  const pictures =
    backup.pictureCount === null
      ? 'without pictures'
      : `with ${count(backup.pictureCount, 'picture file')}`;
  const age = backup.ageHours < 1 ? 'less than an hour ago' : `${hours(backup.ageHours)} ago`;
  return {
    state: backup.isVerified ? judge(backup.ageHours, LIMITS.backupHours) : 'bad',
    value: `The last one was made ${age}, ${pictures}.${backup.isVerified ? '' : ' It was not verified.'}`,
  };
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
  if (!fullest) return NOT_ASKED;
  const state = judge(usedOf(fullest), LIMITS.diskUsed);
  return {
    state: fullest.freeBytes >= DISK_AMPLE_BYTES ? 'good' : state,
    value: `${gigabytes(fullest.freeBytes)} of ${gigabytes(fullest.totalBytes)} free under DATA_DIR.`,
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
  if (!fullest) return NOT_ASKED;
  const part = fullest.used / fullest.max;
  return {
    state: judge(part, LIMITS.memoryUsed),
    value: `${gigabytes(fullest.used)} of ${gigabytes(fullest.max)} used by Farmgate, ${percent(part)}.`,
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
  if (!worst || state === 'good') return { state: 'good', value: "All agree with the database's." };
  const by = seconds(Math.round(Math.abs(worst.ms) / 1000));
  return {
    state,
    value: `That of ${worst.service} ${worst.host}, process ${worst.pid}, is ${by} ${worst.ms > 0 ? 'ahead of' : 'behind'} the database's. Set the time of this machine.`,
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
      `${count(clients, 'connection')} in all, ${formatCount(most)} in the fullest process.`,
  });
  const state = judge(logReaders / Math.max(1, clients), LIMITS.withoutSocket);
  if (state === 'good') return fullest;
  const part = `${formatCount(logReaders)} of ${count(clients, 'client')}`;
  return {
    state: worst([fullest.state, state]),
    value: `${part} cannot open a WebSocket: let the proxy pass it. ${fullest.value}`,
  };
}

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
  if (!highest) return NOT_ASKED;
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
