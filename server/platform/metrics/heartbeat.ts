import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { hostname, totalmem } from 'node:os';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Gauge } from 'prom-client';
import { z } from 'zod';
import { noteClock } from '#contract/platform/time/constants';
import { type Env, readVersion } from '../process/env.ts';
import type { Log } from '../process/log.ts';
import { logReadsWaiting, socketsConnected } from './metrics.ts';

/** How often a process writes that it is there, in milliseconds. */
const HEARTBEAT_MS = 5000;
/** Rows of processes that ended without a word are deleted after this time, in minutes. */
const SILENT_ROW_MINUTES = 10;
/** How long a stopping process waits to delete its row, in milliseconds. */
const CLOSE_TIMEOUT_MS = 500;
/** The histogram counts the wait between two of its own timers too, in milliseconds. */
const DELAY_RESOLUTION_MS = 20;

/** What a process reports of itself. Other versions may report less. */
export const ProcessFigures = z.object({
  eventLoopDelayMs: z.number(),
  memoryBytes: z.number(),
  /** What the machine or the container gives to all its processes. */
  memoryMaxBytes: z.number(),
  sockets: z.number(),
  /** Clients that have no WebSocket. Earlier versions do not say. */
  logReaders: z.number().optional(),
  poolUsed: z.number(),
  poolMax: z.number(),
  poolWaiting: z.number(),
  /** Of the disk under DATA_DIR; null where it cannot be read. */
  diskFreeBytes: z.number().nullable(),
  diskBytes: z.number().nullable(),
  /** How far its clock is ahead of the database's. Earlier versions do not say. */
  clockAheadMs: z.number().optional(),
});
export type ProcessFigures = z.infer<typeof ProcessFigures>;

/** What a heartbeat needs of the process. */
interface Process {
  env: Pick<Env, 'DATA_DIR' | 'DATABASE_POOL_SIZE'>;
  log: Log;
  pool: pg.Pool;
}

/** A running heartbeat. */
export interface Heartbeat {
  /** Stops it and deletes the process's row. */
  close(): Promise<void>;
}

/** Returns how far this process's clock is ahead of the database's, in milliseconds, and takes over the database's. */
async function measureClock(pool: pg.Pool): Promise<number> {
  const askedMs = Date.now();
  const { rows } = await pool.query<{ ms: number }>({
    name: 'read_clock',
    text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  });
  return Math.round(noteClock(rows[0]?.ms ?? askedMs, askedMs, Date.now()));
}

async function sumOf(gauge: Gauge): Promise<number> {
  const { values } = await gauge.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}

async function measureFigures(
  { env, pool }: Process,
  delays: IntervalHistogram,
): Promise<ProcessFigures> {
  const disk = await statfs(env.DATA_DIR).catch(() => null);
  const delayMs = delays.percentile(99) / 1e6 - DELAY_RESOLUTION_MS;
  delays.reset();
  // 0 or a huge number stands for a process without a limit of its own.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return {
    eventLoopDelayMs: Math.max(0, Math.round(delayMs * 10) / 10) || 0,
    memoryBytes: process.memoryUsage.rss(),
    memoryMaxBytes: Math.min(limit, totalmem()),
    sockets: await sumOf(socketsConnected),
    logReaders: await sumOf(logReadsWaiting),
    poolUsed: pool.totalCount - pool.idleCount,
    poolMax: env.DATABASE_POOL_SIZE,
    poolWaiting: pool.waitingCount,
    diskFreeBytes: disk && disk.bavail * disk.bsize,
    diskBytes: disk && disk.blocks * disk.bsize,
    clockAheadMs: await measureClock(pool),
  };
}

/**
 * Writes a row of this process now and every {@link HEARTBEAT_MS}, so that admins see which processes run and how they
 * are. A heartbeat that fails is left out: the next one has everything.
 */
export function startHeartbeat(platform: Process, service: 'server' | 'workers'): Heartbeat {
  const { log, pool } = platform;
  const id = randomUUID();
  const version = readVersion();
  const delays = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delays.enable();
  let beating: Promise<void> | undefined;

  async function write(): Promise<void> {
    const figures = await measureFigures(platform, delays);
    await pool.query({
      name: 'write_heartbeat',
      text: `WITH removed AS (
               DELETE FROM processes WHERE seen_at < now() - make_interval(mins => ${SILENT_ROW_MINUTES}))
             INSERT INTO processes (id, service, host, pid, version, started_at, seen_at, figures)
             VALUES ($1, $2, $3, $4, $5, now() - make_interval(secs => $6), now(), $7)
             ON CONFLICT (id) DO UPDATE SET seen_at = EXCLUDED.seen_at, figures = EXCLUDED.figures`,
      values: [
        id,
        service,
        hostname(),
        process.pid,
        version,
        process.uptime(),
        JSON.stringify(figures),
      ],
    });
  }

  const beat = () => {
    // Postgres may be slow to answer the one before.
    beating ??= write()
      .catch((error: Error) =>
        log.debug({ reason: error.message }, 'Heartbeat could not be written; retrying'),
      )
      .finally(() => {
        beating = undefined;
      });
  };
  beat();
  const timer = setInterval(beat, HEARTBEAT_MS);
  timer.unref();

  return {
    close: async () => {
      clearInterval(timer);
      delays.disable();
      const removed = Promise.resolve(beating).then(() =>
        pool.query('DELETE FROM processes WHERE id = $1', [id]),
      );
      await Promise.race([
        removed.catch(() => {}),
        sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
      ]);
    },
  };
}
