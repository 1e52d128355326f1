import { describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin', 'Root');
const category = await makeCategory(market.platform);

const remove = (id: string, as: Caller | undefined = admin) => market.delete(`/users/${id}`, as);

const sell = (farmer: Caller, over?: Record<string, unknown>) =>
  sellProduct(market, farmer, category, over);

async function order(consumer: Caller, farmer: Caller, product: string, quantity = 3) {
  const { status, body } = await market.post(
    '/orders',
    consumer,
    orderInput(farmer.id, [{ product, quantity }]),
  );
  expect(status).toBe(201);
  return body.data._id as string;
}

const readOrder = async (id: string, as: Caller = admin) =>
  (await market.get(`/orders/${id}`, as)).body.data;

describe("changing one's own profile", () => {
  it('updates the given fields and keeps the others, also within the address', async () => {
    const consumer = await market.join('consumer', 'Old Name');
    const { status, body } = await market.put('/users/profile', consumer, {
      name: ' New Name ',
      address: { city: 'Bakewell' },
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      _id: consumer.id,
      name: 'New Name',
      email: consumer.email,
      phone: '555-0100',
      address: { street: '1 Mill Lane', city: 'Bakewell', state: 'VT', zipCode: '05001' },
    });
    const me = await market.get('/auth/me', consumer);
    expect(me.body.user).toEqual(body.data);
  });

  it('never changes email, role or id', async () => {
    const consumer = await market.join('consumer');
    const { body } = await market.put('/users/profile', consumer, {
      name: 'Sly',
      email: 'admin@farmgate.test',
      role: 'admin',
      _id: admin.id,
    });
    expect(body.data).toMatchObject({ _id: consumer.id, email: consumer.email, role: 'consumer' });
  });

  it('publishes an event to everyone when a farmer changes', async () => {
    const farmer = await market.join('farmer');
    const visitor = await market.connect();
    const received: string[] = [];
    visitor.on('farmer.updated', ({ data }) => received.push(data._id));
    await market.put('/users/profile', farmer, { name: 'Fern' });
    await until(() => received.includes(farmer.id));
  });

  it('rejects a missing session, an empty name and a name that is too long', async () => {
    const body = { name: 'X' };
    expect((await market.call('PUT', '/users/profile', { body })).status).toBe(401);
    const as = await market.join('consumer');
    for (const name of ['  ', 'x'.repeat(101), 5, null]) {
      const answer = await market.put('/users/profile', as, { name });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'name' }] } });
    }
  });
});

describe('listing accounts', () => {
  const list = (query: string, as: Caller | undefined = admin) => market.get(`/users?${query}`, as);

  it('finds part of a name or an email, ignoring case', async () => {
    const zoe = await market.join('consumer', 'Zoë Quark-100%');
    for (const search of ['quark-1', 'QUARK', encodeURIComponent('100%'), zoe.email.slice(3, 20)]) {
      const { status, body } = await list(`search=${search}`);
      expect(status).toBe(200);
      expect(body.data.map((user: { _id: string }) => user._id)).toEqual([zoe.id]);
    }
    // Wildcards of the database mean nothing here.
    expect((await list('search=Qu_rk')).body.count).toBe(0);
  });

  it('finds names in any order and spelling, and phone numbers however they are typed', async () => {
    const { db } = market.platform;
    const [jose, ali] = await Promise.all([
      market.join('consumer', 'José Müller-Quill'),
      market.join('consumer', 'علی کمال قریشی'),
    ]);
    await db.user.update({ where: { id: jose.id }, data: { phone: '+92 (0) 321 7654321' } });
    for (const [search, id] of [
      ['muller-quill jose', jose.id],
      ['JOSE, MÜLLER-QUILL', jose.id],
      [`quill ${jose.email}`, jose.id],
      ['0321/7654321', jose.id],
      ['0092 321 765432', jose.id],
      ['٠٣٢١٧٦٥٤', jose.id],
      ['قريشي علي', ali.id],
      ['كَمال', ali.id],
    ] as const) {
      const { body } = await list(`search=${encodeURIComponent(search)}`);
      const found = body.data.map((user: { _id: string }) => user._id);
      expect({ search, found }).toEqual({ search, found: [id] });
    }
  });

  it('finds a name, an email and a phone number of many by their indexes', async () => {
    const { pool } = market.platform;
    const client = await pool.connect();
    try {
      // Without triggers, which count them one by one.
      await client.query('BEGIN; SET LOCAL session_replication_role = replica');
      await client.query(`
        INSERT INTO users (name, search_name, email, password_hash, role, phone)
        SELECT 'Böttcher ' || md5(n::text), 'bottcher ' || md5(n::text), md5('mail ' || n) || '@many.test', '', 'consumer', '+92 300 ' || lpad(n::text, 7, '0')
        FROM generate_series(1, 20000) n`);
      await client.query('ANALYZE users');
      const planOf = async (condition: string) => {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN ANALYZE SELECT id FROM users WHERE deleted_at IS NULL AND NOT is_farm AND ${condition}`,
        );
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      };
      const word = (part: string) =>
        `(search_name LIKE '%${part}%' OR search_form(email) LIKE '%${part}%')`;
      for (const [condition, ...indexes] of [
        [
          `(${word('bottcher')} AND ${word('f8c1f23')})`,
          'users_search_name_trgm',
          'users_email_found',
        ],
        [
          `(${word('f8c1f23')} OR phone_form(phone) LIKE ANY ('{%3000012345%}'))`,
          'users_phone_found',
        ],
      ] as const) {
        const plan = await planOf(condition);
        for (const index of indexes) expect(plan).toContain(index);
        expect(plan).not.toContain('Seq Scan');
      }
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT id FROM users WHERE deleted_at IS NULL AND NOT is_farm
           AND (name COLLATE "by_name", id) > ('Ada f', '${admin.id}'::uuid)
         ORDER BY name COLLATE "by_name", id LIMIT 21`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Index Scan using users_name_id_idx');
      expect(plan).not.toContain('Sort');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('filters by role and pages by cursor, newest first, each account once', async () => {
    const joined: string[] = [];
    for (let index = 0; index < 5; index++) joined.unshift((await market.join('farmer')).id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await list(`role=farmer&limit=2&cursor=${cursor}`);
      expect(body.count).toBe(body.data.length);
      for (const user of body.data) {
        expect(user.role).toBe('farmer');
        seen.push(user._id);
      }
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen.slice(0, 5)).toEqual(joined);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('allows only admins and rejects invalid queries', async () => {
    expect((await market.get('/users')).status).toBe(401);
    expect((await list('', await market.join('consumer'))).status).toBe(403);
    for (const query of ['role=king', 'limit=0', 'limit=201', 'cursor=nonsense']) {
      expect((await list(query)).status).toBe(400);
    }
    expect((await list('role=&search=&cursor=')).status).toBe(200);
  });
});

describe('deleting an account', () => {
  it('allows only admins, rejects deleting an admin, and returns 404 for an unknown account', async () => {
    const consumer = await market.join('consumer');
    const other = await market.join('admin');
    expect((await market.delete(`/users/${consumer.id}`)).status).toBe(401);
    expect((await remove(consumer.id, await market.join('farmer'))).status).toBe(403);
    expect(await remove(other.id)).toMatchObject({
      status: 403,
      body: { message: "Admin accounts can't be deleted." },
    });
    expect(await remove(admin.id)).toMatchObject({
      status: 403,
      body: { message: "You can't delete your own account." },
    });
    expect((await remove('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await remove('not-an-id')).status).toBe(404);
  });

  it('ends sessions and sockets, and frees the email', async () => {
    const consumer = await market.join('consumer');
    const socket = await market.connect({ token: consumer.token });
    expect(await remove(consumer.id)).toMatchObject({ status: 200, body: { success: true } });
    expect((await market.get('/auth/me', consumer)).status).toBe(401);
    await until(() => socket.disconnected);
    const login = { email: consumer.email, password: 'password123' };
    expect((await market.call('POST', '/auth/login', { body: login })).status).toBe(401);
    expect((await remove(consumer.id)).status).toBe(404);
    const again = await market.call('POST', '/auth/register', { body: { ...login, name: 'Me' } });
    expect(again.status).toBe(201);
    expect(again.body.user._id).not.toBe(consumer.id);
  });

  it('removes the account from the list, notifies admins, and is audited', async () => {
    const consumer = await market.join('consumer', 'Gone Soon');
    const socket = await market.connect({ token: admin.token });
    const received: string[] = [];
    socket.on('user.deleted', ({ data }) => received.push(data._id));
    await remove(consumer.id);
    await until(() => received.includes(consumer.id));
    const { body } = await market.get('/users?search=Gone', admin);
    expect(body.data).toEqual([]);
    const audit = await market.get('/admin/audit?limit=1', admin);
    expect(audit.body.data[0]).toMatchObject({
      action: 'user.deleted',
      targetId: consumer.id,
      admin: { _id: admin.id, name: 'Root' },
      detail: { role: 'consumer' },
    });
  });

  it('leaves no personal data in the row', async () => {
    const farmer = await market.join('farmer', 'Very Personal');
    await remove(farmer.id);
    const row = await market.platform.db.user.findUniqueOrThrow({
      where: { id: farmer.id },
      include: { farm: true },
    });
    const text = JSON.stringify(row);
    for (const trace of ['Very Personal', farmer.email, '555-0100', 'Mill Lane', 'argon2']) {
      expect(text).not.toContain(trace);
    }
    expect(row.farm).toBeNull();
  });

  it("cancels a consumer's pending orders, returns the stock, and keeps past orders", async () => {
    const [farmer, consumer] = [await market.join('farmer'), await market.join('consumer')];
    const product = await sell(farmer, { quantityAvailable: 10 });
    const accepted = await order(consumer, farmer, product, 2);
    await market.put(`/orders/${accepted}`, farmer, { status: 'accepted' });
    const pending = await order(consumer, farmer, product, 3);
    const socket = await market.connect({ token: farmer.token });
    const received: string[] = [];
    socket.on('order.updated', ({ data }) => received.push(`${data._id} ${data.status}`));
    await remove(consumer.id);
    await until(() => received.includes(`${pending} cancelled`));
    expect(await readOrder(pending, farmer)).toMatchObject({
      status: 'cancelled',
      consumer: { name: 'Deleted user', email: '', phone: '' },
      timeline: [{ by: { name: 'Deleted user' } }, { status: 'cancelled', by: { name: 'Root' } }],
    });
    expect((await readOrder(accepted, farmer)).status).toBe('accepted');
    const { body } = await market.get(`/products/${product}`);
    expect(body.data.quantityAvailable).toBe(8);
  });

  it("removes a farmer's products and ends the open orders", async () => {
    const [farmer, consumer] = [await market.join('farmer'), await market.join('consumer')];
    const product = await sell(farmer, { name: 'Last Leeks' });
    const pending = await order(consumer, farmer, product);
    const visitor = await market.connect();
    const received: string[] = [];
    visitor.on('farmer.deleted', ({ data }) => received.push(data._id));
    await remove(farmer.id);
    await until(() => received.includes(farmer.id));
    expect((await market.get(`/products/${product}`)).status).toBe(404);
    expect((await market.get('/products?search=Last+Leeks')).body.data).toEqual([]);
    expect((await market.get(`/users/farmers/${farmer.id}`)).status).toBe(404);
    expect(await readOrder(pending, consumer)).toMatchObject({
      status: 'cancelled',
      farmer: { name: 'Deleted user', email: '', farmName: '' },
      items: [{ product: { _id: null, name: 'Last Leeks' } }],
    });
  });

  it('leaves no pending order when the consumer orders at the same time', async () => {
    const [farmer, consumer] = [await market.join('farmer'), await market.join('consumer')];
    const product = await sell(farmer, { quantityAvailable: 100 });
    const body = orderInput(farmer.id, [{ product, quantity: 1 }]);
    await Promise.all([
      ...Array.from({ length: 8 }, () => market.post('/orders', consumer, body)),
      remove(consumer.id),
    ]);
    const orders = await market.platform.db.order.findMany({ where: { consumerId: consumer.id } });
    expect(orders.filter(({ status }) => status === 'pending')).toEqual([]);
    const row = await market.platform.db.product.findUniqueOrThrow({ where: { id: product } });
    expect(row.stockMilli).toBe(100_000n);
  });

  it('takes effect once when two admins delete at the same time', async () => {
    const consumer = await market.join('consumer');
    const answers = await Promise.all([remove(consumer.id), remove(consumer.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});
