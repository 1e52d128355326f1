import type pg from 'pg';
import type { Log } from '../../server/platform/process/log.ts';

const LOCK = 'SELECT pg_try_advisory_lock(hashtextextended($1, 1)) AS yes';
const UNLOCK = 'SELECT pg_advisory_unlock(hashtextextended($1, 1)) AS yes';

export type Exclusive = ReturnType<typeof createExclusive>;

/**
 * Creates advisory locks that share one connection to Postgres: when a process dies, its locks are
 * released at once, without a lease that has to expire.
 */
export function createExclusive(options: { newClient: () => pg.Client; log: Log }) {
  const held = new Set<string>();
  let connecting: Promise<pg.Client> | undefined;
  let lastQuery: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<pg.Client> {
    const client = options.newClient();
    const discard = () => {
      connecting = undefined;
    };
    client.on('error', (error) => {
      discard();
      options.log.warn({ reason: error.message }, 'Lock connection lost; will reconnect');
    });
    client.on('end', discard);
    await client.connect();
    return client;
  }

  function connection(): Promise<pg.Client> {
    connecting ??= connect().catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  }

  /** Runs queries one after the other, because they share a connection. */
  function query(statement: string, name: string): Promise<boolean> {
    const result = lastQuery.then(async () => {
      const client = await connection();
      const { rows } = await client.query<{ yes: boolean }>(statement, [name]);
      return rows[0]?.yes === true;
    });
    lastQuery = result.catch(() => {});
    return result;
  }

  /** Runs `work` while holding the lock. @returns false when another process holds it */
  async function run(name: string, work: () => Promise<void>): Promise<boolean> {
    if (held.has(name)) return false;
    held.add(name);
    try {
      if (!(await query(LOCK, name))) return false;
      try {
        await work();
        return true;
      } finally {
        // A lost connection has already released its locks.
        await query(UNLOCK, name).catch(() => {});
      }
    } finally {
      held.delete(name);
    }
  }

  async function close(): Promise<void> {
    await connecting?.then((client) => client.end()).catch(() => {});
  }

  return { run, close };
}
