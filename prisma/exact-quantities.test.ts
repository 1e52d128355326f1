import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../server/testing/database.ts';

const MIGRATION = new URL(
  'migrations/20261209000200_exact_quantities/migration.sql',
  import.meta.url,
);

/** Makes the columns as they were before the migration. */
const BEFORE = `
  ALTER TABLE products RENAME COLUMN stock_milli TO quantity_available;
  ALTER TABLE products ALTER COLUMN quantity_available TYPE INTEGER USING quantity_available / 1000;
  ALTER TABLE order_lines RENAME COLUMN quantity_milli TO quantity;
  ALTER TABLE order_lines ALTER COLUMN quantity TYPE INTEGER USING quantity / 1000`;

test('stocks and ordered quantities of whole units become thousandths, the largest too', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(BEFORE);
  await client.query(`
    WITH farmer AS (
      INSERT INTO users (id, name, email, password_hash, role)
      VALUES (gen_random_uuid(), 'Fern', 'fern@farmgate.test', '', 'farmer') RETURNING id
    ), consumer AS (
      INSERT INTO users (id, name, email, password_hash, role)
      VALUES (gen_random_uuid(), 'Cleo', 'cleo@farmgate.test', '', 'consumer') RETURNING id
    ), stocked AS (
      INSERT INTO products (farmer_id, name, description, price_minor, unit, quantity_available)
      SELECT id, 'Leeks', 'Long.', 250, 'kg', quantity
      FROM farmer, unnest(ARRAY[0, 7, 1000000, 2147483]) quantity
    ), placed AS (
      INSERT INTO orders (consumer_id, farmer_id, total_minor, is_pickup, date, time)
      SELECT consumer.id, farmer.id, 500, true, current_date, '10:00' FROM consumer, farmer RETURNING id
    )
    INSERT INTO order_lines (order_id, position, name, unit, price_minor, quantity)
    SELECT id, position, 'Leeks', 'kg', 250, quantity
    FROM placed, unnest(ARRAY[2, 1000000]) WITH ORDINALITY AS line (quantity, position)`);

  await client.query(await readFile(MIGRATION, 'utf8'));
  const { rows: products } = await client.query('SELECT stock_milli FROM products ORDER BY 1');
  expect(products.map((row) => row.stock_milli)).toEqual(['0', '7000', '1000000000', '2147483000']);
  const { rows: lines } = await client.query('SELECT quantity_milli FROM order_lines ORDER BY 1');
  expect(lines.map((row) => row.quantity_milli)).toEqual([2000, 1_000_000_000]);
  await client.end();
  await database.drop();
});
