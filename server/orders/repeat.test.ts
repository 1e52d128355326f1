import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlaceOrder } from '#contract/orders';
import type { Platform } from '../http/platform.ts';
import { type Answer, type Caller, eventually, orderInput } from '../testing/market.ts';
import { placeOrder } from './place.ts';
import { createOrderFixture, type OrderFixture } from './testing/fixture.ts';

let stall: OrderFixture;
beforeAll(async () => {
  stall = await createOrderFixture();
});
afterAll(() => stall.close());

interface Keyed {
  product: string;
  farmer: Caller;
  key: string;
  body: ReturnType<typeof orderInput>;
  send: () => Promise<Answer>;
}

let keys = 0;
/** A farm's product, and an order of two of it that is always sent under the same key. */
async function keyedOrder(over: Record<string, unknown> = {}): Promise<Keyed> {
  const farmer = await stall.join('farmer');
  const product = await stall.stock(5, { farmerId: farmer.id });
  const key = `repeat-${++keys}`;
  const body = orderInput(farmer.id, [{ product, quantity: 2, price: 2.5 }], over);
  const send = () =>
    stall.call('POST', '/orders', {
      as: stall.consumer,
      body,
      headers: { 'idempotency-key': key },
    });
  return { product, farmer, key, body, send };
}

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

describe('a repeated order gets the first answer, word for word', () => {
  const products = () => stall.platform.db.product;
  const profile = (userId: string, data: { acceptsPickup?: boolean; farmName?: string }) =>
    stall.platform.db.farmerProfile.upsert({
      where: { userId },
      create: { userId, ...data },
      update: data,
    });

  const changes: [string, (order: Keyed & { id: string }) => Promise<unknown>][] = [
    ['nothing happened', async () => undefined],
    [
      'the price changed',
      ({ product }) => products().update({ where: { id: product }, data: { priceMinor: 999 } }),
    ],
    [
      'the product was hidden',
      ({ product, farmer }) =>
        stall.call('PUT', `/products/${product}`, { as: farmer, body: { isActive: false } }),
    ],
    [
      'the product was deleted',
      ({ product, farmer }) => stall.call('DELETE', `/products/${product}`, { as: farmer }),
    ],
    [
      'everything was sold',
      ({ product }) =>
        products().update({ where: { id: product }, data: { quantityAvailable: 0 } }),
    ],
    ['the farm stopped pickup', ({ farmer }) => profile(farmer.id, { acceptsPickup: false })],
    ['the farm got another name', ({ farmer }) => profile(farmer.id, { farmName: 'Renamed' })],
    ['the order was accepted', ({ id, farmer }) => stall.move(id, 'accepted', farmer)],
    ['the order was cancelled', ({ id }) => stall.move(id, 'cancelled', stall.consumer)],
    [
      'the buyer changed their name and phone',
      () =>
        stall.call('PUT', '/users/profile', {
          as: stall.consumer,
          body: { name: 'Someone Else', phone: '1' },
        }),
    ],
    [
      'the order got another version without a new entry in its timeline',
      ({ id }) =>
        stall.platform.db.order.update({ where: { id }, data: { version: { increment: 4 } } }),
    ],
  ];

  test.each(changes)('after %s', async (_, change) => {
    const order = await keyedOrder();
    const first = await order.send();
    expect(first.status).toBe(201);
    await change({ ...order, id: first.body.data._id });
    const head = await stall.head();
    const again = await order.send();
    expect(again.status).toBe(201);
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(await stall.heardSince(head)).toEqual([]);
  });

  test('after the farm was deleted, without the personal data of its farmer', async () => {
    const order = await keyedOrder();
    const first = await order.send();
    await stall.call('DELETE', `/users/${order.farmer.id}`, { as: stall.admin });
    const again = await order.send();
    expect(again.status).toBe(201);
    const { farmer } = first.body.data;
    const emptied = { ...farmer, name: 'Deleted user', email: '', phone: '', farmName: '' };
    expect(again.body.data).toEqual({ ...first.body.data, farmer: emptied });
  });

  test('after midnight, when its date has become past', async () => {
    const { body, key, send } = await keyedOrder({
      pickupDetails: { date: yesterday, time: '10:00', location: 'Farm gate' },
    });
    // As the same request left it, sent yesterday.
    const answer = { success: true, data: { _id: 'the first answer' } };
    await stall.platform.db.command.create({
      data: {
        userId: stall.consumer.id,
        key,
        requestHash: createHash('sha256')
          .update(JSON.stringify(PlaceOrder.parse(body)))
          .digest('base64url'),
        status: 201,
        body: answer,
      },
    });
    const again = await send();
    expect([again.status, again.body]).toEqual([201, answer]);
  });

  test('when its ids are written in the other case', async () => {
    const { body, key, send } = await keyedOrder();
    const first = await send();
    const again = await stall.call('POST', '/orders', {
      as: stall.consumer,
      body: JSON.parse(JSON.stringify(body).replace(/[0-9a-f-]{36}/g, (id) => id.toUpperCase())),
      headers: { 'idempotency-key': key },
    });
    expect(again.body).toEqual(first.body);
  });
});

test('a past date is refused under a key that stands for nothing', async () => {
  const { send } = await keyedOrder({
    pickupDetails: { date: yesterday, time: '10:00', location: 'Farm gate' },
  });
  expect((await send()).status).toBe(400);
});

/** A second process: connections of its own, and nothing shared but the database. */
function secondProcess() {
  const pool = new pg.Pool({ connectionString: stall.env.DATABASE_URL, max: 10 });
  return { platform: { pool } as unknown as Platform, close: () => pool.end() };
}

test('the same key at two processes at once makes one order, and all get its answer', async () => {
  const { product, body, key } = await keyedOrder();
  const input = PlaceOrder.parse(body);
  const other = secondProcess();
  const head = await stall.head();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      placeOrder(
        index % 2 ? stall.platform : other.platform,
        { id: stall.consumer.id, role: 'consumer', name: '' },
        input,
        key,
      ),
    ),
  );
  await other.close();
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await stall.left(product)).toBe(3);
  const names = (await stall.heardSince(head)).map((event) => event.name);
  expect(names).toEqual(['order.created', 'product.updated']);
});

test('two orders under one key at once: one is placed, the other one is refused', async () => {
  const { product, farmer, key } = await keyedOrder();
  const headers = { 'idempotency-key': key };
  const answers = await Promise.all(
    [1, 2].map((quantity) =>
      stall.call('POST', '/orders', {
        as: stall.consumer,
        body: orderInput(farmer.id, [{ product, quantity }]),
        headers,
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('an order whose connection ends half-way leaves nothing, and its repeat places it', async () => {
  const { product, key, send } = await keyedOrder();
  const { pool } = stall.platform;
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', [product]);
  const answer = send();
  const pid = await eventually(async () => {
    const { rows } = await pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
       AND wait_event_type = 'Lock' AND query ~ 'new_order'`,
    );
    return rows[0]?.pid;
  });
  await pool.query('SELECT pg_terminate_backend($1)', [pid]);
  await holder.query('ROLLBACK');
  holder.release();
  expect((await answer).status).toBe(503);
  expect(await stall.left(product)).toBe(5);
  expect(await stall.platform.db.command.count({ where: { key } })).toBe(0);
  const again = await send();
  expect(again.status).toBe(201);
  expect(await stall.left(product)).toBe(3);
});

test("a deleted account's stored answers are gone", async () => {
  const leaving = await stall.join('consumer');
  const product = await stall.stock(5);
  await stall.order([{ product, quantity: 1 }], {
    as: leaving,
    headers: { 'idempotency-key': 'mine' },
  });
  const count = () => stall.platform.db.command.count({ where: { userId: leaving.id } });
  expect(await count()).toBe(1);
  await stall.call('DELETE', `/users/${leaving.id}`, { as: stall.admin });
  expect(await count()).toBe(0);
});
