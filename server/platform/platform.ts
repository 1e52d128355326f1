import type pg from 'pg';
import { type Database, openDatabase } from '../../prisma/client.ts';
import type { Env } from './env.ts';
import { createEventLog, type EventLog } from './event-log.ts';
import { createLog, type Log } from './log.ts';
import { createPublicReads, type PublicReads } from './public-reads.ts';
import { openQueues, type Queues } from './queues.ts';
import { createRateLimits, type RateLimits } from './rate-limit.ts';
import { connectRedis, type Redis } from './redis.ts';
import { createSessions, type Sessions } from './sessions.ts';

/** What every service stands on. One per process (or per test). */
export interface Platform {
  env: Env;
  log: Log;
  db: Database;
  pool: pg.Pool;
  redis: Redis;
  eventLog: EventLog;
  sessions: Sessions;
  rateLimits: RateLimits;
  /** The job queues, opened when first asked for. */
  queues(): Queues;
  publicReads: PublicReads;
  close(): Promise<void>;
}

/**
 * Opens the stores.
 * @throws when Redis cannot be reached; Postgres is first asked by the first query
 */
export async function createPlatform(env: Env, service: string): Promise<Platform> {
  const log = createLog(env, service);
  const {
    pool,
    db,
    close: closeDatabase,
  } = openDatabase({
    connectionString: env.DATABASE_URL,
    poolSize: env.DATABASE_POOL_SIZE,
  });
  // Without a listener a connection lost while idle would end the process.
  pool.on('error', (error) =>
    log.warn({ reason: error.message }, 'A database connection was lost'),
  );
  const redis = await connectRedis(env.REDIS_URL, log);
  const eventLog = createEventLog({ pool, redis, log, prefix: env.REDIS_PREFIX });
  await eventLog.start();
  let queues: Queues | undefined;
  const publicReads = createPublicReads(eventLog);
  return {
    env,
    log,
    db,
    pool,
    redis,
    eventLog,
    sessions: createSessions({ db, secret: env.JWT_SECRET }),
    rateLimits: createRateLimits({ redis, scale: env.RATE_LIMIT_SCALE, prefix: env.REDIS_PREFIX }),
    publicReads,
    queues: () => {
      queues ??= openQueues({ redis, env, log });
      return queues;
    },
    close: async () => {
      await queues?.close();
      await publicReads.close();
      await eventLog.close();
      if (redis.isOpen) redis.destroy();
      await closeDatabase();
    },
  };
}
