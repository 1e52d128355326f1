import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../server/testing/database.ts';
import { applySqlSources, readSqlSources } from './sql-sources.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Every object of our own, as Postgres would write it, without what extensions brought. */
async function objectsInDatabase(): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    SELECT 'function ' || p.proname AS name, pg_get_functiondef(p.oid) AS definition
    FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    UNION ALL
    SELECT 'trigger ' || t.tgname, pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE NOT t.tgisinternal
    UNION ALL
    SELECT 'check ' || c.conname, pg_get_constraintdef(c.oid) FROM pg_constraint c
    WHERE c.contype = 'c' AND c.connamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'statistics ' || s.stxname, pg_get_statisticsobjdef(s.oid) FROM pg_statistic_ext s
    UNION ALL
    SELECT 'index ' || i.indexname, i.indexdef FROM pg_indexes i
    WHERE i.schemaname = 'public' AND i.indexdef ~ '(search|phone)_form'
    UNION ALL
    SELECT 'view ' || v.viewname, v.definition FROM pg_views v
    WHERE v.schemaname = 'public' AND v.viewname !~ '^pg_'`);
  return Object.fromEntries(rows.map(({ name, definition }) => [name, definition]));
}

const KINDS: [kind: string, pattern: RegExp][] = [
  ['function', /CREATE OR REPLACE FUNCTION (\w+)/g],
  ['trigger', /CREATE OR REPLACE TRIGGER "(\w+)"/g],
  ['check', /ADD CONSTRAINT "(\w+)" CHECK/g],
  ['statistics', /CREATE STATISTICS IF NOT EXISTS "(\w+)"/g],
  ['index', /CREATE INDEX "(\w+)"/g],
  ['view', /CREATE OR REPLACE VIEW "(\w+)"/g],
];

const objectsInFiles = async (): Promise<string[]> =>
  (await readSqlSources()).flatMap(({ sql }) =>
    KINDS.flatMap(([kind, pattern]) =>
      [...sql.matchAll(pattern)].map(([, name]) => `${kind} ${name}`),
    ),
  );

describe('SQL sources', () => {
  it('are all that a migrated database holds of functions and their indexes, triggers, checks and views', async () => {
    const inFiles = await objectsInFiles();
    expect(new Set(inFiles).size).toBe(inFiles.length);
    expect(Object.keys(await objectsInDatabase()).sort()).toEqual(inFiles.sort());
  });

  it('are nowhere in the migrations', async () => {
    const migrations = (await readdir('prisma/migrations', { withFileTypes: true })).filter(
      (entry) => entry.isDirectory(),
    );
    expect(migrations.length).toBeGreaterThan(0);
    for (const { name } of migrations) {
      const sql = await readFile(`prisma/migrations/${name}/migration.sql`, 'utf8');
      expect(sql, name).not.toMatch(
        /CREATE (OR REPLACE )?(FUNCTION|PROCEDURE|TRIGGER|VIEW|STATISTICS)|\bCHECK\s*\(/i,
      );
    }
  });

  it('are not applied again while they are unchanged', async () => {
    expect(await applySqlSources(client)).toEqual([]);
  });

  it('repair whatever somebody changed by hand once their content is applied again', async () => {
    const before = await objectsInDatabase();
    await client.query(`
      CREATE OR REPLACE FUNCTION totals_slot() RETURNS smallint LANGUAGE sql STABLE AS 'SELECT 0::smallint';
      ALTER TABLE products DROP CONSTRAINT products_price_positive;
      DROP TRIGGER users_count_changed ON users;
      UPDATE sql_sources SET hash = ''`);
    expect(await objectsInDatabase()).not.toEqual(before);
    const names = (await readSqlSources()).map(({ name }) => name);
    expect(await applySqlSources(client)).toEqual(names);
    expect(await objectsInDatabase()).toEqual(before);
  });

  it('leave the database as it was when one of them fails', async () => {
    const before = await objectsInDatabase();
    // A row that a check refuses makes `checks` fail after other files ran.
    await client.query(`
      ALTER TABLE event_log_head DROP CONSTRAINT event_log_head_single;
      INSERT INTO event_log_head (id, seq) VALUES (2, 0);
      UPDATE sql_sources SET hash = ''`);
    await expect(applySqlSources(client)).rejects.toThrow(/event_log_head_single/);
    const { rows } = await client.query("SELECT 1 FROM sql_sources WHERE hash <> ''");
    expect(rows).toEqual([]);
    await client.query('DELETE FROM event_log_head WHERE id = 2');
    await applySqlSources(client);
    expect(await objectsInDatabase()).toEqual(before);
  });

  it('may be applied by several processes at once', async () => {
    await client.query("UPDATE sql_sources SET hash = ''");
    const others = await Promise.all(
      [1, 2, 3].map(async () => {
        const other = new pg.Client({ connectionString: database.url });
        await other.connect();
        return other;
      }),
    );
    const counts = await Promise.all(
      others.map(async (other) => (await applySqlSources(other)).length),
    );
    await Promise.all(others.map((other) => other.end()));
    expect(counts.sort((a, b) => a - b)).toEqual([0, 0, (await readSqlSources()).length]);
  });
});
