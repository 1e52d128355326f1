// @long It asks each endpoint in many ways.

import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { type Caller, makeCategory, orderInput, productInput, startTestMarket } from '../market.ts';
import { uploadPicture } from '../upload-picture.ts';

// Each kind of write is caught in the middle: it is past the check of its token when the account of
// the person who makes it is deleted or suspended.

const market = await startTestMarket();
const category = await makeCategory(market.platform);
const connectionString = market.env.DATABASE_URL;
const [deleting, watching] = [
  new pg.Client({ connectionString }),
  new pg.Client({ connectionString }),
];
await Promise.all([deleting.connect(), watching.connect()]);
afterAll(async () => {
  await Promise.all([deleting.end(), watching.end()]);
  await market.close();
});

/** How many connections of this database wait for a lock, without the one that numbers events every second. */
async function waiting(): Promise<number> {
  const { rows } = await watching.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND query NOT LIKE '%sequence_events%'`,
  );
  return rows[0].count;
}

const ENDS = {
  deleted: `UPDATE users SET deleted_at = now(), name = 'Deleted user', token_version = token_version + 1,
    email = id || '@deleted.invalid' WHERE id = $1`,
  // As a suspension does: it locks the row, which leaves its key alone, against readers too.
  suspended: `WITH locked AS (SELECT id FROM users WHERE id = $1 FOR UPDATE)
    UPDATE users SET suspended_at = now() WHERE id = (SELECT id FROM locked)`,
};

/** Begins to end the account, sends the request, and commits once the request waits. */
async function endDuring(
  end: keyof typeof ENDS,
  caller: Caller,
  send: () => Promise<{ status: number }>,
) {
  // The session is in the cache, so that only the transaction can notice.
  expect((await market.get('/auth/me', caller)).status).toBe(200);
  await deleting.query('BEGIN');
  await deleting.query(ENDS[end], [caller.id]);
  let isAnswered = false;
  const answer = send().finally(() => {
    isAnswered = true;
  });
  await until(async () => isAnswered || (await waiting()) > 0);
  await deleting.query('COMMIT');
  return (await answer).status;
}

const call = (method: string, path: string, as: Caller, body: unknown = {}) =>
  market.call(method, path, { as, body });

/** What the test needs to be there: all made by or for the caller beforehand. */
async function prepare(as: Caller) {
  const other = await market.join(as.role === 'consumer' ? 'farmer' : 'consumer');
  if (as.role === 'farmer')
    await call('POST', '/messages', other, { receiver: as.id, content: 'Hi' });
  if (as.role === 'consumer') {
    await call('POST', '/messages', as, { receiver: other.id, content: 'Hi' });
    await call('POST', '/messages', other, { receiver: as.id, content: 'Hello' });
  }
  const owner = as.role === 'farmer' ? as : await market.join('farmer');
  const made = await call('POST', '/products', owner, productInput(category));
  const product: string = made.body.data._id;
  return { other, product, owner };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;
type Write = (as: Caller, prepared: Prepared) => Promise<{ status: number }>;

const push = () => ({
  endpoint: `https://push.test/${crypto.randomUUID()}`,
  keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
});

const WRITES: [string, 'consumer' | 'farmer' | 'admin', Write][] = [
  [
    'a message',
    'consumer',
    (as, { other }) => call('POST', '/messages', as, { receiver: other.id, content: 'Still me' }),
  ],
  ['a read receipt', 'consumer', (as, { other }) => call('PUT', `/messages/read/${other.id}`, as)],
  ['a profile', 'consumer', (as) => call('PUT', '/users/profile', as, { name: 'Still me' })],
  [
    'a farm profile',
    'farmer',
    (as) => call('PUT', '/users/farmers/profile', as, { farmName: 'Still', description: 'Me' }),
  ],
  ['a new product', 'farmer', (as) => call('POST', '/products', as, productInput(category))],
  [
    'a changed product',
    'farmer',
    (as, { product }) => call('PUT', `/products/${product}`, as, { price: 3 }),
  ],
  ['a deleted product', 'farmer', (as, { product }) => call('DELETE', `/products/${product}`, as)],
  [
    'preferences',
    'consumer',
    (as) =>
      call('PUT', '/notifications/preferences', as, {
        'stock.low': { email: false, push: false },
      }),
  ],
  ['read notifications', 'consumer', (as) => call('PUT', '/notifications/read', as)],
  [
    'a push subscription',
    'consumer',
    (as) => call('POST', '/notifications/push-subscriptions', as, push()),
  ],
  [
    'an ended push subscription',
    'consumer',
    (as) => call('DELETE', '/notifications/push-subscriptions', as, { endpoint: push().endpoint }),
  ],
  ['an upload', 'farmer', (as) => uploadPicture(market.url, as)],
  [
    'an order',
    'consumer',
    (as, { owner, product }) =>
      call('POST', '/orders', as, orderInput(owner.id, [{ product, quantity: 1 }])),
  ],
  ['a new category', 'admin', (as) => call('POST', '/categories', as, { name: 'Still' })],
  [
    'a changed category',
    'admin',
    async (as) =>
      call('PUT', `/categories/${await makeCategory(market.platform)}`, as, { name: 'S' }),
  ],
  [
    'a deleted category',
    'admin',
    async (as) => call('DELETE', `/categories/${await makeCategory(market.platform)}`, as),
  ],
  [
    'another password',
    'consumer',
    (as) =>
      call('PUT', '/auth/password', as, {
        currentPassword: 'password123',
        newPassword: 'password456',
      }),
  ],
  [
    'a report',
    'consumer',
    (as, { product }) =>
      call('POST', '/reports', as, { kind: 'product', id: product, reason: 'spam' }),
  ],
  ['a deleted account', 'admin', (as, { other }) => call('DELETE', `/users/${other.id}`, as)],
];

const CASES = WRITES.flatMap(([name, role, write]) => [
  { end: 'deleted' as const, name, role, write },
  // Admins are never suspended.
  ...(role === 'admin' ? [] : [{ end: 'suspended' as const, name, role, write }]),
]);

describe('rejects a write whose account is ended meanwhile', () => {
  it.each(CASES)('$end: $name', async ({ end, role, write }) => {
    const as = await market.join(role);
    const prepared = await prepare(as);
    const { db, eventLog } = market.platform;
    await eventLog.sequence();
    const before = await eventLog.head();
    expect(await endDuring(end, as, () => write(as, prepared))).toBe(401);
    await eventLog.sequence();
    expect(await eventLog.read(before)).toEqual([]);
    expect(await db.upload.count({ where: { ownerId: as.id } })).toBe(0);
    expect(await db.pushSubscription.count({ where: { userId: as.id } })).toBe(0);
  });
});

it('waits for writes that began earlier, then deletes their data too', async () => {
  const admin = await market.join('admin');
  const farmer = await market.join('farmer');
  // Holds every new event back, and with it anyone who writes one.
  await deleting.query('BEGIN; LOCK TABLE event_outbox IN SHARE ROW EXCLUSIVE MODE');
  const creating = call('POST', '/products', farmer, productInput(category));
  await until(async () => (await waiting()) >= 1);
  const removing = call('DELETE', `/users/${farmer.id}`, admin);
  await until(async () => (await waiting()) >= 2);
  await deleting.query('COMMIT');
  expect([(await creating).status, (await removing).status]).toEqual([201, 200]);
  expect(await market.platform.db.product.count({ where: { farmerId: farmer.id } })).toBe(0);
});
