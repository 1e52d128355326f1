import pg from 'pg';
import type { MigrationMark } from '../../../prisma/replay-migrations.ts';
import { BackupError } from './manifest.ts';

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

/**
 * Tables that are not copied: which SQL sources were applied follows from the build that restores, and the processes
 * that run now are not those that run then.
 */
const NOT_COPIED = ['sql_sources', 'processes'];

/** Objects of the schema that an extension brought. */
const NOT_OF_EXTENSION = `NOT EXISTS (
  SELECT FROM pg_depend d WHERE d.classid = c.tableoid AND d.objid = c.oid AND d.deptype = 'e')`;

/** A table and its columns, those that Postgres derives left out. */
export interface Table {
  name: string;
  columns: string[];
}

/** Returns the tables that a backup copies, by name. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND ${NOT_OF_EXTENSION}
     GROUP BY c.relname ORDER BY c.relname COLLATE "C"`,
    [NOT_COPIED],
  );
  return rows;
}

/** Returns each sequence with the last number it gave. Read it after the rows, whose numbers are then below. */
export async function listSequences(
  client: pg.Client,
): Promise<{ name: string; last: string | null }[]> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
     WHERE schemaname = 'public' ORDER BY sequencename COLLATE "C"`,
  );
  return rows;
}

/** Returns the migrations that the database has, in order; undefined when it is not a market's. */
export async function listAppliedMigrations(
  client: pg.Client,
): Promise<MigrationMark[] | undefined> {
  const { rows: found } = await client.query(
    `SELECT WHERE to_regclass('public._prisma_migrations') IS NOT NULL
       AND to_regclass('public.event_log_head') IS NOT NULL`,
  );
  if (found.length === 0) return undefined;
  const { rows } = await client.query<MigrationMark>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  );
  return rows;
}

/** Removes every table, view, function and type of the schema, except what extensions brought. */
export async function dropEverything(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('DROP %s %s CASCADE', kind, object) AS statement FROM (
       SELECT 1 AS rank, CASE c.relkind WHEN 'v' THEN 'VIEW IF EXISTS' WHEN 'S' THEN 'SEQUENCE IF EXISTS'
                ELSE 'TABLE IF EXISTS' END AS kind, c.oid::regclass::text AS object
       FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S')
         AND ${NOT_OF_EXTENSION}
       UNION ALL
       SELECT 2, 'ROUTINE IF EXISTS', c.oid::regprocedure::text FROM pg_proc c
       WHERE c.pronamespace = 'public'::regnamespace AND ${NOT_OF_EXTENSION}
       UNION ALL
       SELECT 3, 'TYPE IF EXISTS', c.oid::regtype::text FROM pg_type c
       WHERE c.typnamespace = 'public'::regnamespace AND c.typtype IN ('e', 'd')
         AND ${NOT_OF_EXTENSION}
     ) objects ORDER BY rank`,
  );
  for (const { statement } of rows) await client.query(statement);
}

/**
 * Removes all foreign keys. @returns a function that makes them again, which checks every row. So rows can be loaded
 * in any order, and tables may refer to each other in circles.
 */
export async function dropForeignKeys(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ tableName: string; name: string; definition: string }>(
    `SELECT c.conrelid::regclass::text AS "tableName", quote_ident(c.conname) AS name,
            pg_get_constraintdef(c.oid) AS definition
     FROM pg_constraint c
     WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace ORDER BY 1, 2`,
  );
  for (const { tableName, name } of rows) {
    await client.query(`ALTER TABLE ${tableName} DROP CONSTRAINT ${name}`);
  }
  return async () => {
    for (const { tableName, name, definition } of rows) {
      await client.query(`ALTER TABLE ${tableName} ADD CONSTRAINT ${name} ${definition}`);
    }
  };
}
