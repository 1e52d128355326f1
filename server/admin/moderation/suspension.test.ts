import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { makeResetLink } from '../../testing/mailed-links.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';

const market = closeAfter(await startTestMarket());
const { post } = market;
const admin = await market.join('admin', 'Root');
const category = await makeCategory(market.platform);

const { get } = market;
const { put } = market;

const suspend = (id: string, reason = '', as = admin) =>
  put(`/users/${id}/suspension`, as, { suspended: true, reason });
const restore = (id: string) => put(`/users/${id}/suspension`, admin, { suspended: false });
const signIn = ({ email }: Caller, password = 'password123') =>
  post('/auth/login', undefined, { email, password });

const sell = (farmer: Caller, over?: Record<string, unknown>) =>
  sellProduct(market, farmer, category, over);

const order = (consumer: Caller, farmer: Caller, product: string) =>
  post('/orders', consumer, orderInput(farmer.id, [{ product, quantity: 1 }]));

/** The events of these names since now, as an admin or a visitor receives them. */
async function collectEvents(names: readonly string[], as?: Caller) {
  const socket = await market.connect(as ? { token: as.token } : {});
  const received: { name: string; data: Record<string, unknown> }[] = [];
  socket.onAny((name: string, { data }) => {
    if (names.includes(name)) received.push({ name, data });
  });
  return received;
}

describe('suspending a person', () => {
  it('refuses admins, oneself, strangers and unknown people', async () => {
    const consumer = await market.join('consumer');
    const other = await market.join('admin');
    expect(await suspend(other.id)).toMatchObject({
      status: 403,
      body: { message: "Admin accounts can't be suspended." },
    });
    expect(await suspend(admin.id)).toMatchObject({
      status: 403,
      body: { message: "You can't suspend your own account." },
    });
    expect((await suspend(consumer.id, '', consumer)).status).toBe(403);
    expect((await suspend(randomUUID())).status).toBe(404);
    expect((await put(`/users/${consumer.id}/suspension`, admin, {})).status).toBe(400);
    expect((await suspend(consumer.id, 'x'.repeat(501))).status).toBe(400);
    const gone = await market.join('consumer');
    await market.delete(`/users/${gone.id}`, admin);
    expect((await suspend(gone.id)).status).toBe(404);
    expect((await signIn(consumer)).status).toBe(200);
  });

  it('ends their sessions and gives the reason to anyone who knows the password, and nobody else', async () => {
    const consumer = await market.join('consumer');
    const socket = await market.connect({ token: consumer.token });
    expect(await suspend(consumer.id.toUpperCase(), 'Spam.')).toMatchObject({
      status: 200,
      body: { data: { _id: consumer.id, isSuspended: true, reason: 'Spam.' } },
    });
    await until(() => socket.disconnected);
    expect((await get('/auth/me', consumer)).status).toBe(401);
    expect(await signIn(consumer)).toMatchObject({
      status: 403,
      body: {
        code: 'ACCOUNT_SUSPENDED',
        message:
          'This account is suspended. Reason: Spam. If you think this is a mistake, write to hello@farmgate.test.',
      },
    });
    const wrong = await signIn(consumer, 'not it');
    const unknown = await post('/auth/login', undefined, {
      email: `${randomUUID()}@farmgate.test`,
      password: 'not it',
    });
    expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body]);

    await restore(consumer.id);
    const { status, body } = await signIn(consumer);
    expect(status).toBe(200);
    expect((await get('/auth/me', { ...consumer, token: body.token })).status).toBe(200);
    // Earlier sessions stay ended.
    expect((await get('/auth/me', consumer)).status).toBe(401);
  });

  it('is not got around with a new password', async () => {
    const consumer = await market.join('consumer');
    await suspend(consumer.id);
    const token = await makeResetLink(market, consumer.id);
    const reset = await post('/auth/reset-password', undefined, { token, password: 'password456' });
    expect(reset.status).toBe(200);
    expect((await signIn(consumer, 'password456')).body.code).toBe('ACCOUNT_SUSPENDED');
    expect(await market.platform.db.session.count({ where: { userId: consumer.id } })).toBe(0);
  });

  it('lets no sign-in through that races with it', async () => {
    const consumer = await market.join('consumer');
    await Promise.all([...Array.from({ length: 6 }, () => signIn(consumer)), suspend(consumer.id)]);
    expect(await market.platform.db.session.count({ where: { userId: consumer.id } })).toBe(0);
  });

  it('takes effect once when repeated, also at once, and puts a reason right', async () => {
    const consumer = await market.join('consumer');
    const received = await collectEvents(['user.suspensionChanged'], admin);
    const answers = await Promise.all([
      suspend(consumer.id, 'Spam'),
      suspend(consumer.id, 'Spam'),
      suspend(consumer.id, 'Spam'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await suspend(consumer.id)).body.data.reason).toBe('Spam');
    expect((await suspend(consumer.id, 'Fraud')).body.data.reason).toBe('Fraud');
    await restore(consumer.id);
    await restore(consumer.id);
    await until(() => received.filter(({ data }) => data._id === consumer.id).length === 2);
    expect(received.map(({ data }) => data.isSuspended)).toEqual([true, false]);
    const audit = await get(`/admin/audit?user=${consumer.id}`, admin);
    expect(
      audit.body.data.map(({ action, detail }: { action: string; detail: { reason?: string } }) => [
        action,
        detail.reason,
      ]),
    ).toEqual([
      ['user.restored', undefined],
      ['user.suspended', 'Fraud'],
      ['user.suspended', 'Spam'],
    ]);
  });

  it('ends in one of the two states when restored and suspended at once', async () => {
    const farmer = await market.join('farmer');
    const product = await sell(farmer);
    await suspend(farmer.id);
    await Promise.all([restore(farmer.id), suspend(farmer.id), restore(farmer.id)]);
    const { isSuspended } = (await suspend(farmer.id)).body.data;
    expect(isSuspended).toBe(true);
    expect((await get(`/products/${product}`)).status).toBe(404);
    await restore(farmer.id);
    expect((await get(`/products/${product}`)).status).toBe(200);
  });

  it('is shown to admins in the list, by a filter, and on the page of the person', async () => {
    const consumer = await market.join('consumer', 'Sus Pended');
    const list = async (query: string) =>
      (await get(`/users?search=Sus+Pended${query}`, admin)).body.data;
    expect(await list('')).toMatchObject([{ _id: consumer.id, isSuspended: false }]);
    expect(await list('&state=suspended')).toEqual([]);
    await suspend(consumer.id, 'Spam');
    expect(await list('&state=suspended')).toMatchObject([{ _id: consumer.id, isSuspended: true }]);
    expect((await get(`/admin/users/${consumer.id}`, admin)).body.data.suspension).toMatchObject({
      reason: 'Spam',
    });
    await restore(consumer.id);
    expect((await get(`/admin/users/${consumer.id}`, admin)).body.data.suspension).toBeNull();
    expect((await get('/users?state=king', admin)).status).toBe(400);
  });

  it("keeps a customer's orders and an open proposal as they are", async () => {
    const [farmer, consumer] = [await market.join('farmer'), await market.join('consumer')];
    const items = [
      { product: await sell(farmer), quantity: 1 },
      { product: await sell(farmer), quantity: 2 },
    ];
    const placed = await post('/orders', consumer, orderInput(farmer.id, items));
    const { _id: id, items: lines } = placed.body.data;
    const proposed = await post(`/orders/${id}/changes`, farmer, {
      items: [{ lineId: lines[1]._id, action: 'remove', reason: 'damaged' }],
    });
    expect(proposed.status).toBe(201);
    await suspend(consumer.id);
    const seen = (await get(`/orders/${id}`, farmer)).body.data;
    expect(seen).toMatchObject({ status: 'pending', openChange: { status: 'open' } });
    expect(seen.consumer.name).toBe(consumer.name);
    const withdrawn = await market.delete(`/orders/${id}/changes/${seen.openChange._id}`, farmer);
    expect(withdrawn.status).toBe(200);
    expect((await put(`/orders/${id}`, farmer, { status: 'accepted' })).status).toBe(200);
  });

  it('is erased with the account', async () => {
    const consumer = await market.join('consumer');
    const key = randomUUID();
    await market.call('PUT', `/users/${consumer.id}/suspension`, {
      as: admin,
      body: { suspended: true, reason: 'A secret reason' },
      headers: { 'idempotency-key': key },
    });
    await market.delete(`/users/${consumer.id}`, admin);
    const { db } = market.platform;
    const [row, entries, commands] = await Promise.all([
      db.user.findUniqueOrThrow({ where: { id: consumer.id } }),
      db.auditEntry.findMany({ where: { targetId: consumer.id } }),
      db.command.findMany(),
    ]);
    expect(JSON.stringify([row, entries, commands])).not.toContain('A secret reason');
    expect(row.suspendedAt).toBeNull();
  });
});

describe("suspending a farm's founder", () => {
  it('takes the farm off the market and brings back what was there', async () => {
    const [farmer, consumer] = [await market.join('farmer'), await market.join('consumer')];
    await put('/users/farmers/profile', farmer, { farmName: 'Sunk Farm', description: 'Soil.' });
    const shown = await sell(farmer, { name: 'Sunk leeks' });
    const off = await sell(farmer, { isActive: false });
    const hidden = await sell(farmer);
    await put(`/products/${hidden}/hiding`, admin, { hidden: true, reason: 'Spoilt' });
    const hiddenLater = await sell(farmer);
    const received = await collectEvents([
      'farmer.listingChanged',
      'product.updated',
      'product.created',
    ]);

    await suspend(farmer.id);
    await until(() => received.length === 1);
    expect(received[0]?.data).toEqual({ _id: farmer.id, isListed: false });
    expect((await get('/products?search=Sunk')).body.data).toEqual([]);
    expect((await get(`/products/${shown}`)).status).toBe(404);
    expect((await get('/users/farmers?search=Sunk')).body.data).toEqual([]);
    expect((await get(`/users/farmers/${farmer.id}`)).status).toBe(404);
    expect((await get(`/users/farmers/${farmer.id}`, consumer)).status).toBe(404);
    expect((await get(`/users/farmers/${farmer.id}`, admin)).body.data.isSuspended).toBe(true);
    expect((await order(consumer, farmer, shown)).status).toBe(404);
    // An admin changes what is hidden while the farm is away.
    await put(`/products/${hidden}/hiding`, admin, { hidden: false });
    await put(`/products/${hiddenLater}/hiding`, admin, { hidden: true, reason: 'Spoilt' });
    expect((await get(`/products/${hidden}`)).status).toBe(404);

    await restore(farmer.id);
    const statuses = await Promise.all(
      [shown, hidden, off, hiddenLater].map(async (id) => (await get(`/products/${id}`)).status),
    );
    expect(statuses).toEqual([200, 200, 404, 404]);
    expect((await get('/users/farmers?search=Sunk')).body.count).toBe(1);
    expect((await order(consumer, farmer, shown)).status).toBe(201);
    await until(() => received.filter(({ name }) => name === 'farmer.listingChanged').length === 2);
    await put(`/products/${hiddenLater}/hiding`, admin, { hidden: false });
    expect((await get(`/products/${hiddenLater}`)).status).toBe(200);
  });

  it('leaves its other people at work on the orders there are', async () => {
    const [farmer, consumer] = [await market.join('farmer'), await market.join('consumer')];
    const product = await sell(farmer);
    const manager = await hire(market, farmer, 'manager');
    const { _id: id } = (await order(consumer, farmer, product)).body.data;
    await suspend(farmer.id);
    expect((await get('/orders/farmer', manager)).body.data).toMatchObject([{ _id: id }]);
    expect((await get(`/users/farmers/${farmer.id}`, manager)).body.data.isSuspended).toBe(true);
    // Who bought there still finds the way.
    expect((await get(`/users/farmers/${farmer.id}`, consumer)).status).toBe(200);
    expect((await put(`/orders/${id}`, manager, { status: 'accepted' })).status).toBe(200);
    expect((await put(`/orders/${id}`, manager, { status: 'completed' })).status).toBe(200);

    expect(await put(`/products/${product}`, manager, { isActive: true })).toMatchObject({
      status: 409,
      body: { code: 'FARM_SUSPENDED' },
    });
    const changes = [{ product, isActive: true }];
    expect((await put('/products/stock', manager, { changes })).body.data).toMatchObject([
      { code: 'FARM_SUSPENDED' },
    ]);
    // Forms of the meantime say inactive, which nobody chose.
    const changed = await put(`/products/${product}`, manager, { price: 3, isActive: false });
    expect(changed.status).toBe(200);
    const received = await collectEvents(['product.created', 'farmer.listingChanged']);
    const added = await sell(manager);
    expect((await get(`/products/${added}`)).status).toBe(404);
    await restore(farmer.id);
    expect((await get(`/products/${added}`)).status).toBe(200);
    expect((await get(`/products/${product}`)).body.data.price).toBe(3);
    // That the farm is back comes after what it added.
    await until(() => received.length > 0);
    expect(received).toMatchObject([
      { name: 'farmer.listingChanged', data: { _id: farmer.id, isListed: true } },
    ]);
  });

  it('leaves the farm on the market when it is one of its other people', async () => {
    const farmer = await market.join('farmer');
    const product = await sell(farmer);
    const packer = await hire(market, farmer, 'packer');
    const calendar = (await post('/farm/calendar', packer, {})).body.data.url as string;
    const calendarPath = new URL(calendar).pathname;
    const read = async () => (await fetch(market.url + calendarPath)).status;
    expect(await read()).toBe(200);
    await suspend(packer.id);
    expect((await get('/farm/picklist?date=2030-01-05', packer)).status).toBe(401);
    expect(await read()).toBe(404);
    expect((await get(`/products/${product}`)).status).toBe(200);
    expect((await get('/orders/farmer', farmer)).status).toBe(200);
    await restore(packer.id);
    expect(await read()).toBe(200);
  });

  it('takes no order that races with it', async () => {
    const [farmer, consumer] = [await market.join('farmer'), await market.join('consumer')];
    const product = await sell(farmer);
    const [suspended, ...orders] = await Promise.all([
      suspend(farmer.id),
      ...Array.from({ length: 6 }, () => order(consumer, farmer, product)),
    ]);
    expect(suspended?.status).toBe(200);
    for (const { status } of orders) expect([201, 404]).toContain(status);
    expect((await order(consumer, farmer, product)).status).toBe(404);
  });

  it('holds for a farm that its founder has left, and keeps it off when the founder is deleted', async () => {
    const farmer = await market.join('farmer');
    const product = await sell(farmer);
    const owner = await hire(market, farmer, 'manager');
    await suspend(farmer.id, 'A secret reason');
    const successor = `successor=${owner.memberId}`;
    await market.delete(`/users/${farmer.id}?${successor}`, admin);
    expect((await get(`/products/${product}`)).status).toBe(404);
    const page = await get(`/admin/users/${farmer.id}`, admin);
    expect(page.body.data).toMatchObject({ isFarm: true, suspension: { reason: '' } });
    await restore(farmer.id);
    expect((await get(`/products/${product}`)).status).toBe(200);
    expect((await suspend(farmer.id)).status).toBe(200);
    expect((await get(`/products/${product}`)).status).toBe(404);
  });
});
