import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldDeliveries } from '#contract/admin/health/health';
import type { Platform } from '../../platform/http/platform.ts';
import { ProcessFigures } from '../../platform/metrics/heartbeat.ts';
import { OLDEST_ALERT } from '../../platform/metrics/metrics.ts';
import { QUEUE_NAMES, type QueueName } from '../../platform/stores/queues.ts';
import { OUTDATED } from '../../platform/stores/timers.ts';

/** How long a store is waited for; the whole answer takes less than two seconds. */
const STORE_TIMEOUT_MS = 1200;

/** How many jobs of a queue are in each state. */
export type QueueCounts = Record<'waiting' | 'active' | 'delayed' | 'failed', number>;

/** A process as its last heartbeat described it. */
export interface MeasuredProcess {
  id: string;
  service: 'server' | 'workers';
  host: string;
  pid: number;
  version: string;
  startedAt: string;
  seenAt: string;
  silentSeconds: number;
  figures: ProcessFigures | null;
}

/** What Postgres reported, all at one instant. */
export interface DatabaseFigures {
  /** How long the oldest event has waited for its number; null without one. */
  oldestEventSeconds: number | null;
  followers: { name: string; behind: number; seconds: number | null }[];
  timers: { overdue: number; seconds: number | null; failed: number };
  /** How long the oldest step of an alert is due that has not run; null where none is. */
  oldestAlertSeconds: number | null;
  /** `failed` without those whose address is refused, which are `unreachable` people. */
  mail: { failed: number; retrying: number; unreachable: number };
  held: HeldDeliveries;
  /** What came too late in the last 7 days, and was dropped. */
  outdated: number;
  backup: {
    finishedAt: string;
    ageHours: number;
    sizeBytes: number;
    rowCount: number;
    pictureCount: number | null;
    madeBy: string;
    folder: string;
    isVerified: boolean;
  } | null;
  processes: MeasuredProcess[];
}

/** Everything that was found out; undefined for what did not answer in time. */
export interface Measured {
  postgresMs: number | undefined;
  redisMs: number | undefined;
  /** Why a store that answers takes no writes. */
  refusals: { postgres?: string | undefined; redis?: string | undefined };
  database: DatabaseFigures | undefined;
  queues: Record<QueueName, QueueCounts> | undefined;
  /** The disk of the process that answers. */
  disk: { freeBytes: number; totalBytes: number } | undefined;
  sendsMail: boolean;
  isProduction: boolean;
}

/** Returns the outcome, or undefined when the work fails or takes longer than the limit. */
async function within<T>(work: () => Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  const late = sleep(STORE_TIMEOUT_MS, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([work(), late]);
  } catch {
    return undefined;
  } finally {
    timer.abort();
  }
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const DATABASE_FIGURES = `SELECT json_build_object(
  'oldestEventSeconds', (
    SELECT extract(epoch FROM now() - at) FROM event_outbox ORDER BY ordinal LIMIT 1),
  'followers', coalesce((
    SELECT json_agg(json_build_object(
      'name', f.name,
      'behind', (SELECT count(*) FROM event_log e WHERE e.seq > f.seq),
      'seconds', (SELECT extract(epoch FROM now() - e.at) FROM event_log e
                  WHERE e.seq > f.seq ORDER BY e.seq LIMIT 1)) ORDER BY f.name)
    FROM followers f), '[]'),
  'timers', (
    SELECT json_build_object(
      'overdue', count(*) FILTER (WHERE due_at < now() - interval '10 seconds'),
      'seconds', extract(epoch FROM now() - min(due_at) FILTER (WHERE due_at < now() - interval '10 seconds')),
      'failed', count(*) FILTER (WHERE attempts > 0))
    FROM timers WHERE done_at IS NULL AND (due_at < now() OR attempts > 0)),
  'oldestAlertSeconds', (${OLDEST_ALERT}),
  'mail', (
    SELECT json_build_object(
      'failed', count(*) FILTER (WHERE status = 'failed' AND due_at > now() - interval '24 hours'
        AND NOT EXISTS (SELECT FROM users WHERE id = user_id AND unreachable_at IS NOT NULL)),
      'retrying', count(*) FILTER (WHERE status <> 'failed' AND attempts > 0),
      'unreachable', (SELECT count(*) FROM users WHERE unreachable_at IS NOT NULL))
    FROM notification_deliveries
    WHERE channel = 'email' AND status IN ('failed', 'pending', 'sending')),
  'held', (
    SELECT json_build_object(
      'mails', count(*) FILTER (WHERE channel = 'email'),
      'pushes', count(*) FILTER (WHERE channel = 'push'),
      'texts', count(*) FILTER (WHERE channel = 'sms'),
      'reminders', (SELECT count(*) FROM timers WHERE restored_at IS NOT NULL))
    FROM notification_deliveries WHERE restored_at IS NOT NULL),
  'outdated', (
    SELECT count(*) FROM notification_deliveries
    WHERE status = 'skipped' AND due_at > now() - interval '7 days' AND error = '${OUTDATED}')
    + (SELECT count(*) FROM timers WHERE done_at > now() - interval '7 days' AND error = '${OUTDATED}'),
  'backup', (
    SELECT json_build_object(
      'finishedAt', iso_instant(finished_at),
      'ageHours', extract(epoch FROM now() - finished_at) / 3600,
      'sizeBytes', size_bytes, 'rowCount', row_count, 'pictureCount', picture_count,
      'madeBy', made_by, 'folder', folder || '/' || name, 'isVerified', is_verified)
    FROM backups ORDER BY finished_at DESC LIMIT 1),
  'processes', coalesce((
    SELECT json_agg(json_build_object(
      'id', id, 'service', service, 'host', host, 'pid', pid, 'version', version,
      'startedAt', iso_instant(started_at), 'seenAt', iso_instant(seen_at),
      'silentSeconds', extract(epoch FROM now() - seen_at), 'figures', figures)
      ORDER BY service, host, started_at, id)
    FROM processes WHERE seen_at > now() - interval '10 minutes'), '[]')) AS figures`;

async function readDatabase({ pool }: Platform): Promise<DatabaseFigures | undefined> {
  const { rows } = await pool.query<{ figures: DatabaseFigures }>({
    name: 'read_health',
    text: DATABASE_FIGURES,
  });
  const figures = rows[0]?.figures;
  return (
    figures && {
      ...figures,
      processes: figures.processes.map((each) => ({
        ...each,
        figures: ProcessFigures.safeParse(each.figures).data ?? null,
      })),
    }
  );
}

async function countJobs(platform: Platform): Promise<Record<QueueName, QueueCounts>> {
  const queues = platform.queues();
  const counts = await Promise.all(
    QUEUE_NAMES.map(async (name) => {
      const states = ['waiting', 'active', 'delayed', 'failed'] as const;
      const found = await queues.withDeadline(
        () => queues[name].getJobCounts(...states),
        STORE_TIMEOUT_MS,
      );
      const count = (state: keyof QueueCounts) => found[state] ?? 0;
      const jobs = {
        waiting: count('waiting'),
        active: count('active'),
        delayed: count('delayed'),
        failed: count('failed'),
      };
      return [name, jobs] as const;
    }),
  );
  return Object.fromEntries(counts) as Record<QueueName, QueueCounts>;
}

/** Asks everything at once, each for {@link STORE_TIMEOUT_MS} at most. */
export async function measureHealth(platform: Platform): Promise<Measured> {
  const { env, pool, redis, database: store } = platform;
  const [postgresMs, redisMs, state, database, queues, disk] = await Promise.all([
    within(() => timeMs(() => pool.query('SELECT 1'))),
    within(() => timeMs(() => redis.withDeadline(() => redis.ping(), STORE_TIMEOUT_MS))),
    within(() => store.state()),
    within(() => readDatabase(platform)),
    within(async () => {
      // A connection that is still opening would look like one that fails.
      await platform.queues().isAnswering();
      return countJobs(platform);
    }),
    within(() => statfs(env.DATA_DIR)),
  ]);
  return {
    postgresMs,
    redisMs,
    refusals: {
      postgres: state === 'no writes' ? store.reason() : undefined,
      redis: redis.refusal(),
    },
    database,
    queues,
    disk: disk && {
      freeBytes: disk.bavail * disk.bsize,
      totalBytes: disk.blocks * disk.bsize,
    },
    sendsMail: env.SMTP_URL !== undefined,
    isProduction: env.NODE_ENV === 'production',
  };
}
