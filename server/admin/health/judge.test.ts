import { afterEach, describe, expect, it } from 'vitest';
import { HEALTH_KEYS, type HealthKey } from '#contract/admin/health/constants';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { setReader } from '#contract/platform/text/constants/reader';
import { followReaders, readerOf } from '../../platform/market/readers.ts';
import type { ProcessFigures } from '../../platform/metrics/heartbeat.ts';
import { judgeHealth } from './judge.ts';
import type { DatabaseFigures, Measured, MeasuredProcess } from './measure.ts';

afterEach(() => {
  setMarket(DEFAULT_MARKET);
  followReaders();
});

const AT = new Date('2026-11-22T10:00:00.000Z');

const figures: ProcessFigures = {
  eventLoopDelayMs: 2.4,
  memoryBytes: 200e6,
  memoryMaxBytes: 2e9,
  sockets: 12,
  poolUsed: 3,
  poolMax: 20,
  poolWaiting: 0,
  diskFreeBytes: 50e9,
  diskBytes: 100e9,
};

const oneProcess = (over: Partial<MeasuredProcess> = {}): MeasuredProcess => ({
  id: '3f0e8a3e-8a39-4a53-9a86-0d2d1d4c7c11',
  service: 'server',
  host: 'farm1',
  pid: 7,
  version: '1.0.0',
  startedAt: '2026-11-22T08:00:00.000Z',
  seenAt: '2026-11-22T09:59:58.000Z',
  silentSeconds: 2,
  figures,
  ...over,
});

const backup: NonNullable<DatabaseFigures['backup']> = {
  finishedAt: '2026-11-22T03:00:00.000Z',
  ageHours: 7,
  sizeBytes: 4e6,
  rowCount: 1000,
  pictureCount: 20,
  madeBy: 'farmgate@farm1',
  folder: '/backups/farmgate-2026-11-22T03-00-00Z',
  isVerified: true,
};

const database: DatabaseFigures = {
  oldestEventSeconds: null,
  followers: [{ name: 'notifications', behind: 0, seconds: null }],
  timers: { overdue: 0, seconds: null, failed: 0 },
  oldestAlertSeconds: null,
  mail: { failed: 0, retrying: 0, unreachable: 0 },
  held: { mails: 0, pushes: 0, reminders: 0 },
  outdated: 0,
  backup,
  processes: [oneProcess(), oneProcess({ service: 'workers' })],
};

const jobs = { waiting: 0, active: 0, delayed: 2, failed: 0 };
const measured: Measured = {
  postgresMs: 1.2,
  redisMs: 0.4,
  refusals: {},
  database,
  queues: { email: jobs, push: jobs, sms: jobs, housekeeping: jobs },
  disk: { freeBytes: 50e9, totalBytes: 100e9 },
  sendsMail: true,
  isProduction: true,
};

const judge = (over: Partial<Measured> = {}) => judgeHealth({ ...measured, ...over }, AT);
const withDatabase = (over: Partial<DatabaseFigures>) =>
  judge({ database: { ...database, ...over } });
const withFigures = (over: Partial<ProcessFigures>) =>
  withDatabase({
    processes: [
      oneProcess({ figures: { ...figures, ...over } }),
      oneProcess({ service: 'workers' }),
    ],
  });
const check = (report: ReturnType<typeof judge>, key: HealthKey) =>
  report.checks.find((each) => each.key === key);

it('says what waits since a restore, and what came too late', () => {
  const held = { mails: 12, pushes: 0, reminders: 1 };
  const report = withDatabase({ held, outdated: 3 });
  expect(check(report, 'late')).toMatchObject({
    state: 'warning',
    value:
      '12 mails, 1 reminder of before the restore wait. 3 outdated ones dropped in the last 7 days.',
  });
  expect(report.held).toEqual(held);
});

describe('a market in good health', () => {
  it('is good in every line, in the order of the page', () => {
    const report = judge();
    expect(report.checks.map(({ key }) => key)).toEqual(HEALTH_KEYS);
    expect(report.checks.filter(({ state }) => state !== 'good')).toEqual([]);
    expect(report.state).toBe('good');
    expect(report.lastBackup).toEqual({ ...backup, ageHours: undefined });
    expect(report.lastBackup).not.toHaveProperty('ageHours');
  });

  it('has values in words', () => {
    expect(Object.fromEntries(judge().checks.map(({ key, value }) => [key, value]))).toEqual({
      postgres: 'Answers in 1.2 ms.',
      redis: 'Answers in 0.4 ms.',
      processes: '1 server and 1 worker process running.',
      events: 'None waits for its number.',
      followers: 'All have handled every event.',
      timers: 'None is overdue.',
      alerts: 'Every farm is told in time.',
      queues: 'None failed, 0 waiting or running, 8 for later.',
      mail: 'No mail failed in the last 24 hours.',
      late: 'None waits.',
      backup: 'The last one was made 7 hours ago, with 20 picture files.',
      disk: '50.0 GB of 100.0 GB free under DATA_DIR.',
      memory: '0.4 GB of 2.0 GB used by Farmgate, 20 %.',
      eventLoop: 'At most 2.4 ms late.',
      clocks: "All agree with the database's.",
      pool: '3 of 20 in use in the busiest process.',
      sockets: '24 connections in all, 12 in the fullest process.',
    });
  });
});

it('says what is and what is wrong in the language of its reader', () => {
  const valuesIn = (language: string) => {
    setReader(() => readerOf(language));
    const late = { overdue: 2, seconds: 300, failed: 1 };
    const followers = [{ name: 'notifications', behind: 3, seconds: 70 }];
    const reports = [
      judge(),
      judge({
        sendsMail: false,
        queues: { email: { ...jobs, failed: 2 }, push: jobs, sms: jobs, housekeeping: jobs },
      }),
      withDatabase({ timers: late, followers, outdated: 1, backup: null, oldestEventSeconds: 9 }),
      withDatabase({ mail: { failed: 1, retrying: 1, unreachable: 2 }, processes: [] }),
      withFigures({ clockAheadMs: -9000, logReaders: 30, poolWaiting: 4 }),
    ];
    return reports.flatMap(({ checks }) => checks.map(({ value }) => value));
  };
  expect(valuesIn('de')).toEqual(
    expect.arrayContaining([
      'Antwortet in 1,2 ms.',
      'Die letzte ist 7 Stunden alt, mit 20 Bilddateien.',
      '2 Zeitaufträge überfällig, der älteste um 5 Minuten. 1 Zeitauftrag ist fehlgeschlagen und wird wiederholt.',
    ]),
  );
  const names = /SMTP_URL|DATA_DIR|Farmgate|notifications|email|farm1|\b(ms|GB)\b/g;
  const urdu = valuesIn('ur').map((value) => value.replace(names, ''));
  expect(urdu.filter((value) => /[a-z]/i.test(value))).toEqual([]);
});

describe('what is wrong', () => {
  it.each<
    [what: string, report: ReturnType<typeof judge>, key: HealthKey, state: string, value: string]
  >([
    ['a slow Postgres', judge({ postgresMs: 100 }), 'postgres', 'warning', 'Answers in 100 ms.'],
    [
      'a Postgres that is away',
      judge({ postgresMs: undefined }),
      'postgres',
      'bad',
      'Does not answer.',
    ],
    [
      'a Redis that is full',
      judge({ refusals: { redis: 'OOM' } }),
      'redis',
      'bad',
      'Takes no writes: OOM.',
    ],
    [
      'a Postgres that is read-only',
      judge({ refusals: { postgres: 'it is read-only' } }),
      'postgres',
      'bad',
      'Takes no writes: it is read-only.',
    ],
    ['a Redis that is away', judge({ redisMs: undefined }), 'redis', 'bad', 'Does not answer.'],
    [
      'no worker',
      withDatabase({ processes: [oneProcess()] }),
      'processes',
      'bad',
      '1 server and 0 worker processes running: no mail is sent, no timer runs.',
    ],
    [
      'a silent worker',
      withDatabase({
        processes: [oneProcess(), oneProcess({ service: 'workers', silentSeconds: 15 })],
      }),
      'processes',
      'bad',
      '1 server and 0 worker processes running: no mail is sent, no timer runs.',
    ],
    [
      'a silent server',
      withDatabase({ processes: [...database.processes, oneProcess({ silentSeconds: 40 })] }),
      'processes',
      'warning',
      '1 server and 1 worker process running, 1 other not heard of since a moment ago.',
    ],
    [
      'two versions',
      withDatabase({ processes: [...database.processes, oneProcess({ version: '1.1.0' })] }),
      'processes',
      'warning',
      '2 servers and 1 worker process running, of 2 versions.',
    ],
    [
      'an event without a number',
      withDatabase({ oldestEventSeconds: 31 }),
      'events',
      'bad',
      'The oldest has waited for its number for 31 seconds.',
    ],
    [
      'a follower behind',
      withDatabase({ followers: [{ name: 'notifications', behind: 1, seconds: 12 }] }),
      'followers',
      'warning',
      'notifications is 1 event behind, by 12 seconds.',
    ],
    [
      'an alert that is not told',
      withDatabase({ oldestAlertSeconds: 60 }),
      'alerts',
      'warning',
      'The oldest step that is due has waited for 60 seconds.',
    ],
    [
      'overdue timers',
      withDatabase({ timers: { overdue: 2, seconds: 300, failed: 0 } }),
      'timers',
      'bad',
      '2 timers overdue, the oldest by 5 minutes.',
    ],
    [
      'a failed timer',
      withDatabase({ timers: { overdue: 0, seconds: null, failed: 1 } }),
      'timers',
      'warning',
      'None is overdue. 1 timer failed and will be retried.',
    ],
    [
      'a failed job',
      judge({
        queues: { email: { ...jobs, failed: 1 }, push: jobs, sms: jobs, housekeeping: jobs },
      }),
      'queues',
      'warning',
      '1 failed of email, 0 waiting or running, 8 for later.',
    ],
    [
      'a refused mail',
      withDatabase({ mail: { failed: 20, retrying: 3, unreachable: 2 } }),
      'mail',
      'bad',
      '20 mails failed in the last 24 hours, 3 being retried. 2 people cannot be reached.',
    ],
    [
      'mails in files',
      judge({ sendsMail: false }),
      'mail',
      'warning',
      'Mails are written to files: SMTP_URL is not set.',
    ],
    ['no backup', withDatabase({ backup: null }), 'backup', 'warning', 'There is none yet.'],
    [
      'an old backup',
      withDatabase({ backup: { ...backup, ageHours: 26.5 } }),
      'backup',
      'warning',
      'The last one was made 26 hours ago, with 20 picture files.',
    ],
    [
      'a very old backup',
      withDatabase({ backup: { ...backup, ageHours: 240, pictureCount: null } }),
      'backup',
      'bad',
      'The last one was made 10 days ago, without pictures.',
    ],
    [
      'a full disk',
      withFigures({ diskFreeBytes: 4e9 }),
      'disk',
      'bad',
      '4.0 GB of 100.0 GB free under DATA_DIR.',
    ],
    [
      'too little memory',
      withFigures({ memoryBytes: 1.7e9 }),
      'memory',
      'bad',
      '1.9 GB of 2.0 GB used by Farmgate, 95 %.',
    ],
    [
      'a blocked event loop',
      withFigures({ eventLoopDelayMs: 180 }),
      'eventLoop',
      'warning',
      'At most 180 ms late.',
    ],
    [
      'an exhausted pool',
      withFigures({ poolUsed: 20, poolWaiting: 60 }),
      'pool',
      'bad',
      '20 of 20 in use in the busiest process, 60 statements waiting.',
    ],
    [
      'too many connections',
      withFigures({ sockets: 10_000 }),
      'sockets',
      'bad',
      '10,012 connections in all, 10,000 in the fullest process.',
    ],
  ])('%s is shown in its line and in all', (_what, report, key, state, value) => {
    expect(check(report, key)).toEqual({ key, state, value });
    expect(report.state).toBe(state);
  });

  it('a large disk with much free space is good, however much of it is used', () => {
    const report = withFigures({ diskFreeBytes: 60e9, diskBytes: 2e12 });
    expect(check(report, 'disk')?.state).toBe('good');
  });

  it('mails in files are fine outside production', () => {
    expect(check(judge({ sendsMail: false, isProduction: false }), 'mail')?.state).toBe('good');
  });
});

it('what cannot be asked is unknown, never good', () => {
  const report = judge({ postgresMs: undefined, database: undefined, queues: undefined });
  const states = Object.fromEntries(report.checks.map(({ key, state }) => [key, state]));
  expect(states).toMatchObject({ postgres: 'bad', redis: 'good', disk: 'good' });
  const { postgres: _, redis: __, disk: ___, ...others } = states;
  expect(new Set(Object.values(others))).toEqual(new Set(['unknown']));
  expect(report).toMatchObject({ state: 'bad', processes: null, lastBackup: null });
});

it('a process of another version that reports less is shown without figures', () => {
  const report = withDatabase({ processes: [oneProcess({ figures: null })] });
  expect(report.processes).toMatchObject([{ memoryBytes: null, sockets: null, isSilent: false }]);
  expect(check(report, 'eventLoop')).toMatchObject({ state: 'unknown' });
});

it('numbers are written as the market writes them', () => {
  setMarket({ ...DEFAULT_MARKET, locale: 'de-DE' });
  const report = withFigures({ sockets: 10_000 });
  expect(check(report, 'sockets')?.value).toBe(
    '10.012 connections in all, 10.000 in the fullest process.',
  );
});

it('says how many clients can open no WebSocket, once it is one of ten', () => {
  const connections = (sockets: number, logReaders: number) =>
    check(withFigures({ sockets, logReaders }), 'sockets');
  expect(connections(91, 9)).toMatchObject({ state: 'good' });
  expect(connections(6, 4)).toEqual({
    key: 'sockets',
    state: 'warning',
    value:
      '4 of 22 clients cannot open a WebSocket: let the proxy pass it. 22 connections in all, 12 in the fullest process.',
  });
  expect(connections(10_000, 5000)).toMatchObject({ state: 'bad' });
});
