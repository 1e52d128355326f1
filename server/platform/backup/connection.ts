import pg from 'pg';
import { BackupError } from './failure.ts';

/** Names the advisory lock that a backup or restore holds on its database. */
const LOCK_ID = 47_110_003;
const CONNECT_TIMEOUT_MS = 15_000;

/**
 * Opens a connection for a backup or restore, without time limits for its statements. `close` ends it, whatever it
 * is doing, so that Postgres rolls back what is not committed; so does `signal`.
 */
export async function openConnection(connectionString: string, signal?: AbortSignal) {
  const client = new pg.Client({
    connectionString,
    application_name: 'farmgate backup',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  });
  // A lost connection fails the query that runs; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  const onAbort = () => client.connection.stream.destroy(new BackupError('Interrupted.'));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  return {
    client,
    close: async ({ isBroken = false } = {}) => {
      signal?.removeEventListener('abort', onAbort);
      // After a failure the connection may be in the middle of a copy, where a polite end waits for ever.
      if (isBroken) client.connection.stream.destroy();
      else await client.end();
    },
  };
}

/** Locks the database for this connection. @throws BackupError when another backup or restore of it runs */
export async function lockDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isLocked: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS "isLocked"',
    [LOCK_ID],
  );
  if (rows[0]?.isLocked) return;
  throw new BackupError('Another backup or restore of this market is running. Wait until it ends.');
}
