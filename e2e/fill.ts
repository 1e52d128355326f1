import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import pg from 'pg';
import { SECRET } from './stack.ts';

/** A user created directly in the database, with a token. */
export interface TestUser {
  id: string;
  token: string;
}

export async function withDatabase<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates a token like a sign-in does, of the session that has the user's id. */
export const createToken = (id: string): Promise<string> =>
  new SignJWT({ v: 1, sid: id })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(id)
    .setIssuedAt()
    .setExpirationTime('1d')
    .sign(new TextEncoder().encode(SECRET));

/** Creates users of a role. */
export async function createUsers(
  databaseUrl: string,
  role: 'consumer' | 'farmer' | 'admin',
  count: number,
): Promise<TestUser[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await withDatabase(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO users (id, name, email, password_hash, role, phone)
       SELECT id, initcap($2) || ' ' || n, left(id::text, 13) || '@farmgate.test', 'none', $2::"Role", '555'
       FROM unnest($1::uuid[]) WITH ORDINALITY AS people(id, n)`,
      [ids, role],
    );
    await client.query(
      `INSERT INTO sessions (id, user_id, expires_at)
       SELECT id, id, now() + interval '1 day' FROM unnest($1::uuid[]) AS people(id)`,
      [ids],
    );
    if (role === 'farmer') {
      await client.query(
        `INSERT INTO farmer_profiles (user_id, farm_name, description, accepts_delivery)
         SELECT id, 'Farm ' || n, 'A farm.', true
         FROM unnest($1::uuid[]) WITH ORDINALITY AS people(id, n)`,
        [ids],
      );
      await client.query(
        `INSERT INTO farm_members (farm_id, user_id, role)
         SELECT id, id, 'owner' FROM unnest($1::uuid[]) AS people(id)`,
        [ids],
      );
    }
  });
  return Promise.all(ids.map(async (id) => ({ id, token: await createToken(id) })));
}

/** Creates a place without hours for each farmer, with one slot in a week. @returns the slots' ids */
export async function createSlots(
  databaseUrl: string,
  farmers: readonly TestUser[],
): Promise<string[]> {
  const ids = farmers.map(() => randomUUID());
  await withDatabase(databaseUrl, (client) =>
    client.query(
      `WITH farm AS (
         SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS each (farm_id, slot_id)
       ), place AS (
         INSERT INTO places (farm_id, name, street, city)
         SELECT farm_id, 'Gate', '1 Mill Lane', 'Ashford' FROM farm RETURNING id, farm_id
       )
       INSERT INTO slots (id, farm_id, place_id, date, from_time, to_time, starts_at, ends_at, capacity)
       SELECT slot_id, farm_id, place.id, day, '10:00', '11:00', day + interval '10 hours',
         day + interval '11 hours', NULL::int
       FROM farm JOIN place USING (farm_id), (SELECT current_date + 7 AS day) AS week`,
      [farmers.map(({ id }) => id), ids],
    ),
  );
  return ids;
}

/** Creates products for each farmer. */
export async function createProducts(
  databaseUrl: string,
  farmers: readonly TestUser[],
  perFarmer: number,
): Promise<{ id: string; farmer: string }[]> {
  return withDatabase(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO categories (id, name, name_key, icon)
       SELECT gen_random_uuid(), 'Category ' || n, 'category ' || n, '🥕' FROM generate_series(1, 6) n
       ON CONFLICT DO NOTHING`,
    );
    const { rows } = await client.query<{ id: string; farmer: string }>(
      `WITH kinds AS (SELECT array_agg(id) AS ids FROM categories)
       INSERT INTO products (farmer_id, category_id, name, description, price_minor, unit,
                             stock_milli, images, is_organic, created_at)
       SELECT farmer, kinds.ids[1 + n % array_length(kinds.ids, 1)], 'Carrots ' || n,
              'Pulled this morning, sweet and crunchy, with their greens still on. Lot ' || n || '.',
              150 + n % 700, (enum_range(NULL::"Unit"))[1 + n % 10], 1000000 * 1000,
              ARRAY['https://pictures.farmgate.test/' || n || '.webp'], n % 3 = 0,
              now() - n * interval '1 minute'
       FROM unnest($1::uuid[]) farmer, generate_series(1, $2) n, kinds
       RETURNING id, farmer_id AS farmer`,
      [farmers.map(({ id }) => id), perFarmer],
    );
    return rows;
  });
}

/** Creates pending orders of one consumer with one farmer, one line each. @returns their ids */
export async function createOrders(
  databaseUrl: string,
  consumer: TestUser,
  product: { id: string; farmer: string },
  count: number,
): Promise<string[]> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `WITH placed AS (
         INSERT INTO orders (consumer_id, farmer_id, total_minor, is_pickup, date, time, pickup_location)
         SELECT $1, $2, 500, true, current_date + 1, '10:00', 'Farm gate' FROM generate_series(1, $4)
         RETURNING id),
       lines AS (
         INSERT INTO order_lines (order_id, position, product_id, name, unit, price_minor, quantity_milli)
         SELECT placed.id, 0, products.id, 'Carrots', products.unit, 250, 2000
         FROM placed JOIN products ON products.id = $3),
       timeline AS (
         INSERT INTO order_timeline (order_id, sequence, version, status, by_id)
         SELECT id, 1, 1, 'pending', $1 FROM placed)
       SELECT id FROM placed`,
      [consumer.id, product.farmer, product.id, count],
    );
    return rows.map(({ id }) => id);
  });
}
