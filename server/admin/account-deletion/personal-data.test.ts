// @long It sets up many people with orders.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { reconnect } from '../../edge/realtime/testing/connections.ts';
import { record } from '../../platform/events/event-log.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';
import { uploadPicture } from '../../testing/upload-picture.ts';
import { tablesWith } from '../../testing/whole/tables-with.ts';
import { withoutPersonalData } from './event-data.ts';

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin');
const category = await makeCategory(market.platform);

/** Somebody whose every personal text is unique. */
async function somebody(role: 'consumer' | 'farmer') {
  const tag = randomUUID().slice(0, 8);
  const traces = {
    name: `Name-${tag}`,
    email: `mail-${tag}@farmgate.test`,
    phone: `phone-${tag}`,
    street: `Street-${tag}`,
    city: `City-${tag}`,
    farmName: `Farm-${tag}`,
  };
  const { name, email, phone, street, city } = traces;
  const { status, body } = await market.call('POST', '/auth/register', {
    body: { name, email, phone, password: 'secret1', role, address: { street, city } },
  });
  expect(status).toBe(201);
  const caller: Caller = { id: body.user._id, token: body.token, role, email, name };
  return { caller, traces: Object.values(traces), farmName: traces.farmName };
}

/** Every write has a key, under which its answer is stored. */
const call = (method: string, path: string, as: Caller, body?: unknown) =>
  market.call(method, path, { as, body, headers: { 'idempotency-key': randomUUID() } });

const sell = (farmer: Caller) => sellProduct(market, farmer, category);

const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

async function orderDelivery(consumer: Caller, farmer: Caller, product: string, street: string) {
  const input = orderInput(farmer.id, [{ product, quantity: 1 }], {
    pickupDetails: undefined,
    deliveryDetails: {
      date: day,
      time: '10:00',
      address: { street, city: 'Ashford', state: 'VT', zipCode: '05001' },
    },
  });
  const { status, body } = await call('POST', '/orders', consumer, input);
  expect(status).toBe(201);
  return body.data._id as string;
}

/** What a worker writes for a notification. */
async function notify(userId: string, kind: string, key: string, title: string, body: string) {
  await market.platform.db.$transaction(async (tx) => {
    const row = await tx.notification.create({
      data: { userId, kind, key, title, body, link: '/orders' },
    });
    await record(tx, {
      name: 'notification.created',
      data: {
        _id: row.id,
        kind: 'order.placed',
        title,
        body,
        link: row.link,
        isRead: false,
        createdAt: row.createdAt.toISOString(),
      },
      rooms: [`user:${userId}`],
    });
  });
}

const remove = async (id: string) =>
  expect((await call('DELETE', `/users/${id}`, admin)).status).toBe(200);

describe('deleting an account', () => {
  it("leaves a consumer's name, email, phone and address nowhere", async () => {
    const { caller: consumer, traces } = await somebody('consumer');
    const farmer = await market.join('farmer');
    const profile = { farmName: 'Hill', description: 'Soil.', acceptsDelivery: true };
    await call('PUT', '/users/farmers/profile', farmer, profile);
    const product = await sell(farmer);
    const tag = randomUUID().slice(0, 8);
    const streets = ['done', 'open', 'waiting'].map((kind) => `${kind}-${tag}`);
    const [done, open, waiting] = [
      await orderDelivery(consumer, farmer, product, streets[0] ?? ''),
      await orderDelivery(consumer, farmer, product, streets[1] ?? ''),
      await orderDelivery(consumer, farmer, product, streets[2] ?? ''),
    ];
    const move = (id: string, status: string) => call('PUT', `/orders/${id}`, farmer, { status });
    await move(done, 'accepted');
    await move(done, 'completed');
    await move(open, 'accepted');
    const sent = await call('POST', '/messages', consumer, {
      receiver: farmer.id,
      content: 'Are the carrots sweet?',
    });
    await call('POST', '/messages', farmer, { receiver: consumer.id, content: 'Very.' });
    for (const [kind, key] of [
      ['order.placed', `order.placed:${done}`],
      ['order.unanswered', `order.unanswered:${waiting}`],
      ['order.cancelledByConsumer', `order.cancelledByConsumer:${done}`],
      ['message.unread', `message.unread:${sent.body.data._id}`],
    ] as const) {
      const isInBody = kind === 'order.cancelledByConsumer';
      await notify(
        farmer.id,
        kind,
        key,
        isInBody ? 'Order cancelled' : `About ${consumer.name}`,
        isInBody ? `${consumer.name} cancelled it.` : 'Something.',
      );
    }
    // A member has it in their bell as well, and still has when they have left the farm.
    const [member, former] = [
      await hire(market, farmer, 'seller'),
      await hire(market, farmer, 'packer'),
    ];
    for (const { id } of [member, former]) {
      await notify(
        id,
        'order.placed',
        `order.placed:${done}`,
        `New order from ${consumer.name}`,
        '',
      );
      const key = `message.unread:${sent.body.data._id}`;
      await notify(id, 'message.unread', key, `Unread message from ${consumer.name}`, '');
    }
    await call('DELETE', `/farm/members/${former.memberId}`, farmer);
    await notify(consumer.id, 'order.statusChanged', 'x', `Dear ${consumer.name}`, 'Hello.');
    await market.platform.db.notificationDelivery.create({
      data: {
        userId: consumer.id,
        key: randomUUID(),
        channel: 'email',
        kind: 'order.statusChanged',
        error: `550 ${consumer.email} unknown`,
      },
    });
    const note = `Called ${randomUUID()}`;
    await call('POST', `/admin/orders/${done}/notes`, admin, { content: note });
    expect((await tablesWith(market, traces)).length).toBeGreaterThan(3);
    expect((await tablesWith(market, [note])).length).toBe(2);

    await remove(consumer.id);
    expect(await tablesWith(market, [note])).toEqual([]);
    expect(await tablesWith(market, traces)).toEqual([]);
    expect(await tablesWith(market, [streets[0] ?? '', streets[2] ?? ''])).toEqual([]);
    // What is accepted is still to be delivered.
    const { body } = await call('GET', `/orders/${open}`, farmer);
    expect(body.data).toMatchObject({
      status: 'accepted',
      consumer: { name: 'Deleted user', email: '', phone: '' },
      deliveryDetails: { address: { street: streets[1] } },
    });
    // What was written stays with whom it was written to.
    const thread = await call('GET', `/messages/${consumer.id}`, farmer);
    expect(thread.body).toMatchObject({
      user: { name: 'Deleted user' },
      data: [{ content: 'Are the carrots sweet?' }, { content: 'Very.' }],
    });
    const members = await call('GET', '/notifications', member);
    expect(members.body.data.map(({ title }: { title: string }) => title)).toEqual([
      'Unread message from Deleted user',
      'New order from Deleted user',
    ]);
    const bell = await call('GET', '/notifications', farmer);
    expect(bell.body.data.map(({ title }: { title: string }) => title)).toEqual(
      expect.arrayContaining([
        'New order from Deleted user',
        'Deleted user is waiting for your answer',
        'Unread message from Deleted user',
      ]),
    );
  });

  it("leaves a farmer's name, farm, pictures, email, phone and address nowhere", async () => {
    const { caller: farmer, traces, farmName } = await somebody('farmer');
    const sent = (await (await uploadPicture(market.url, farmer)).json()) as {
      data: { url: string }[];
    };
    const photo = sent.data[0]?.url ?? '';
    traces.push(photo);
    const profile = { farmName, description: 'Soil.', photo, cover: photo };
    expect((await call('PUT', '/users/farmers/profile', farmer, profile)).status).toBe(200);
    const [consumer, product] = [await market.join('consumer'), await sell(farmer)];
    await call('PUT', `/products/${product}`, farmer, { price: 3 });
    const input = orderInput(farmer.id, [{ product, quantity: 1, price: 3 }]);
    // A repeat of this command is answered with what was answered first.
    const placed = await market.call('POST', '/orders', {
      as: consumer,
      body: input,
      headers: { 'Idempotency-Key': randomUUID() },
    });
    const order = placed.body.data._id;
    await call('PUT', `/orders/${order}`, farmer, { status: 'accepted' });
    const reason = `Rotten ${randomUUID()}`;
    await call('PUT', `/products/${product}/hiding`, admin, { hidden: true, reason });
    const words = `Order at ${farmName} was accepted.`;
    await notify(consumer.id, 'order.statusChanged', `order.statusChanged:${order}:2`, 'Hi', words);
    await notify(consumer.id, 'order.slotMoved', `order.slotMoved:${order}:1`, 'Hi', words);
    await market.platform.db.notification.create({
      data: {
        ...{ userId: admin.id, kind: 'farm.waiting', key: `farm.waiting:${randomUUID()}` },
        ...{ title: `${farmName} asks to join`, body: 'Take a look.' },
        link: `/admin/farms?farm=${farmer.id}`,
      },
    });
    expect((await tablesWith(market, traces)).length).toBeGreaterThan(3);
    await remove(farmer.id);
    expect(await tablesWith(market, [...traces, reason])).toEqual([]);
  });

  it('replays nothing of them, from the log or from memory', async () => {
    const { caller: consumer, traces } = await somebody('consumer');
    const [farmer, after] = [await market.join('farmer'), await market.platform.eventLog.head()];
    const product = await sell(farmer);
    const input = orderInput(farmer.id, [{ product, quantity: 1 }]);
    const order = (await call('POST', '/orders', consumer, input)).body.data._id;
    await remove(consumer.id);
    const replay = async () =>
      JSON.stringify(await reconnect(market.url, { token: farmer.token, after }));
    await until(async () => {
      const received = await replay();
      expect(received).toContain(order);
      return traces.every((trace) => !received.includes(trace));
    });
  });

  it('finds them also in events that have no number yet', async () => {
    const { caller: consumer, traces } = await somebody('consumer');
    const farmer = await market.join('farmer');
    const holder = new pg.Client({ connectionString: market.env.DATABASE_URL });
    await holder.connect();
    try {
      const product = await sell(farmer);
      await holder.query('BEGIN; SELECT 1 FROM event_log_head FOR UPDATE');
      const input = orderInput(farmer.id, [{ product, quantity: 1 }]);
      const ordering = call('POST', '/orders', consumer, input);
      await until(async () => market.platform.db.order.count({ where: { farmerId: farmer.id } }));
      const removing = call('DELETE', `/users/${consumer.id}`, admin);
      await until(async () => {
        const { rows } = await holder.query(
          `SELECT 1 FROM pg_stat_activity
           WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return rows.length >= 2;
      });
      await holder.query('COMMIT');
      expect((await removing).status).toBe(200);
      await ordering;
    } finally {
      await holder.end();
    }
    expect(await tablesWith(market, traces)).toEqual([]);
  });

  it('finds them anywhere in a log of many events, and leaves all others as they are', async () => {
    const { caller: consumer, traces } = await somebody('consumer');
    const { pool, eventLog } = market.platform;
    const person = JSON.stringify({ _id: consumer.id, name: consumer.name, email: consumer.email });
    await pool.query(
      `INSERT INTO event_outbox (id, name, data, rooms)
       SELECT gen_random_uuid(), 'user.created',
              CASE WHEN n % 4999 = 0 THEN $1::json
                   ELSE json_build_object('_id', gen_random_uuid(), 'name', 'Other ' || n) END,
              ARRAY['role:admin']
       FROM generate_series(1, 20000) n`,
      [person],
    );
    await eventLog.sequence();
    const others = async () =>
      (
        await pool.query(
          `SELECT count(*)::int AS count, md5(string_agg(data::text, ',' ORDER BY seq)) AS hash
           FROM event_log WHERE data ->> 'name' LIKE 'Other %'`,
        )
      ).rows[0];
    const before = await others();
    expect(before.count).toBe(20_000 - 4);
    await remove(consumer.id);
    expect(await tablesWith(market, traces)).toEqual([]);
    expect(await others()).toEqual(before);
  });

  it('does not deadlock with the people they deal with', async () => {
    const farmer = await market.join('farmer');
    const product = await sell(farmer);
    const consumers = await Promise.all(Array.from({ length: 5 }, () => somebody('consumer')));
    const placed = await Promise.all(
      consumers.map(async ({ caller }) => {
        const input = orderInput(farmer.id, [{ product, quantity: 1 }]);
        return (await call('POST', '/orders', caller, input)).body.data._id as string;
      }),
    );
    const answers = await Promise.all([
      ...placed.map((id) => call('PUT', `/orders/${id}`, farmer, { status: 'accepted' })),
      ...consumers.map(({ caller }) => call('DELETE', `/users/${caller.id}`, admin)),
      ...consumers.map(({ caller }) =>
        call('POST', '/messages', caller, { receiver: farmer.id, content: 'Bye' }),
      ),
    ]);
    for (const { status } of answers) expect([200, 201, 401, 409]).toContain(status);
    expect(
      await tablesWith(
        market,
        consumers.flatMap(({ traces }) => traces),
      ),
    ).toEqual([]);
  });
});

describe('an event without personal data', () => {
  const [person, other] = [randomUUID(), randomUUID()];
  const order = {
    name: 'order.updated',
    rooms: [`user:${person}`],
    data: {
      _id: randomUUID(),
      consumer: { _id: person, name: 'Ada', email: 'a@b.test', phone: '1' },
      farmer: { _id: other, name: 'Bo', email: 'b@b.test', phone: '2', farmName: 'Hill' },
      notes: 'At the back door',
      deliveryDetails: { address: { street: 'S', city: 'C', state: 'V', zipCode: '0' }, date: day },
      timeline: [{ by: { _id: person, name: 'Ada', role: 'consumer' }, reason: 'Rain' }],
    },
  };

  it('names nobody who was deleted, and everybody else', () => {
    expect(withoutPersonalData(order, { id: person }).data).toMatchObject({
      consumer: { _id: person, name: 'Deleted user', email: '', phone: '' },
      farmer: { name: 'Bo', email: 'b@b.test', farmName: 'Hill' },
      notes: 'At the back door',
      deliveryDetails: { address: { street: '', city: '', state: '', zipCode: '' }, date: day },
      timeline: [{ by: { name: 'Deleted user' }, reason: 'Rain' }],
    });
    expect(withoutPersonalData(order, { id: other }).data).toMatchObject({
      consumer: { name: 'Ada' },
      farmer: { name: 'Deleted user', email: '', phone: '', farmName: '' },
      deliveryDetails: { address: { street: 'S' } },
    });
  });

  it('keeps the address of an order that is still open', () => {
    const open = new Set([order.data._id]);
    expect(
      withoutPersonalData(order, { id: person }, open).data.deliveryDetails.address.street,
    ).toBe('S');
  });

  it('is the same event when it has none, also the second time', () => {
    expect(withoutPersonalData(order, { id: randomUUID() })).toBe(order);
    const clean = withoutPersonalData(order, { id: person });
    expect(withoutPersonalData(clean, { id: person })).toBe(clean);
    const reference = { name: 'user.deleted', data: { _id: person }, rooms: [] };
    expect(withoutPersonalData(reference, { id: person })).toBe(reference);
  });
});
