import pg from 'pg';
import type { Log } from '../server/platform/log.ts';

const HOLD = 'SELECT pg_try_advisory_lock(hashtextextended($1, 1)) AS yes';
const LET_GO = 'SELECT pg_advisory_unlock(hashtextextended($1, 1)) AS yes';

export type Exclusive = ReturnType<typeof createExclusive>;

/**
 * Names held by one process at a time, on one connection to Postgres for all of them: a process that
 * dies lets go at once, without anyone waiting for a lease to run out.
 */
export function createExclusive(options: { connectionString: string; log: Log }) {
  const held = new Set<string>();
  let connecting: Promise<pg.Client> | undefined;
  let lastQuery: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: options.connectionString,
      keepAlive: true,
      connectionTimeoutMillis: 15_000,
    });
    const forget = () => {
      connecting = undefined;
    };
    client.on('error', (error) => {
      forget();
      options.log.warn({ reason: error.message }, 'The connection that holds names was lost');
    });
    client.on('end', forget);
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

  /** One query after the other, as a single connection wants it. */
  function ask(query: string, name: string): Promise<boolean> {
    const asking = lastQuery.then(async () => {
      const client = await connection();
      const { rows } = await client.query<{ yes: boolean }>(query, [name]);
      return rows[0]?.yes === true;
    });
    lastQuery = asking.catch(() => {});
    return asking;
  }

  /** Runs `work` while holding the name. @returns whether it ran: not while another one holds it */
  async function run(name: string, work: () => Promise<void>): Promise<boolean> {
    if (held.has(name)) return false;
    held.add(name);
    try {
      if (!(await ask(HOLD, name))) return false;
      try {
        await work();
        return true;
      } finally {
        // A connection that is gone has let go already.
        await ask(LET_GO, name).catch(() => {});
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
