import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { IDEMPOTENCY_HOURS } from '#contract/platform/http/constants';
import { until } from '../../../testing/until.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());
const [farmer, consumer] = [await market.join('farmer'), await market.join('consumer')];
const category = await makeCategory(market.platform);

/** Sends a write under a key. */
const send = (key: string, method: string, path: string, body?: unknown, as: Caller = farmer) =>
  market.call(method, path, { as, body, headers: { 'idempotency-key': key } });

const create = (key: string, over: Record<string, unknown> = {}, as: Caller = farmer) =>
  send(key, 'POST', '/products', productInput(category, over), as);

const countProducts = (name: string) => market.platform.db.product.count({ where: { name } });
const countKeys = (key: string) => market.platform.db.command.count({ where: { key } });

describe('a repeat under the same key', () => {
  it('gets the first answer, also when what it describes has changed or is gone', async () => {
    const key = randomUUID();
    const first = await create(key);
    expect(first.status).toBe(201);
    const id = first.body.data._id;
    await market.put(`/products/${id}`, farmer, { name: 'Parsnips' });
    expect(await create(key).then(({ status, body }) => ({ status, body }))).toEqual({
      status: 201,
      body: first.body,
    });
    await market.delete(`/products/${id}`, farmer);
    expect(JSON.stringify((await create(key)).body)).toBe(JSON.stringify(first.body));
  });

  it('is the same request when ids are written in the other case or fields in another order', async () => {
    const { body } = await create(randomUUID());
    const key = randomUUID();
    const path = `/products/${body.data._id}`;
    const first = await send(key, 'PUT', path, { name: 'Leeks', price: 3 });
    const again = await send(key, 'PUT', path.toUpperCase().replace('PRODUCTS', 'products'), {
      price: 3,
      name: ' Leeks ',
      unknown: true,
    });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.body.data.version).toBe(2);
  });

  it('takes effect again once the key is too old', async () => {
    const [key, name] = [randomUUID(), `Old ${randomUUID()}`];
    await create(key, { name });
    await market.platform.db.command.updateMany({
      where: { key },
      data: { createdAt: new Date(Date.now() - IDEMPOTENCY_HOURS * 3_600_000 - 1000) },
    });
    // Another request may have it then, too.
    expect((await create(key, { name, price: 9 })).status).toBe(201);
    expect(await countProducts(name)).toBe(2);
    expect((await create(key, { name, price: 9 })).body.data.price).toBe(9);
    expect(await countProducts(name)).toBe(2);
  });

  it('means nothing to another person', async () => {
    const [key, name] = [randomUUID(), `Shared ${randomUUID()}`];
    const neighbour = await market.join('farmer');
    expect((await create(key, { name })).status).toBe(201);
    expect((await create(key, { name }, neighbour)).status).toBe(201);
    expect(await countProducts(name)).toBe(2);
  });

  it('gets 401 after the session has ended', async () => {
    const [leaving, key] = [await market.join('farmer'), randomUUID()];
    const admin = await market.join('admin');
    expect((await create(key, {}, leaving)).status).toBe(201);
    await market.delete(`/users/${leaving.id}`, admin);
    expect((await create(key, {}, leaving)).status).toBe(401);
    expect(await countKeys(key)).toBe(0);
  });
});

describe('another request under the same key', () => {
  const refused = { status: 409, body: { success: false, code: 'IDEMPOTENCY_KEY_REUSED' } };

  it('is refused: another body, method or path', async () => {
    const key = randomUUID();
    const product = (await create(key)).body.data._id;
    expect(await create(key, { price: 2.51 })).toMatchObject(refused);
    expect(await send(key, 'PUT', `/products/${product}`, { price: 3 })).toMatchObject(refused);
    expect(await send(key, 'DELETE', `/products/${product}`)).toMatchObject(refused);
    const other = (await create(randomUUID())).body.data._id;
    const deletion = randomUUID();
    expect((await send(deletion, 'DELETE', `/products/${product}`)).status).toBe(200);
    expect(await send(deletion, 'DELETE', `/products/${other}`)).toMatchObject(refused);
    expect((await create(key)).body.message).toBeUndefined();
  });

  it('is refused as well when one of the two is an order', async () => {
    const product = (await create(randomUUID())).body.data._id;
    const order = orderInput(farmer.id, [{ product, quantity: 1 }]);
    const [ofOrder, ofProfile] = [randomUUID(), randomUUID()];
    const place = (key: string) => send(key, 'POST', '/orders', order, consumer);
    const rename = (key: string) => send(key, 'PUT', '/users/profile', { name: 'Ada' }, consumer);
    expect((await place(ofOrder)).status).toBe(201);
    expect((await rename(ofProfile)).status).toBe(200);
    expect(await rename(ofOrder)).toMatchObject(refused);
    expect(await place(ofProfile)).toMatchObject(refused);
  });

  it('is refused when both are sent at once, whichever is quicker', async () => {
    const [key, name] = [randomUUID(), `Two ${randomUUID()}`];
    const answers = await Promise.all([2, 3].map((price) => create(key, { name, price })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await countProducts(name)).toBe(1);
  });
});

describe('a refused command', () => {
  it('leaves its key unused, for itself and for others', async () => {
    const [key, name] = [randomUUID(), `Twice ${randomUUID()}`];
    const admin = await market.join('admin');
    const save = (as: Caller) => send(key, 'POST', '/categories', { name }, as);
    const { body } = await market.post('/categories', admin, { name });
    expect(await save(admin)).toMatchObject({ status: 409, body: { code: 'CATEGORY_TAKEN' } });
    expect(await countKeys(key)).toBe(0);
    await market.delete(`/categories/${body.data._id}`, admin);
    expect((await save(admin)).status).toBe(201);
    expect(await countKeys(key)).toBe(1);
  });

  it('is refused the same way at once, and nothing remains of it', async () => {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        send(key, 'PUT', `/products/${randomUUID()}`, { name: 'Nowhere' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(await countKeys(key)).toBe(0);
  });

  it('is not an effect when only its repeats under other keys had one', async () => {
    // One message id under two keys for two people at once: one message is stored, and is the answer to both.
    const others = [await market.join('farmer'), await market.join('farmer')];
    const [_id, keys] = [randomUUID(), [randomUUID(), randomUUID()]];
    const write = (index: number) =>
      send(
        keys[index] ?? '',
        'POST',
        '/messages',
        { _id, receiver: others[index]?.id, content: 'Hello' },
        consumer,
      );
    const answers = await Promise.all([write(0), write(1)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(await market.platform.db.message.count({ where: { id: _id } })).toBe(1);
    expect((await write(0)).body).toEqual(answers[0]?.body);
  });
});

describe('a header that is no key', () => {
  it.each(['a b', 'x'.repeat(201)])('is refused: %s', async (key) => {
    expect((await create(key)).status).toBe(400);
  });

  it('counts as none when it is empty', async () => {
    const name = `None ${randomUUID()}`;
    await Promise.all([create('', { name }), create('', { name })]);
    expect(await countProducts(name)).toBe(2);
  });

  it('is ignored where nothing is repeatable', async () => {
    const [key, email] = ['a b', farmer.email];
    const body = { email, password: 'password123' };
    expect((await send(key, 'POST', '/auth/login', body)).status).toBe(200);
    expect((await send(key, 'GET', '/products/farmer/me')).status).toBe(200);
    const product = (await create(randomUUID())).body.data._id;
    const order = orderInput(farmer.id, [{ product, quantity: 1 }]);
    const placed = await market.post('/orders', consumer, order);
    const again = `/orders/${placed.body.data._id}/again`;
    expect((await send(key, 'POST', again, undefined, consumer)).status).toBe(200);
  });
});

describe('the events of a command', () => {
  const idsOf = async (work: () => Promise<unknown>) => {
    const { eventLog } = market.platform;
    await eventLog.sequence();
    const head = await eventLog.head();
    await work();
    await eventLog.sequence();
    return (await eventLog.read(head)).map(({ name, commandId }) => [name, commandId]);
  };

  it('carry its key, when that is a UUID, to anyone who receives them', async () => {
    const key = randomUUID();
    const visitor = await market.connect();
    const received = new Promise<{ commandId?: string }>((resolve) =>
      visitor.once('product.created', resolve),
    );
    expect(await idsOf(() => create(key.toUpperCase()))).toEqual([['product.created', key]]);
    expect((await received).commandId).toBe(key);
    visitor.disconnect();
  });

  it('carry that of an order and of its status', async () => {
    const product = (await create(randomUUID())).body.data._id;
    const order = orderInput(farmer.id, [{ product, quantity: 1 }]);
    const [placing, cancelling] = [randomUUID(), randomUUID()];
    let id = '';
    const placed = await idsOf(async () => {
      id = (await send(placing, 'POST', '/orders', order, consumer)).body.data._id;
    });
    expect(placed).toEqual([
      ['order.created', placing],
      ['product.updated', placing],
    ]);
    const cancelled = await idsOf(() =>
      send(cancelling, 'PUT', `/orders/${id}`, { status: 'cancelled' }, consumer),
    );
    expect(cancelled).toEqual([
      ['order.updated', cancelling],
      ['product.updated', cancelling],
    ]);
  });

  it('carry none without a key, or with one that could reveal something', async () => {
    const { body } = await create(randomUUID());
    const path = `/products/${body.data._id}`;
    const change = { as: farmer, body: { price: 4 } };
    expect(await idsOf(() => market.call('PUT', path, change))).toEqual([
      ['product.updated', null],
    ]);
    expect(await idsOf(() => send(farmer.email, 'PUT', path, { price: 5 }))).toEqual([
      ['product.updated', null],
    ]);
    const visitor = await market.connect();
    const received = new Promise<object>((resolve) => visitor.once('product.deleted', resolve));
    await market.delete(path, farmer);
    expect(await received).not.toHaveProperty('commandId');
    visitor.disconnect();
  });
});

it('leaves nothing of a command whose connection is lost, and takes its repeat', async () => {
  const [key, name] = [randomUUID(), `Lost ${randomUUID()}`];
  const { pool } = market.platform;
  const holder = new pg.Client({ connectionString: market.env.DATABASE_URL });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM categories WHERE id = $1 FOR UPDATE', [category]);
  const answers = [create(key, { name }), create(key, { name })];
  // The first waits for the category, the second for the first.
  const waiting = await until(async () => {
    const { rows } = await pool.query<{ pid: number; query: string }>(
      `SELECT pid, query FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length === 2 ? rows.find(({ query }) => query.includes('categories')) : undefined;
  });
  await pool.query('SELECT pg_terminate_backend($1)', [waiting.pid]);
  await holder.query('ROLLBACK');
  await holder.end();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 503]);
  expect((await create(key, { name })).status).toBe(201);
  expect(await countProducts(name)).toBe(1);
  expect(await countKeys(key)).toBe(1);
});

it('takes a crowd of commands, each with a key, on few connections', async () => {
  const name = `Crowd ${randomUUID()}`;
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      create(`crowd-${name.slice(6)}-${index % 30}`, { name }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await countProducts(name)).toBe(30);
});
