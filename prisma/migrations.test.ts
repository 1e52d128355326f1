import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../server/testing/database.ts';
import { knownMigrations } from './database-state.ts';
import { followCollation } from './migrate-database.ts';
import { createMigrationsTable, replayMigrations } from './replay-migrations.ts';
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

test('stock alerts become favorites that wait, and what is back in stock has returned', async () => {
  const database = await createTestDatabase('template1');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const all = knownMigrations();
  const at = all.indexOf('20261129120000_follows');
  await createMigrationsTable(client);
  await replayMigrations(client, all.slice(0, at));
  const insert = async (sql: string) => (await client.query<{ id: string }>(sql)).rows[0]?.id;
  const user = (role: string) =>
    insert(`INSERT INTO users (name, email, password_hash, role)
      VALUES ('Ann', '${role}@farmgate.test', '-', '${role}') RETURNING id`);
  const [farmer, consumer] = [await user('farmer'), await user('consumer')];
  const product = (stockMilli: number) =>
    insert(`INSERT INTO products (farmer_id, name, description, price_minor, unit, stock_milli, updated_at)
      VALUES ('${farmer}', 'Kale', '', 100, 'bunch', ${stockMilli}, now()) RETURNING id`);
  const [soldOut, back] = [await product(999), await product(1000)];
  await product(1000);
  await client.query(`INSERT INTO stock_alerts (user_id, product_id, created_at)
    VALUES ('${consumer}', '${soldOut}', '2026-11-01'), ('${consumer}', '${back}', '2026-11-02')`);
  await replayMigrations(client, all.slice(at, at + 1));
  const { rows: follows } = await client.query(
    'SELECT user_id, product_id, state, since::date::text FROM follows ORDER BY since',
  );
  expect(follows).toEqual([
    { user_id: consumer, product_id: soldOut, state: 'waiting', since: '2026-11-01' },
    { user_id: consumer, product_id: back, state: 'waiting', since: '2026-11-02' },
  ]);
  const { rows: returned } = await client.query(
    'SELECT id FROM products WHERE restock_at IS NOT NULL',
  );
  expect(returned).toEqual([{ id: back }]);
  await client.end();
  await database.drop();
});
