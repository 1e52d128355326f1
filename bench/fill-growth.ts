import pg from 'pg';
import { createToken, type TestUser } from '../e2e/fill.ts';

/** The people whose pages are measured; each has a large share of the data. */
export interface MeasuredPeople {
  consumer: TestUser;
  farmer: TestUser;
  admin: TestUser;
  category: string;
}

const DAYS = 365;
const STATUSES = `ARRAY['completed','completed','completed','completed','completed','completed',
  'completed','completed','rejected','cancelled','accepted']::"OrderStatus"[]`;

/**
 * Fills an empty market with `size` products, orders of the last year (two lines each), messages and
 * notifications: 50 products per farm, 20 orders per customer. One customer has 1 % of the orders and
 * notifications, one farm 2 % of the orders, and the two 1 % of the messages, so that their pages of one
 * status are full at every size.
 */
export async function fillMarket(databaseUrl: string, size: number): Promise<MeasuredPeople> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const run = (text: string) => client.query(text);
  try {
    // Triggers are off; their columns are written directly or counted at the end.
    await run(`SET session_replication_role = replica`);
    await run(`SET synchronous_commit = off`);
    await run(`SET maintenance_work_mem = '512MB'`);
    await run(`SET work_mem = '256MB'`);
    const indexes = await dropIndexes(client);

    for (const [role, count] of [
      ['farmer', Math.max(20, size / 50)],
      ['consumer', Math.max(50, size / 20)],
      ['admin', 1],
    ] as const) {
      await run(`CREATE TEMP TABLE ${role}s AS
        SELECT nth, gen_random_uuid() AS id FROM generate_series(0, ${count - 1}) nth`);
      await run(`ALTER TABLE ${role}s ADD PRIMARY KEY (nth)`);
      await run(`
        INSERT INTO users (id, name, email, password_hash, role, phone, created_at)
        SELECT id, initcap('${role}') || ' ' || nth, '${role}' || nth || '@farmgate.test', 'none', '${role}'::"Role",
               '555', now() - interval '${DAYS} days' * nth / ${count}
        FROM ${role}s`);
    }
    // The name to search for; this customer has an average number of orders at every size.
    await run(`UPDATE users SET name = 'Rosalind Appleby'
      WHERE id = (SELECT id FROM consumers WHERE nth = 1)`);
    const farmers = Math.max(20, size / 50);
    const consumers = Math.max(50, size / 20);
    await run(`INSERT INTO farmer_profiles (user_id, farm_name, accepts_delivery)
      SELECT id, 'Farm ' || nth, true FROM farmers`);
    await run(`INSERT INTO farm_members (farm_id, user_id, role)
      SELECT id, id, 'owner' FROM farmers`);
    await run(`INSERT INTO categories (name, name_key)
      SELECT 'Category ' || n, 'category ' || n FROM generate_series(1, 8) n`);

    await run(`
      CREATE TEMP TABLE stock AS
      WITH kinds AS (SELECT array_agg(id) AS ids FROM categories)
      SELECT n, gen_random_uuid() AS id, farmers.id AS farmer_id, kinds.ids[1 + n % 8] AS category_id,
             CASE WHEN n = 1 THEN 'Medlars'
               ELSE (ARRAY['Carrots','Rhubarb','Honey','Eggs','Potatoes','Apples','Leeks','Kale'])[1 + n / 3 % 8]
               END || ' lot ' || n AS name,
             farmers.nth AS farm
      FROM generate_series(0, ${size - 1}) n JOIN farmers ON farmers.nth = n % ${farmers}, kinds`);
    await run(`
      INSERT INTO products (id, farmer_id, category_id, name, description, price_minor, unit,
        stock_milli, is_active, is_organic, search_text, name_text, created_at)
      SELECT id, farmer_id, category_id, name, 'Pulled this morning.', 100 + n::bigint * 7919 % 900, 'bunch',
             n % 200 * 1000, n % 20 <> 0, n % 3 = 0,
             search_form(name || ' Pulled this morning. Farm ' || farm
               || CASE WHEN farm = 7 THEN ' Putney VT 05346' ELSE ' Ashford VT 05001' END),
             search_words(name),
             now() - interval '${DAYS} days' * n / ${size}
      FROM stock`);
    // Besides the few words of the names, as many as a large market has.
    await run(`INSERT INTO search_words
      SELECT DISTINCT word FROM stock, unnest(string_to_array(btrim(search_words(name)), ' ')) word
        WHERE word ~ '^[^0-9]{3,40}$'
      UNION SELECT translate(md5(n::text), '0123456789', 'ghijklmnop') FROM generate_series(1, ${size} / 10) n`);
    await run('ALTER TABLE stock ADD PRIMARY KEY (n)');

    await run(`
      CREATE TEMP TABLE deals AS
      SELECT *, CASE
          WHEN n % 97 = 0 OR farmer = 0 AND n < 1000 AND n % 2 = 0 THEN 'pending'::"OrderStatus"
          ELSE (${STATUSES})[1 + n % 11] END AS status
      FROM (
        SELECT n, gen_random_uuid() AS id,
               now() - interval '${DAYS} days' * (n + 0.5) / ${size} AS created_at,
               CASE WHEN n % 100 = 0 OR n < 1000 AND n % 20 = 1 THEN 0 ELSE n * 31::bigint % ${consumers} END::int AS consumer,
               CASE WHEN n % 50 = 0 THEN 0 ELSE n * 17::bigint % ${farmers} END::int AS farmer
        FROM generate_series(0, ${size - 1}) n) drawn`);
    await run(`
      INSERT INTO orders (id, consumer_id, farmer_id, status, total_minor, is_pickup, date, time,
        pickup_location, version, created_at, updated_at)
      SELECT d.id, c.id, f.id, d.status, 1000, true, d.created_at::date + 1, '10:00', 'Farm gate',
             CASE d.status WHEN 'pending' THEN 1 ELSE 2 END, d.created_at, d.created_at
      FROM deals d JOIN consumers c ON c.nth = d.consumer JOIN farmers f ON f.nth = d.farmer`);
    await run(`
      INSERT INTO order_lines (order_id, position, product_id, name, unit, price_minor, quantity_milli)
      SELECT d.id, place, s.id, s.name, 'bunch', 250, 2000
      FROM deals d CROSS JOIN generate_series(0, 1) place
      JOIN stock s ON s.n = (d.farmer + place * ${farmers}) % ${size}`);
    await run(`
      INSERT INTO order_timeline (order_id, sequence, version, status, by_id, at)
      SELECT d.id, version, version, CASE version WHEN 1 THEN 'pending'::"OrderStatus" ELSE d.status END,
             CASE version WHEN 1 THEN c.id ELSE f.id END,
             d.created_at + (version - 1) * (d.n % 20) * interval '1 minute'
      FROM deals d JOIN consumers c ON c.nth = d.consumer JOIN farmers f ON f.nth = d.farmer
      CROSS JOIN generate_series(1, 2) version
      WHERE version = 1 OR d.status <> 'pending'`);

    await run(`
      INSERT INTO messages (id, sender_id, receiver_id, content, read_at, created_at)
      SELECT gen_random_uuid(),
             CASE n % 2 WHEN 0 THEN c.id ELSE f.id END, CASE n % 2 WHEN 0 THEN f.id ELSE c.id END,
             'Is there more of it on Saturday?', CASE WHEN n > 20 THEN now() END,
             now() - interval '${DAYS} days' * n / ${size}
      FROM (SELECT n, CASE WHEN n % 100 < 1 OR n < 4 THEN 0 ELSE n END AS pair
            FROM generate_series(0, ${size - 1}) n) talk
      JOIN consumers c ON c.nth = pair / 2 % ${consumers}
      JOIN farmers f ON f.nth = pair / 2 % ${farmers}`);
    await run(`
      WITH sides AS (
        SELECT sender_id AS user_id, receiver_id AS other_id, id, created_at FROM messages
        UNION ALL SELECT receiver_id, sender_id, id, created_at FROM messages)
      INSERT INTO conversations (user_id, other_id, last_message_id, last_message_at)
      SELECT DISTINCT ON (user_id, other_id) user_id, other_id, id, created_at
      FROM sides ORDER BY user_id, other_id, created_at DESC`);
    await run(`
      INSERT INTO notifications (user_id, kind, params, link, key, read_at, created_at)
      SELECT c.id, 'order.statusChanged', jsonb_build_object(
               'order', gen_random_uuid(), 'status', 'rejected',
               'farm', jsonb_build_object('_id', f.id)), '/orders', 'n' || n,
             CASE WHEN n > ${size / 20} THEN now() END, now() - interval '${DAYS} days' * n / ${size}
      FROM generate_series(0, ${size - 1}) n
      JOIN consumers c ON c.nth = CASE WHEN n % 100 = 0 THEN 0 ELSE n % ${consumers} END
      JOIN farmers f ON f.nth = n % ${farmers}`);

    for (const index of indexes) await run(index);
    await run('SELECT recount_totals()');
    await run('VACUUM ANALYZE');
    const idOf = async (text: string) =>
      (await client.query<{ id: string }>(text)).rows[0]?.id ?? '';
    const someone = async (role: string): Promise<TestUser> => {
      const id = await idOf(`SELECT id FROM ${role}s WHERE nth = 0`);
      await run(`INSERT INTO sessions (id, user_id, expires_at)
        VALUES ('${id}', '${id}', now() + interval '1 day')`);
      return { id, token: await createToken(id) };
    };
    return {
      consumer: await someone('consumer'),
      farmer: await someone('farmer'),
      admin: await someone('admin'),
      category: await idOf('SELECT id FROM categories ORDER BY name LIMIT 1'),
    };
  } finally {
    await client.end();
  }
}

/** Many rows come faster without indexes. @returns the statements that make them again */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE tablename IN ('orders', 'order_lines', 'order_timeline', 'products', 'messages',
      'notifications', 'users', 'farmer_profiles') AND indexdef NOT LIKE '%UNIQUE%'`);
  for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
  return rows.map(({ definition }) => definition);
}
