import { setTimeout as sleep } from 'node:timers/promises';
import { clockMs } from '#contract/platform/time/constants';
import type { Database, OpenDatabase, Transaction } from '../../../prisma/client.ts';
import { record } from '../events/event-log.ts';
import type { Log } from '../process/log.ts';
import { retryWhileAway, transact } from './postgres.ts';
import type { Redis } from './redis.ts';

declare module '../events/event.ts' {
  interface InternalEvents {
    /** A store failed the market, or does so no longer: admins are to be notified. */
    'store.outage': StoreOutage;
  }
}

/** An outage of a store. Of Postgres nothing can be recorded before it is over. */
export interface StoreOutage {
  store: 'postgres' | 'redis';
  /** ISO instants; `until` is null while it goes on. */
  since: string;
  until: string | null;
  /** The store's own words, where there are any. */
  reason: string | null;
}

/** How often a store that fails is looked at again, in milliseconds. */
const LOOK_AGAIN_MS = 1000;
/** How often it is looked how Redis is, in milliseconds. */
const REDIS_LOOK_MS = 5000;
/** From when on admins learn of it, in milliseconds: a refusal passes less often by itself than an absence. */
const REDIS_BAD_MS = { refusing: 10_000, away: 60_000 };

interface Stores {
  db: Database;
  database: Pick<OpenDatabase, 'state' | 'reason'>;
  redis: Pick<Redis, 'refusal' | 'isAnswering'>;
  log: Log;
}

/**
 * Follows outages of the stores in this process. Every process sees them; admins are notified once, by the first that
 * writes an outage into its row.
 */
export function createOutageWatch({ db, database, redis, log }: Stores) {
  let isClosed = false;
  let isWatching = false;

  async function watchPostgres(): Promise<void> {
    const since = new Date(clockMs());
    // One connection may end without the server being away.
    if ((await database.state()) === 'ready') return;
    const reason = database.reason() ?? null;
    log.error({ reason }, 'Postgres cannot do its work; requests that need it get 503');
    while ((await database.state()) !== 'ready') {
      if (isClosed) return;
      await sleep(LOOK_AGAIN_MS, undefined, { ref: false });
    }
    log.info('Postgres is at work again');
    await retryWhileAway(() => transact(db, (tx) => recordPostgres(tx, since, reason)));
  }

  let redisBadSince: Date | undefined;
  /** Undefined until a look: a process that is gone may have recorded one that is over. */
  let isRedisRecorded: boolean | undefined;

  async function lookAtRedis(): Promise<void> {
    const refusal = redis.refusal();
    if (refusal === undefined && redis.isAnswering()) {
      redisBadSince = undefined;
      if (isRedisRecorded !== false) await transact(db, recordRedisOver);
      isRedisRecorded = false;
      return;
    }
    redisBadSince ??= new Date(clockMs());
    const since = redisBadSince;
    const limitMs = refusal ? REDIS_BAD_MS.refusing : REDIS_BAD_MS.away;
    if (isRedisRecorded || clockMs() - since.getTime() < limitMs) return;
    await transact(db, (tx) => recordRedis(tx, since, refusal ?? null));
    isRedisRecorded = true;
  }

  const redisTimer = setInterval(() => {
    // Postgres may be away too: the next look says the same.
    lookAtRedis().catch((error: Error) =>
      log.debug({ reason: error.message }, 'An outage of Redis was not recorded; will retry'),
    );
  }, REDIS_LOOK_MS);
  redisTimer.unref();

  return {
    /** Has Postgres looked at, since something has failed. Returns at once. */
    notePostgres(): void {
      if (isClosed || isWatching) return;
      isWatching = true;
      watchPostgres()
        .catch((error: Error) => log.warn({ reason: error.message }, 'An outage was not recorded'))
        .finally(() => {
          isWatching = false;
        });
    },
    close(): void {
      isClosed = true;
      clearInterval(redisTimer);
    },
  };
}

type Row = { since: Date; until: Date | null };

async function recordPostgres(tx: Transaction, since: Date, reason: string | null): Promise<void> {
  // Whatever another process saw of the same outage ended after this one saw it begin.
  const rows = await tx.$queryRaw<Row[]>`
    INSERT INTO outages (store, since, until) VALUES ('postgres', ${since}, now())
    ON CONFLICT (store) DO UPDATE SET since = EXCLUDED.since, until = EXCLUDED.until
    WHERE outages.until < EXCLUDED.since
    RETURNING since, until`;
  await announce(tx, 'postgres', rows, reason);
}

async function recordRedis(tx: Transaction, since: Date, reason: string | null): Promise<void> {
  const rows = await tx.$queryRaw<Row[]>`
    INSERT INTO outages (store, since) VALUES ('redis', ${since})
    ON CONFLICT (store) DO UPDATE SET since = EXCLUDED.since, until = NULL
    WHERE outages.until IS NOT NULL
    RETURNING since, until`;
  await announce(tx, 'redis', rows, reason);
}

async function recordRedisOver(tx: Transaction): Promise<void> {
  const rows = await tx.$queryRaw<Row[]>`
    UPDATE outages SET until = now() WHERE store = 'redis' AND until IS NULL
    RETURNING since, until`;
  await announce(tx, 'redis', rows, null);
}

/** Records the row that this process was the first to write; there is none when another one was. */
async function announce(
  tx: Transaction,
  store: StoreOutage['store'],
  [row]: readonly Row[],
  reason: string | null,
): Promise<void> {
  if (!row) return;
  const [since, until] = [row.since.toISOString(), row.until?.toISOString() ?? null];
  await record(tx, { name: 'store.outage', data: { store, since, until, reason }, rooms: [] });
}
