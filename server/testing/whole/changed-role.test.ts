// @long It asks each endpoint in many ways.

import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import type { FarmRole } from '#contract/platform/session/constants';
import { until } from '../../../testing/until.ts';
import { type Caller, makeCategory, orderInput, productInput, startTestMarket } from '../market.ts';
import { makeSlot, placeInput } from '../slots.ts';
import { hire } from '../staff.ts';
import { uploadPicture } from '../upload-picture.ts';

// Each kind of command for a farm is caught in the middle: it is past the check of its caller's role when
// that role is taken away. It takes effect before the change, or not at all.

const market = await startTestMarket();
const category = await makeCategory(market.platform);
const consumer = await market.join('consumer');
const connectionString = market.env.DATABASE_URL;
const [holder, watching] = [
  new pg.Client({ connectionString }),
  new pg.Client({ connectionString }),
];
await Promise.all([holder.connect(), watching.connect()]);
afterAll(async () => {
  await Promise.all([holder.end(), watching.end()]);
  await market.close();
});

async function waiting(): Promise<number> {
  const { rows } = await watching.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0].count;
}

const call = (method: string, path: string, as: Caller, body?: unknown) =>
  market.call(method, path, { as, body });

/** A farm with a product, an order, a slot and a conversation, and one of its people. */
async function prepare(role: FarmRole) {
  const owner = await market.join('farmer');
  const made = await call('POST', '/products', owner, productInput(category));
  const product: string = made.body.data._id;
  const input = orderInput(owner.id, [{ product, quantity: 1 }]);
  const order: string = (await call('POST', '/orders', consumer, input)).body.data._id;
  await call('POST', '/messages', consumer, { receiver: owner.id, content: 'Hello' });
  const slot = await makeSlot(market, owner);
  return { owner, product, order, slot, as: await hire(market, owner, role) };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

const COMMANDS: [string, FarmRole, (prepared: Prepared) => Promise<{ status: number }>][] = [
  [
    'an answer to an order',
    'manager',
    ({ as, order }) => call('PUT', `/orders/${order}`, as, { status: 'accepted' }),
  ],
  [
    'an answer to several orders',
    'manager',
    async ({ as, order }) => {
      const body = { ids: [order], status: 'accepted' };
      const answer = await call('PUT', '/orders/status', as, body);
      // Each order is answered for itself.
      const codes: Record<string, number> = { FORBIDDEN: 403, NOT_FOUND: 404 };
      return { status: codes[answer.body.data?.[0]?.code] ?? answer.status };
    },
  ],
  [
    'a new stock',
    'manager',
    ({ as, product }) =>
      call('PUT', '/products/stock', as, {
        changes: [{ product, quantityAvailable: 7, seen: 49 }],
      }),
  ],
  [
    'a changed product',
    'manager',
    ({ as, product }) => call('PUT', `/products/${product}`, as, { price: 3 }),
  ],
  ['a new product', 'manager', ({ as }) => call('POST', '/products', as, productInput(category))],
  ['a deleted product', 'manager', ({ as, product }) => call('DELETE', `/products/${product}`, as)],
  [
    'a closed slot',
    'manager',
    ({ as, slot }) => call('PUT', `/farm/slots/${slot}`, as, { state: 'closed' }),
  ],
  [
    'an order in another slot',
    'manager',
    ({ as, order, slot }) => call('PUT', `/orders/${order}/slot`, as, { slotId: slot }),
  ],
  [
    'the orders of a day moved',
    'manager',
    ({ as }) =>
      call('POST', '/farm/slots/move-day', as, { date: '2030-01-01', toDate: '2030-01-02' }),
  ],
  ['a new place', 'manager', ({ as }) => call('POST', '/farm/places', as, placeInput())],
  [
    'a schedule',
    'manager',
    ({ as }) =>
      call('PUT', '/farm/schedule', as, { mode: 'notice', cutoff: null, atCutoff: 'accept' }),
  ],
  [
    'a farm profile',
    'manager',
    ({ as }) =>
      call('PUT', '/users/farmers/profile', as, { farmName: 'Hill', description: 'Soil.' }),
  ],
  [
    'a message',
    'seller',
    ({ as }) => call('POST', '/messages', as, { receiver: consumer.id, content: 'For the farm' }),
  ],
  [
    'a conversation that was read',
    'seller',
    ({ as }) => call('PUT', `/messages/read/${consumer.id}`, as),
  ],
  ['an upload', 'manager', ({ as }) => uploadPicture(market.url, as)],
  [
    'an invitation',
    'owner',
    ({ as }) => call('POST', '/farm/members', as, { email: 'a@farmhands.test', role: 'packer' }),
  ],
];

/** Has the session in the cache, so that only the transaction can notice. */
const warm = async ({ as }: Prepared) =>
  expect((await market.get('/auth/me', as)).status).toBe(200);

const eventsSince = async (before: number) => {
  await market.platform.eventLog.sequence();
  return market.platform.eventLog.read(before);
};

describe('refuses a command whose caller loses their role meanwhile', () => {
  it.each(COMMANDS)('%s', async (_, role, send) => {
    const prepared = await prepare(role);
    await warm(prepared);
    await market.platform.eventLog.sequence();
    const before = await market.platform.eventLog.head();
    await holder.query('BEGIN');
    await holder.query(`UPDATE farm_members SET role = 'packer' WHERE user_id = $1`, [
      prepared.as.id,
    ]);
    const answer = send(prepared);
    await until(async () => (await waiting()) > 0);
    await holder.query('COMMIT');
    expect((await answer).status).toBe(403);
    expect(await eventsSince(before)).toEqual([]);
  });
});

describe('refuses a command whose caller is removed from the farm meanwhile', () => {
  it.each(COMMANDS)('%s', async (name, role, send) => {
    const prepared = await prepare(role);
    await warm(prepared);
    await market.platform.eventLog.sequence();
    const before = await market.platform.eventLog.head();
    await holder.query('BEGIN');
    await holder.query('DELETE FROM farm_members WHERE user_id = $1', [prepared.as.id]);
    const answer = send(prepared);
    await until(async () => (await waiting()) > 0);
    await holder.query('COMMIT');
    // Anyone who works for no farm has no such order.
    expect((await answer).status).toBe(name.startsWith('an answer') ? 404 : 401);
    expect(await eventsSince(before)).toEqual([]);
  });
});

describe('refuses a command whose caller comes to work for another farm in the same role meanwhile', () => {
  it.each(COMMANDS)('%s', async (name, role, send) => {
    const prepared = await prepare(role);
    const other = await market.join('farmer');
    await warm(prepared);
    await market.platform.eventLog.sequence();
    const before = await market.platform.eventLog.head();
    await holder.query('BEGIN');
    await holder.query('UPDATE farm_members SET farm_id = $2 WHERE user_id = $1', [
      prepared.as.id,
      other.id,
    ]);
    const answer = send(prepared);
    await until(async () => (await waiting()) > 0);
    await holder.query('COMMIT');
    expect((await answer).status).toBe(name.startsWith('an answer') ? 404 : 401);
    expect(await eventsSince(before)).toEqual([]);
  });
});

it('lets a command that waits for something else take effect before its caller loses the role', async () => {
  const { as, owner, order } = await prepare('manager');
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [order]);
  const answering = call('PUT', `/orders/${order}`, as, { status: 'accepted' });
  await until(async () => (await waiting()) >= 1);
  const demoting = call('PUT', `/farm/members/${as.memberId}`, owner, { role: 'packer' });
  await until(async () => (await waiting()) >= 2);
  await holder.query('COMMIT');
  expect([(await answering).status, (await demoting).status]).toEqual([200, 200]);
  const next = await call('PUT', `/orders/${order}`, as, { status: 'completed' });
  expect(next.status).toBe(403);
});

it('lets a command go on whose caller gets a role that includes more', async () => {
  const prepared = await prepare('seller');
  await warm(prepared);
  await holder.query('BEGIN');
  await holder.query(`UPDATE farm_members SET role = 'manager' WHERE user_id = $1`, [
    prepared.as.id,
  ]);
  const answer = call('POST', '/messages', prepared.as, { receiver: consumer.id, content: 'Hi' });
  await until(async () => (await waiting()) > 0);
  await holder.query('COMMIT');
  expect((await answer).status).toBe(201);
});

it('lets two owners demote each other once', async () => {
  const { owner } = await prepare('packer');
  const [one, two] = [await hire(market, owner, 'owner'), await hire(market, owner, 'owner')];
  const demote = (as: Caller, { memberId }: { memberId: string }) =>
    call('PUT', `/farm/members/${memberId}`, as, { role: 'packer' });
  const answers = await Promise.all([demote(one, two), demote(two, one)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
});
