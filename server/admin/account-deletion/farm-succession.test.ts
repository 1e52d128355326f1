// @long It sets up many people with orders.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { placeInput } from '../../testing/slots.ts';
import { hire } from '../../testing/staff.ts';
import { uploadPicture } from '../../testing/upload-picture.ts';
import { tablesWith } from '../../testing/whole/tables-with.ts';

// A farm outlives the account that registered it: its founder leaves, or is deleted with a successor.

let founder: Caller;
let product: string;
let phone: string;

const market = closeAfter(await startTestMarket());
const [admin, consumer] = [await market.join('admin'), await market.join('consumer')];
const category = await makeCategory(market.platform);
beforeEach(async () => {
  founder = await market.join('farmer', `Founder-${randomUUID().slice(0, 8)}`);
  phone = `phone-${randomUUID().slice(0, 8)}`;
  await call('PUT', '/users/profile', founder, { name: founder.name, phone });
  await call('PUT', '/users/farmers/profile', founder, {
    farmName: 'Green Valley',
    description: 'Good soil.',
  });
  product = (await call('POST', '/products', founder, productInput(category))).body.data._id;
});

/** Every write has a key, under which its answer is stored. */
const call = (method: string, path: string, as?: Caller, body?: unknown) =>
  market.call(method, path, {
    as,
    body,
    headers: method === 'GET' || !as ? {} : { 'idempotency-key': randomUUID() },
  });
const members = async (as: Caller) =>
  (await call('GET', '/farm/members', as)).body.data as {
    _id: string;
    user: { _id: string; name: string };
    role: string;
    isFounder: boolean;
  }[];
const ownMembership = async (as: Caller) =>
  (await members(as)).find(({ user }) => user._id === as.id)?._id ?? '';
const leave = async (as: Caller) => call('DELETE', `/farm/members/${await ownMembership(as)}`, as);
const order = (farmId = founder.id) =>
  call('POST', '/orders', consumer, orderInput(farmId, [{ product, quantity: 1 }]));
const signIn = async (email: string): Promise<Caller> => {
  const { status, body } = await call('POST', '/auth/login', undefined, {
    email,
    password: 'password123',
  });
  expect(status).toBe(200);
  return { id: body.user._id, token: body.token, role: 'farmer', email, name: body.user.name };
};
const owners = () =>
  market.platform.db.farmMember.count({
    where: { farmId: founder.id, role: 'owner', userId: { not: null } },
  });
const farmersCounted = async (): Promise<number> =>
  (await call('GET', '/admin/stats', admin)).body.data.usersByRole.farmer;

/** Where the founder is named, apart from accounts. */
const traces = () => tablesWith(market, [founder.name, founder.email, phone], 'users');

/** What consumers see of the farm, and what its people do, as before. */
async function expectFarmGoesOn(owner: Caller, before: { orderId: string }): Promise<void> {
  const page = await call('GET', `/users/farmers/${founder.id}`);
  expect(page.body.data).toMatchObject({
    farmer: { _id: founder.id, name: 'Green Valley', email: '', phone: '' },
    profile: { farmName: 'Green Valley' },
  });
  expect(page.body.data.farmer.address).toMatchObject({ street: '', city: 'Ashford' });
  const shown = await call('GET', `/products/${product}`);
  expect(shown.body.data.farmer).toMatchObject({ _id: founder.id, name: 'Green Valley' });
  const known = await call('GET', `/orders/${before.orderId}`, consumer);
  expect(known.body.data.farmer).toMatchObject({
    _id: founder.id,
    name: 'Green Valley',
    farmName: 'Green Valley',
    email: '',
  });
  const placed = await order();
  expect(placed.status).toBe(201);
  for (const id of [before.orderId, placed.body.data._id]) {
    expect((await call('PUT', `/orders/${id}`, owner, { status: 'accepted' })).status).toBe(200);
  }
  const sent = await call('POST', '/messages', consumer, {
    receiver: founder.id,
    content: 'Still open?',
  });
  expect(sent.status).toBe(201);
  const answered = await call('POST', '/messages', owner, {
    receiver: consumer.id,
    content: 'We are.',
  });
  expect(answered.body.data).toMatchObject({
    sender: { _id: founder.id, name: 'Green Valley' },
    author: { _id: owner.id },
  });
}

describe('a founder who leaves', () => {
  it('keeps an account, and the farm goes on under its own name and id', async () => {
    const second = await hire(market, founder, 'owner');
    const orderId = (await order()).body.data._id;
    await call('POST', '/messages', consumer, { receiver: founder.id, content: 'Hello' });
    await call('POST', '/messages', founder, { receiver: consumer.id, content: 'Welcome' });
    const subscription = {
      endpoint: `https://push.test/${randomUUID()}`,
      keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
    };
    await call('POST', '/notifications/push-subscriptions', founder, subscription);
    const counted = await farmersCounted();
    const before = await market.platform.db.user.findUniqueOrThrow({ where: { id: founder.id } });

    const [own, colleagues] = [
      await market.connect({ token: founder.token }),
      await market.connect({ token: second.token }),
    ];
    const ended = new Promise((resolve) => own.once('disconnect', resolve));
    const received = new Promise((resolve) => colleagues.once('member.changed', resolve));
    expect((await leave(founder)).status).toBe(200);
    await Promise.all([ended, received]);

    expect((await call('GET', '/auth/me', founder)).status).toBe(401);
    expect((await members(second)).map(({ user, role }) => [user._id, role])).toEqual([
      [second.id, 'owner'],
    ]);
    expect((await members(second)).some(({ isFounder }) => isFounder)).toBe(false);
    await expectFarmGoesOn(second, { orderId });

    const person = await signIn(founder.email);
    expect([person.id === founder.id, person.name]).toEqual([false, founder.name]);
    expect((await call('GET', '/farm', person)).status).toBe(403);
    const account = await market.platform.db.user.findUniqueOrThrow({
      where: { id: person.id },
      include: { pushSubscriptions: true },
    });
    const { street, city, passwordHash, preferences } = before;
    expect(account).toMatchObject({ phone, street, city, passwordHash, preferences });
    // They ended with the sessions.
    expect(account.pushSubscriptions).toEqual([]);
    expect(await farmersCounted()).toBe(counted);
    const listed = await call('GET', '/users?limit=100&role=farmer', admin);
    const ids = listed.body.data.map(({ _id }: { _id: string }) => _id);
    expect([ids.includes(person.id), ids.includes(founder.id)]).toEqual([true, false]);
    const page = await call('GET', `/admin/users/${founder.id}`, admin);
    expect(page.body.data).toMatchObject({ isFarm: true, isDeleted: false, user: { email: '' } });
    expect((await call('DELETE', `/users/${founder.id}`, admin)).status).toBe(404);
  });

  it('is named nowhere but in their own account', async () => {
    await hire(market, founder, 'owner');
    await order();
    await call('POST', '/messages', founder, { receiver: consumer.id, content: 'Welcome' });
    expect((await leave(founder)).status).toBe(200);
    const events = await traces();
    // The new account's own event.
    expect(events.map((row) => row.split(':')[0])).toEqual(['event_log']);
    expect(events[0]).toContain('user.created');
  });

  it('may join another farm, and be deleted later without a trace', async () => {
    await hire(market, founder, 'owner');
    await leave(founder);
    const person = await signIn(founder.email);
    expect((await call('DELETE', `/users/${person.id}`, admin)).status).toBe(200);
    expect(await traces()).toEqual([]);
    expect((await call('GET', `/users/farmers/${founder.id}`)).status).toBe(200);
  });

  it('is refused as the last owner, who may make somebody an owner first', async () => {
    const manager = await hire(market, founder, 'manager');
    const refused = await leave(founder);
    expect([refused.status, refused.body.code]).toEqual([409, 'LAST_OWNER']);
    expect((await call('GET', '/auth/me', founder)).status).toBe(200);
    const role = { role: 'owner' };
    await call('PUT', `/farm/members/${manager.memberId}`, founder, role);
    expect((await leave(founder)).status).toBe(200);
  });

  it('leaves once, also when it is sent twice at once and again', async () => {
    await hire(market, founder, 'owner');
    const own = await ownMembership(founder);
    const send = () => call('DELETE', `/farm/members/${own}`, founder);
    const answers = await Promise.all([send(), send()]);
    answers.push(await send());
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const { db } = market.platform;
    expect(await db.user.count({ where: { email: founder.email } })).toBe(1);
  });

  it('never leaves the farm without an owner, whatever the other owner does at once', async () => {
    for (let round = 0; round < 4; round++) {
      const second = await hire(market, founder, 'owner');
      const own = await ownMembership(founder);
      const [left, stepped] = await Promise.all([
        call('DELETE', `/farm/members/${own}`, founder),
        round % 2
          ? call('PUT', `/farm/members/${second.memberId}`, second, { role: 'packer' })
          : call('DELETE', `/farm/members/${second.memberId}`, second),
      ]);
      expect(await owners()).toBeGreaterThan(0);
      expect([left.status, stepped.status].filter((status) => status === 200)).toHaveLength(1);
      founder = await market.join('farmer');
    }
  });

  it('names a farm that had no name after its town', async () => {
    const nameless = await market.join('farmer');
    await hire(market, nameless, 'owner');
    await call('POST', '/products', nameless, productInput(category));
    await leave(nameless);
    const { body } = await call('GET', `/users/farmers/${nameless.id}`);
    expect([body.data.farmer.name, body.data.profile.farmName]).toEqual([
      'Farm in Ashford',
      'Farm in Ashford',
    ]);
    const found = await call('GET', `/products?search=${encodeURIComponent('farm in ashford')}`);
    expect(found.body.data).toHaveLength(1);
  });
});

it('lets its people go on with pictures, slots and days once the founder has left', async () => {
  const second = await hire(market, founder, 'owner');
  await leave(founder);
  const uploaded = (await (await uploadPicture(market.url, second)).json()) as {
    data: { url: string }[];
  };
  const images = uploaded.data.map(({ url }) => url);
  expect(images).toHaveLength(1);
  const shown = await call('PUT', `/products/${product}`, second, { images });
  expect(shown.body.data.images).toEqual(images);
  const created = await call('POST', '/products', second, productInput(category));
  expect(created.status).toBe(201);
  const place = await call('POST', '/farm/places', second, placeInput());
  expect(place.status).toBe(201);
  const schedule = { mode: 'notice', cutoff: { daysBefore: 1, time: '18:00' } };
  expect((await call('PUT', '/farm/schedule', second, schedule)).status).toBe(200);
  expect((await call('DELETE', `/products/${product}`, second)).status).toBe(200);
});

describe('the contact of a farm', () => {
  const contact = {
    phone: '555-0199',
    address: { street: '9 Barn Road', city: 'Putney', state: 'VT', zipCode: '05346' },
  };
  const write = (as: Caller, over: object) =>
    call('PUT', '/users/farmers/profile', as, {
      farmName: 'Green Valley',
      description: 'Good soil.',
      ...over,
    });

  it("is the founder's while they work there, and the farm's own afterwards", async () => {
    const manager = await hire(market, founder, 'owner');
    for (const as of [founder, manager]) {
      const refused = await write(as, { contact });
      expect([refused.status, refused.body.code]).toEqual([409, 'CONTACT_OF_FOUNDER']);
    }
    expect((await write(manager, { contact: null })).body.data.contact).toBe(null);
    await leave(founder);
    const written = await write(manager, { farmName: 'Hill Farm', contact });
    expect([written.status, written.body.data.contact]).toEqual([200, contact]);
    const { body } = await call('GET', `/users/farmers/${founder.id}`);
    expect(body.data.farmer).toMatchObject({ name: 'Hill Farm', ...contact });
    expect(body.data.profile.contact).toEqual(contact);
    const found = await call('GET', '/products?search=putney');
    expect(found.body.data.map(({ _id }: { _id: string }) => _id)).toEqual([product]);

    const kept = await write(manager, { contact: { phone: '' } });
    expect(kept.body.data.contact).toEqual({ ...contact, phone: '' });
  });
});

describe('a founder whose account is deleted', () => {
  const remove = (id: string, successor?: string) =>
    call(
      'DELETE',
      `/users/${id}${successor === undefined ? '' : `?successor=${successor}`}`,
      admin,
    );

  it('hands the farm over to the successor, who becomes its owner', async () => {
    const manager = await hire(market, founder, 'manager');
    const orderId = (await order()).body.data._id;
    const counted = await farmersCounted();
    const person = await call('GET', `/admin/users/${founder.id}`, admin);
    expect(person.body.data.closingFarm).toEqual({
      _id: founder.id,
      farmName: 'Green Valley',
      successors: [{ _id: manager.memberId, name: manager.name, role: 'manager' }],
    });
    expect((await remove(founder.id, manager.memberId)).status).toBe(200);
    expect((await call('GET', '/farm', manager)).body.data.role).toBe('owner');
    await expectFarmGoesOn(manager, { orderId });
    expect(await farmersCounted()).toBe(counted - 1);
    const { db } = market.platform;
    expect(await db.user.count({ where: { email: founder.email } })).toBe(0);
    expect(await traces()).toEqual([]);
    expect((await call('GET', '/auth/me', founder)).status).toBe(401);
    const entry = await db.auditEntry.findFirst({ where: { targetId: founder.id } });
    expect(entry?.detail).toEqual({ role: 'farmer', successor: manager.id });
  });

  it('closes the farm without one, as ever', async () => {
    const manager = await hire(market, founder, 'manager');
    expect((await remove(founder.id)).status).toBe(200);
    expect((await call('GET', `/users/farmers/${founder.id}`)).status).toBe(404);
    await until(async () => (await call('GET', '/farm', manager)).status === 403);
  });

  it('is deleted only with a successor who works there', async () => {
    const stranger = await hire(market, await market.join('farmer'), 'manager');
    const invited = await call('POST', '/farm/members', founder, {
      email: `${randomUUID()}@farmgate.test`,
      role: 'owner',
    });
    const own = await ownMembership(founder);
    for (const wrong of [stranger.memberId, invited.body.data._id, own, randomUUID(), 'nobody']) {
      const { status, body } = await remove(founder.id, wrong);
      expect([status, body.errors?.[0]?.path]).toEqual([400, 'successor']);
    }
    expect((await remove(consumer.id, own)).status).toBe(400);
    expect((await call('GET', '/auth/me', founder)).status).toBe(200);
  });

  it('leaves a farm that its last owner can hand over or close in turn', async () => {
    const [second, packer] = [
      await hire(market, founder, 'owner'),
      await hire(market, founder, 'packer'),
    ];
    await leave(founder);
    expect((await remove(second.id, packer.memberId.toUpperCase())).status).toBe(200);
    expect((await call('GET', '/farm', packer)).body.data.role).toBe('owner');
    expect((await call('GET', `/users/farmers/${founder.id}`)).status).toBe(200);

    const orderId = (await order()).body.data._id;
    expect((await remove(packer.id)).status).toBe(200);
    expect((await call('GET', `/users/farmers/${founder.id}`)).status).toBe(404);
    const left = await call('GET', `/orders/${orderId}`, consumer);
    expect(left.body.data).toMatchObject({ status: 'cancelled', farmer: { name: 'Deleted user' } });
  });

  it('hands over or closes, but not both, when a colleague leaves at once', async () => {
    const manager = await hire(market, founder, 'manager');
    const [removed, left] = await Promise.all([
      remove(founder.id, manager.memberId),
      call('DELETE', `/farm/members/${manager.memberId}`, manager),
    ]);
    expect([200, 400]).toContain(removed.status);
    expect(await owners()).toBe(1);
    expect([removed.status, left.status].filter((status) => status === 200)).toHaveLength(1);
  });
});

it('refuses what a founder was about to change in their account while they leave', async () => {
  await hire(market, founder, 'owner');
  const own = await ownMembership(founder);
  const holder = new pg.Client({ connectionString: market.env.DATABASE_URL });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE', [founder.id]);
  const leaving = call('DELETE', `/farm/members/${own}`, founder);
  await until(async () => {
    const { rows } = await market.platform.pool.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  const renaming = call('PUT', '/users/profile', founder, { name: 'Somebody else' });
  await holder.query('COMMIT');
  await holder.end();
  expect((await leaving).status).toBe(200);
  expect([200, 401]).toContain((await renaming).status);
  const { body } = await call('GET', `/users/farmers/${founder.id}`);
  expect(body.data.farmer.name).toBe('Green Valley');
});
