import { expect, test } from 'vitest';
import { createTestDatabase } from '../server/testing/database.ts';
import { openSchemaEngine } from './schema-engine.ts';

test('the migrations make exactly what the schema says, and are applied once', async () => {
  const database = await createTestDatabase();
  const engine = await openSchemaEngine(database.url);
  expect(await engine.applyMigrations()).toEqual([]);
  expect((await engine.difference()).trim()).toBe('-- This is an empty migration.');
  await database.drop();
});
