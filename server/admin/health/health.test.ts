import { expect, it } from 'vitest';
import { HEALTH_KEYS } from '#contract/admin/health/constants';
import { HealthReport } from '#contract/admin/health/health';
import { startFreezableProxy } from '../../../prisma/testing/freezable-proxy.ts';
import { until } from '../../../testing/until.ts';
import { startHeartbeat } from '../../platform/metrics/heartbeat.ts';
import { measureDatabase, registry } from '../../platform/metrics/metrics.ts';
import { closeAfter, startTestMarket } from '../../testing/market.ts';
import { judgeHealth } from './judge.ts';
import { measureHealth } from './measure.ts';

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin');

/** Reads the report until it is as wanted: on a busy machine a store may be too slow to answer in time. */
const waitForHealth = (isWanted: (report: HealthReport) => boolean, of = market, as = admin) =>
  until(async () => {
    const report = await readHealth(of, as);
    return isWanted(report) ? report : undefined;
  });

/** Whether a store answered, fast or slowly. */
const hasAnswered = (report: HealthReport, key: string) =>
  ['good', 'warning'].includes(stateOf(report, key) ?? '');

async function readHealth(of = market, as = admin): Promise<HealthReport> {
  const { status, body } = await of.call('GET', '/admin/health', { as });
  expect(status).toBe(200);
  return HealthReport.parse(body.data);
}
const stateOf = (report: HealthReport, key: string) =>
  report.checks.find((each) => each.key === key)?.state;

it('shows every line to admins alone, and is never kept', async () => {
  const report = await waitForHealth(
    (each) => hasAnswered(each, 'postgres') && stateOf(each, 'queues') === 'good',
  );
  expect(report.checks.map(({ key }) => key)).toEqual(HEALTH_KEYS);
  const farmer = await market.join('farmer');
  expect((await market.get('/admin/health', farmer)).status).toBe(403);
  expect((await market.get('/admin/health')).status).toBe(401);
});

it('lists each process from its first heartbeat until it stops', async () => {
  await waitForHealth((report) => stateOf(report, 'processes') === 'bad');
  const server = startHeartbeat(market.platform, 'server');
  const workers = startHeartbeat(market.platform, 'workers');
  const report = await waitForHealth(({ processes }) => processes?.length === 2);
  expect(report.processes).toMatchObject([
    { service: 'server', pid: process.pid, version: '1.0.0', isSilent: false },
    { service: 'workers', isSilent: false },
  ]);
  expect(report.processes?.[0]?.memoryBytes).toBeGreaterThan(10e6);
  expect(stateOf(report, 'processes')).toBe('good');
  await Promise.all([server.close(), workers.close()]);
  await waitForHealth(({ processes }) => processes?.length === 0);
});

it('shows a process that died as silent, and removes it later', async () => {
  const row = (minutes: string) =>
    market.platform.pool.query(
      `INSERT INTO processes (id, service, host, pid, version, started_at, seen_at, figures)
       VALUES (gen_random_uuid(), 'server', 'gone', 1, '0.9.0', now(), now() - $1::interval, '{"odd":1}')`,
      [minutes],
    );
  await row('1 minute');
  await row('11 minutes');
  const { processes } = await waitForHealth((report) => report.processes !== null);
  expect(processes).toMatchObject([{ host: 'gone', isSilent: true, memoryBytes: null }]);
  await market.platform.pool.query('DELETE FROM processes');
});

it('shows the last backup, as the metric does', async () => {
  const { pool } = market.platform;
  const metric = async () => {
    await measureDatabase(pool);
    const text = await registry.getSingleMetricAsString('farmgate_last_backup_timestamp_seconds');
    return Number(/^farmgate_last_backup_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
  };
  expect(await metric()).toBe(0);
  const before = await waitForHealth((report) => report.processes !== null);
  expect(before.lastBackup).toBeNull();
  await pool.query(
    `INSERT INTO backups (name, folder, made_by, started_at, finished_at, size_bytes, row_count, is_verified)
     VALUES ('farmgate-1', '/backups', 'ann@farm1', now(), '2026-01-02T03:04:05Z', 10, 20, true),
            ('farmgate-0', '/backups', 'ann@farm1', now(), '2026-01-01T03:04:05Z', 1, 2, true)`,
  );
  const report = await waitForHealth(({ lastBackup }) => lastBackup !== null);
  expect(report.lastBackup).toEqual({
    finishedAt: '2026-01-02T03:04:05.000Z',
    sizeBytes: 10,
    rowCount: 20,
    pictureCount: null,
    madeBy: 'ann@farm1',
    folder: '/backups/farmgate-1',
    isVerified: true,
  });
  expect(stateOf(report, 'backup')).toBe('bad');
  expect(await metric()).toBe(Date.parse('2026-01-02T03:04:05Z') / 1000);
});

it('shows what waits: events, timers, followers and mails', async () => {
  const { pool } = market.platform;
  const ann = await market.join('consumer');
  const unreachable = await market.join('consumer');
  await pool.query('UPDATE users SET unreachable_at = now() WHERE id = $1', [unreachable.id]);
  await pool.query(
    `INSERT INTO timers (key, kind, due_at) VALUES ('old', 'old', now() - interval '5 minutes')`,
  );
  await pool.query(
    `INSERT INTO notification_deliveries (user_id, key, channel, kind, status, attempts)
     VALUES ($1, 'a', 'email', 'odd', 'failed', 13), ($1, 'b', 'email', 'odd', 'sending', 2),
            ($1, 'c', 'push', 'odd', 'failed', 13), ($2, 'a', 'email', 'odd', 'failed', 1)`,
    [ann.id, unreachable.id],
  );
  await pool.query(`INSERT INTO followers (name, seq) VALUES ('slow', 0)`);
  await pool.query(`UPDATE event_log SET at = now() - interval '90 seconds'`);
  const measured = await until(async () => {
    const each = await measureHealth(market.platform);
    return each.database ? each : undefined;
  });
  expect(measured.database).toMatchObject({
    timers: { overdue: 1, failed: 0 },
    mail: { failed: 1, retrying: 1, unreachable: 1 },
  });
  const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int FROM event_log');
  expect(measured.database?.followers).toMatchObject([{ name: 'slow', behind: rows[0]?.count }]);
  await waitForHealth((report) =>
    ['timers', 'followers'].every((key) => stateOf(report, key) === 'bad'),
  );
});

it('answers while Redis hangs', async () => {
  const redis = await startFreezableProxy(process.env.REDIS_URL ?? '');
  const other = await startTestMarket({ REDIS_URL: redis.url });
  try {
    const as = await other.join('admin');
    await waitForHealth((report) => hasAnswered(report, 'redis'), other, as);
    redis.freeze();
    const report = await waitForHealth((each) => hasAnswered(each, 'postgres'), other, as);
    expect(stateOf(report, 'redis')).toBe('bad');
    expect(stateOf(report, 'queues')).toBe('unknown');
    redis.thaw();
    await waitForHealth((each) => stateOf(each, 'queues') === 'good', other, as);
  } finally {
    redis.thaw();
    await other.close();
    await redis.close();
  }
});

it('shows what it could measure while Postgres hangs', async () => {
  const postgres = await startFreezableProxy(market.env.DATABASE_URL);
  const other = await startTestMarket({ DATABASE_URL: postgres.url });
  try {
    postgres.freeze();
    const report = await until(async () => {
      const each = judgeHealth(await measureHealth(other.platform), new Date());
      return hasAnswered(each, 'redis') && stateOf(each, 'disk') !== 'unknown' ? each : undefined;
    });
    expect(stateOf(report, 'postgres')).toBe('bad');
    expect(stateOf(report, 'followers')).toBe('unknown');
    expect(report.processes).toBeNull();
  } finally {
    postgres.thaw();
    await other.close();
    await postgres.close();
  }
});
