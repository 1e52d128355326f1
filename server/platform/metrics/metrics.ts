import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The registry that `/metrics` exposes. */
export const registry = new Registry();
const registers = [registry];
/** How the numbers of processes are put together that read the same table or queues. */
const SHARED = 'max';
collectDefaultMetrics({ register: registry });

/** Latency, traffic and errors of the API, by route and status class. */
export const httpDuration = new Histogram({
  name: 'farmgate_http_request_duration_seconds',
  help: 'Time from request to response.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers,
});

export const httpInFlight = new Gauge({
  name: 'farmgate_http_requests_in_flight',
  help: 'Requests in flight.',
  registers,
});

export const eventsDelivered = new Counter({
  name: 'farmgate_events_delivered_total',
  help: 'Events the gateway delivered to its rooms, by name.',
  labelNames: ['name'] as const,
  registers,
});

export const eventLag = new Histogram({
  name: 'farmgate_event_lag_seconds',
  help: 'Time from recording an event to a follower handling it.',
  labelNames: ['follower'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
  registers,
});

export const socketsConnected = new Gauge({
  name: 'farmgate_sockets_connected',
  help: 'Open sockets of this process, by role.',
  labelNames: ['role'] as const,
  registers,
});

export const logReadsWaiting = new Gauge({
  name: 'farmgate_log_reads_waiting',
  help: 'Clients without a WebSocket whose read of the event log waits for news, by role.',
  labelNames: ['role'] as const,
  registers,
});

/** Counts cached responses in a plain map: a labelled counter would cost as much as the response. */
export const cachedResponses = (() => {
  const counts = new Map<string, number>();
  new Counter({
    name: 'farmgate_cached_responses_total',
    help: 'Public reads answered from the response cache, by route.',
    labelNames: ['route'] as const,
    registers,
    collect() {
      this.reset();
      for (const [route, count] of counts) this.inc({ route }, count);
    },
  });
  return { count: (route: string) => void counts.set(route, (counts.get(route) ?? 0) + 1) };
})();

export const queueJobs = new Gauge({
  name: 'farmgate_queue_jobs',
  help: 'Jobs by queue and state: waiting, active, delayed, failed.',
  labelNames: ['queue', 'state'] as const,
  aggregator: SHARED,
  registers,
});

const followerLag = new Gauge({
  name: 'farmgate_follower_behind_events',
  help: 'Numbered events that a follower has not handled yet.',
  labelNames: ['follower'] as const,
  aggregator: SHARED,
  registers,
});

const timersLeft = new Gauge({
  name: 'farmgate_timers',
  help: 'Timers that have not happened: waiting for their time, overdue by more than ten seconds, and failed so far.',
  labelNames: ['state'] as const,
  aggregator: SHARED,
  registers,
});

const oldestAlert = new Gauge({
  name: 'farmgate_attention_oldest_due_seconds',
  help: 'How long the oldest step of what asks a farm for an answer is due that has not run; 0 where none is.',
  aggregator: SHARED,
  registers,
});

const poolConnections = new Gauge({
  name: 'farmgate_database_pool_connections',
  help: 'Connections of this process to Postgres: in use and idle.',
  labelNames: ['state'] as const,
  registers,
});

const poolWaiting = new Gauge({
  name: 'farmgate_database_pool_waiting',
  help: 'Statements of this process that wait for a connection.',
  registers,
});

export const redisRefuses = new Gauge({
  name: 'farmgate_redis_refuses_writes',
  help: 'Whether Redis answers this process and refuses writes: 1 or 0.',
  aggregator: SHARED,
  registers,
});

const lastBackup = new Gauge({
  name: 'farmgate_last_backup_timestamp_seconds',
  help: 'When the last backup finished, in seconds since 1970; 0 without one.',
  aggregator: SHARED,
  registers,
});

/**
 * How long the oldest step is due that has not run, in seconds; null where none is. What waits for an admin since a
 * restore is not meant to run.
 */
export const OLDEST_ALERT = `
  SELECT extract(epoch FROM now() - min(a.next_at))::float8
  FROM attentions a LEFT JOIN timers t ON t.key = 'attention:' || a.id
  WHERE a.state IN ('waiting', 'acknowledged') AND a.next_at < now() AND t.restored_at IS NULL`;

/**
 * Updates the gauges of the pool, the durable followers, timers, alerts and the last backup; keeps the last values while
 * Postgres is away.
 */
export async function measureDatabase(pool: pg.Pool): Promise<void> {
  poolConnections.set({ state: 'idle' }, pool.idleCount);
  poolConnections.set({ state: 'used' }, pool.totalCount - pool.idleCount);
  poolWaiting.set(pool.waitingCount);
  const read = async <Row extends object>(name: string, text: string): Promise<Row[]> =>
    (await pool.query<Row>({ name, text }).catch(() => ({ rows: [] }))).rows;
  const [followers, [timers], [backup], [alert]] = await Promise.all([
    // Counted, since a restored log has a gap in its numbers.
    read<{ name: string; behind: number }>(
      'followers_behind',
      `SELECT name, (SELECT count(*)::int FROM event_log e WHERE e.seq > f.seq) AS behind
       FROM followers f`,
    ),
    read<Record<'waiting' | 'overdue' | 'failed', number>>(
      'timers_left',
      `SELECT count(*) FILTER (WHERE due_at > now())::int AS waiting,
         count(*) FILTER (WHERE due_at < now() - interval '10 seconds')::int AS overdue,
         count(*) FILTER (WHERE attempts > 0)::int AS failed
       FROM timers WHERE done_at IS NULL`,
    ),
    read<{ seconds: number | null }>(
      'last_backup',
      'SELECT extract(epoch FROM max(finished_at))::float8 AS seconds FROM backups',
    ),
    read<{ seconds: number | null }>('oldest_alert', `SELECT (${OLDEST_ALERT}) AS seconds`),
  ]);
  for (const { name, behind } of followers) followerLag.set({ follower: name }, behind);
  for (const [state, count] of Object.entries(timers ?? {})) timersLeft.set({ state }, count);
  if (alert) oldestAlert.set(alert.seconds ?? 0);
  if (backup) lastBackup.set(backup.seconds ?? 0);
}

/** Why an upload with a valid form was refused. */
type UploadRefusal =
  | 'account_busy'
  | 'queue_full'
  | 'queue_timeout'
  | 'disk_budget'
  | 'too_slow'
  | 'decode_time'
  | 'decode_memory'
  | 'decoder_failed'
  | 'storage';

const uploadsRefused = new Counter({
  name: 'farmgate_uploads_refused_total',
  help: 'Uploads refused to protect the process, or because the storage failed, by reason.',
  labelNames: ['reason'] as const,
  registers,
});

export const countRefused = (reason: UploadRefusal): void => uploadsRefused.inc({ reason });

export const pictureDecodeDuration = new Histogram({
  name: 'farmgate_picture_decode_seconds',
  help: 'Time from starting the decoder process to its outcome, without the wait for it.',
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});
