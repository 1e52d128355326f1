import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { PlaceOrder } from '#contract/ordering/orders/orders';
import { until } from '../../../testing/until.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { type Answer, type Caller, orderInput } from '../../testing/market.ts';
import { createOrderFixture } from '../testing/fixture.ts';
import { placeOrder } from './place.ts';

const fixture = await createOrderFixture();
afterAll(() => fixture.close());

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
  const farmer = await fixture.join('farmer');
  const product = await fixture.createProduct(5, { farmerId: farmer.id });
  const key = `repeat-${++keys}`;
  const body = orderInput(farmer.id, [{ product, quantity: 2, price: 2.5 }], over);
  const send = () =>
    fixture.call('POST', '/orders', {
      as: fixture.consumer,
      body,
      headers: { 'idempotency-key': key },
    });
  return { product, farmer, key, body, send };
}

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

describe('a repeated order gets exactly the first answer', () => {
  const products = () => fixture.platform.db.product;
  const profile = (userId: string, data: { acceptsPickup?: boolean; farmName?: string }) =>
    fixture.platform.db.farmerProfile.upsert({
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
        fixture.call('PUT', `/products/${product}`, { as: farmer, body: { isActive: false } }),
    ],
    [
      'the product was deleted',
      ({ product, farmer }) => fixture.call('DELETE', `/products/${product}`, { as: farmer }),
    ],
    [
      'everything was sold',
      ({ product }) => products().update({ where: { id: product }, data: { stockMilli: 0 } }),
    ],
    ['the farm stopped pickup', ({ farmer }) => profile(farmer.id, { acceptsPickup: false })],
    ['the farm got another name', ({ farmer }) => profile(farmer.id, { farmName: 'Renamed' })],
    ['the order was accepted', ({ id, farmer }) => fixture.changeStatus(id, 'accepted', farmer)],
    [
      'the order was cancelled',
      ({ id }) => fixture.changeStatus(id, 'cancelled', fixture.consumer),
    ],
    [
      'the customer changed their name and phone',
      () =>
        fixture.call('PUT', '/users/profile', {
          as: fixture.consumer,
          body: { name: 'Someone Else', phone: '1' },
        }),
    ],
    [
      'the order got another version without a new entry in its timeline',
      ({ id }) =>
        fixture.platform.db.order.update({ where: { id }, data: { version: { increment: 4 } } }),
    ],
  ];

  test.each(changes)('after %s', async (_, change) => {
    const order = await keyedOrder();
    const first = await order.send();
    expect(first.status).toBe(201);
    await change({ ...order, id: first.body.data._id });
    const head = await fixture.head();
    const again = await order.send();
    expect(again.status).toBe(201);
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(await fixture.eventsAfter(head)).toEqual([]);
  });

  test('after the farm was deleted, without the personal data of its farmer', async () => {
    const order = await keyedOrder();
    const first = await order.send();
    await fixture.call('DELETE', `/users/${order.farmer.id}`, { as: fixture.admin });
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
    await fixture.platform.db.command.create({
      data: {
        userId: fixture.consumer.id,
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
    const again = await fixture.call('POST', '/orders', {
      as: fixture.consumer,
      body: JSON.parse(JSON.stringify(body).replace(/[0-9a-f-]{36}/g, (id) => id.toUpperCase())),
      headers: { 'idempotency-key': key },
    });
    expect(again.body).toEqual(first.body);
  });
});

test('rejects a past date with an unused key', async () => {
  const { send } = await keyedOrder({
    pickupDetails: { date: yesterday, time: '10:00', location: 'Farm gate' },
  });
  expect((await send()).status).toBe(400);
});

/** A second process: connections of its own, and nothing shared but the database. */
function secondProcess() {
  const pool = new pg.Pool({ connectionString: fixture.env.DATABASE_URL, max: 10 });
  return { platform: { pool } as unknown as Platform, close: () => pool.end() };
}

test('creates one order for the same key at two processes at the same time', async () => {
  const { product, body, key } = await keyedOrder();
  const input = PlaceOrder.parse(body);
  const other = secondProcess();
  const head = await fixture.head();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      placeOrder(
        index % 2 ? fixture.platform : other.platform,
        {
          id: fixture.consumer.id,
          role: 'consumer',
          name: '',
          membership: null,
          sessionId: '',
          language: null,
        },
        input,
        key,
      ),
    ),
  );
  await other.close();
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await fixture.stockOf(product)).toBe(3);
  const names = (await fixture.eventsAfter(head)).map((event) => event.name);
  expect(names).toEqual(['order.created', 'product.updated']);
});

test('places one of two different orders with one key at the same time and rejects the other', async () => {
  const { product, farmer, key } = await keyedOrder();
  const headers = { 'idempotency-key': key };
  const answers = await Promise.all(
    [1, 2].map((quantity) =>
      fixture.call('POST', '/orders', {
        as: fixture.consumer,
        body: orderInput(farmer.id, [{ product, quantity }]),
        headers,
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('leaves nothing of an order whose connection is lost, and places its repeat', async () => {
  const { product, key, send } = await keyedOrder();
  const { pool } = fixture.platform;
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', [product]);
  const answer = send();
  const pid = await until(async () => {
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
  expect(await fixture.stockOf(product)).toBe(5);
  expect(await fixture.platform.db.command.count({ where: { key } })).toBe(0);
  const again = await send();
  expect(again.status).toBe(201);
  expect(await fixture.stockOf(product)).toBe(3);
});

test('deletes the stored answers of a deleted account', async () => {
  const leaving = await fixture.join('consumer');
  const product = await fixture.createProduct(5);
  await fixture.order([{ product, quantity: 1 }], {
    as: leaving,
    headers: { 'idempotency-key': 'mine' },
  });
  const count = () => fixture.platform.db.command.count({ where: { userId: leaving.id } });
  expect(await count()).toBe(1);
  await fixture.call('DELETE', `/users/${leaving.id}`, { as: fixture.admin });
  expect(await count()).toBe(0);
});
