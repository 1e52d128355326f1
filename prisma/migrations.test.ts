import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../server/testing/database.ts';
import { followCollation } from './migrate-database.ts';
import { openSchemaEngine } from './schema-engine.ts';

test('the migrations make exactly what the schema says, and are applied once', async () => {
  const database = await createTestDatabase();
  const engine = await openSchemaEngine(database.url);
  expect(await engine.applyMigrations()).toEqual([]);
  expect((await engine.difference()).trim()).toBe('-- This is an empty migration.');
  await database.drop();
});

test('indexes of names are made again once Postgres comes with another ICU', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const read = async () => {
    const { rows } = await client.query<{ isCurrent: boolean; file: number }>(`
      SELECT collversion = pg_collation_actual_version(oid) AS "isCurrent",
        pg_relation_filenode('users_name_id_idx') AS file
      FROM pg_collation WHERE collname = 'by_name' AND collprovider = 'i'`);
    return rows[0];
  };
  const before = await read();
  expect(before?.isCurrent).toBe(true);
  await followCollation(client);
  expect(await read()).toEqual(before);
  await client.query("UPDATE pg_collation SET collversion = '0' WHERE collname = 'by_name'");
  await followCollation(client);
  const after = await read();
  expect(after?.isCurrent).toBe(true);
  expect(after?.file).not.toBe(before?.file);
  await client.end();
  await database.drop();
});
