import type pg from 'pg';
import {
  type Database,
  DatabaseHangsError,
  type OpenDatabase,
  openDatabase,
} from '../../../prisma/client.ts';
import type { Env } from '../process/env.ts';
import { createLog, type Log } from '../process/log.ts';
import { createOutageWatch } from '../stores/outages.ts';
import { openQueues, type Queues } from '../stores/queues.ts';
import { connectRedis, type Redis } from '../stores/redis.ts';
import { createEventLog, type EventLog } from './event-log.ts';

/** What every process stands on, a server as well as a worker. One per process (or per test). */
export interface ProcessPlatform {
  env: Env;
  log: Log;
  db: Database;
  pool: pg.Pool;
  /** The database's state and what the pool cannot give. */
  database: Pick<OpenDatabase, 'state' | 'reason' | 'newClient'>;
  redis: Redis;
  eventLog: EventLog;
  /** The job queues, opened when first asked for. */
  queues(): Queues;
  close(): Promise<void>;
}

/** The longest statement of a server's, and of programs that clean up or fill a whole market. */
const STATEMENT_MAX_MS = { request: 30_000, batch: 10 * 60_000 };

/**
 * Opens the stores. Neither has to be there: Redis is connected to in the background where it does not
 * answer soon, and Postgres is first asked by the first query.
 * @throws SettingError when Redis refuses the credentials
 */
export async function createProcessPlatform(env: Env, service: string): Promise<ProcessPlatform> {
  const log = createLog(env, service);
  let outages: ReturnType<typeof createOutageWatch> | undefined;
  const database = openDatabase({
    connectionString: env.DATABASE_URL,
    directUrl: env.DIRECT_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    silenceMaxMs: env.DATABASE_SILENCE_MAX_MS,
    statementMaxMs: service === 'server' ? STATEMENT_MAX_MS.request : STATEMENT_MAX_MS.batch,
    onHang: (isHanging) => {
      if (isHanging) log.error('Postgres does not answer; requests get 503 until it does');
      else log.info('Postgres answers again');
      outages?.notePostgres();
    },
    onRefusal: () => outages?.notePostgres(),
  });
  const { pool, db } = database;
  // Without a listener a connection lost while idle would end the process.
  pool.on('error', (error) => {
    if (error instanceof DatabaseHangsError) return;
    log.warn({ reason: error.message }, 'A database connection was lost');
  });
  const redis = await connectRedis(env.REDIS_URL, log, env.REDIS_PREFIX);
  outages = createOutageWatch({ db, database, redis, log });
  const eventLog = createEventLog({ pool, redis, log, prefix: env.REDIS_PREFIX });
  await eventLog.start();
  let queues: Queues | undefined;
  return {
    env,
    log,
    db,
    pool,
    database,
    redis,
    eventLog,
    queues: () => {
      queues ??= openQueues({ redis, env, log });
      return queues;
    },
    close: async () => {
      outages?.close();
      await queues?.close();
      await eventLog.close();
      if (redis.isOpen) redis.destroy();
      await database.close();
    },
  };
}
