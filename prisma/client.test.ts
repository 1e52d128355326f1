import { expect, it } from 'vitest';
import { createTestDatabase, openTestDatabase } from '../server/testing/database.ts';

it('survives connections that Postgres ends while nobody listens to them', async () => {
  const database = await createTestDatabase();
  const [idle, other] = [1, 2].map(() => openTestDatabase(database.url, 2));
  if (!idle || !other) throw new Error('Two connections are needed');
  const pid = async () =>
    (await idle.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
  const end = async () => {
    const gone = new Promise((resolve) => idle.pool.once('remove', resolve));
    await other.pool.query('SELECT pg_terminate_backend($1)', [await pid()]);
    await gone;
  };
  await end();
  await idle.db.$disconnect();
  // Unheard, this error would fail the test as one of the process.
  await end();
  expect(await pid()).toBeGreaterThan(0);

  // Checked out of the pool, between two statements.
  const held = await idle.pool.connect();
  const { rows } = await held.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const lost = new Promise((resolve) => held.once('end', resolve));
  await other.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await lost;
  await expect(held.query('SELECT 1')).rejects.toThrow();
  held.release(true);
  await Promise.all([idle.close(), other.close()]);
  await database.drop();
});
