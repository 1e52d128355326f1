import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';

const DIRECTORY = path.resolve('prisma/sql');
/** Names the advisory lock that keeps two processes from applying the files at once. */
const LOCK_ID = 47_110_002;

export interface SqlSource {
  name: string;
  sql: string;
}

/** Reads the files of `prisma/sql`, ordered by name. */
export async function readSqlSources(): Promise<SqlSource[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({
      name: name.replace(/\.sql$/, ''),
      sql: await readFile(path.join(DIRECTORY, name), 'utf8'),
    })),
  );
}

const hashOf = (sql: string): string => createHash('sha256').update(sql).digest('base64url');

/**
 * Runs every file of `prisma/sql` that changed since it was last applied to this database, all in one
 * transaction. Call it after the migrations, which make the tables that the files refer to.
 * @returns the names of the files that ran
 */
export async function applySqlSources(client: pg.Client): Promise<string[]> {
  await client.query('BEGIN');
  try {
    const names = await applySqlSourcesIn(client);
    await client.query('COMMIT');
    return names;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Does what {@link applySqlSources} does within the open transaction of `client`. */
export async function applySqlSourcesIn(client: pg.Client): Promise<string[]> {
  const sources = await readSqlSources();
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_ID]);
  const { rows } = await client.query<{ name: string; hash: string }>(
    'SELECT name, hash FROM sql_sources',
  );
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const changed = sources.filter(({ name, sql }) => applied.get(name) !== hashOf(sql));
  // The files may call each other's functions, whatever their order.
  await client.query('SET LOCAL check_function_bodies = off');
  for (const { name, sql } of changed) {
    await client.query(sql);
    await client.query(
      `INSERT INTO sql_sources (name, hash) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET hash = EXCLUDED.hash, applied_at = now()`,
      [name, hashOf(sql)],
    );
  }
  await client.query('DELETE FROM sql_sources WHERE name <> ALL ($1)', [
    sources.map(({ name }) => name),
  ]);
  return changed.map(({ name }) => name);
}
