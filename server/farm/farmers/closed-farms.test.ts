import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { room } from '#contract/platform/events/constants';
import type { Envelope } from '#contract/platform/events/socket';
import { until } from '../../../testing/until.ts';
import { listen, reconnect, startSecondProcess } from '../../edge/realtime/testing/connections.ts';
import { record } from '../../platform/events/event-log.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  sellProduct,
  startTestMarket,
  type TestSocket,
} from '../../testing/market.ts';
import { makeSlot, placeInput } from '../../testing/slots.ts';
import { hire } from '../../testing/staff.ts';

// Who may see a farm that is a draft or suspended, in reads, live events, replays, presence, messages and reports.

/**
 * By what they have with the farm: `talker` has only written with it, `customer` has ordered too, `consumer` only
 * ordered.
 */
const PARTIES = ['visitor', 'stranger', 'talker', 'customer', 'buyer', 'packer', 'admin'] as const;
type Party = (typeof PARTIES)[number];
const OPEN: readonly Party[] = PARTIES;
const INSIDERS: readonly Party[] = ['packer', 'admin'];
const ORDERED: readonly Party[] = ['customer', 'buyer'];

const market = closeAfter(await startTestMarket());
const { post } = market;
const admin = await market.join('admin');
const category = await makeCategory(market.platform);
const join = () => market.join('consumer');
const people: Record<'stranger' | 'talker' | 'customer' | 'buyer', Caller> = {
  stranger: await join(),
  talker: await join(),
  customer: await join(),
  buyer: await join(),
};
beforeEach(async () => {
  const data = { approvesFarms: true };
  await market.platform.db.marketSettings.update({ where: { id: 1 }, data });
});

const { get } = market;
const { put } = market;
const approve = (farm: Caller, approved: boolean) =>
  put(`/users/farmers/${farm.id}/approval`, admin, { approved, reason: 'Please look again.' });
const suspend = (farm: Caller, suspended: boolean) =>
  put(`/users/${farm.id}/suspension`, admin, { suspended });

/** A farm with a second owner, a packer, a product, a slot, orders and conversations. */
async function makeFarm() {
  const farm = await market.join('farmer');
  await approve(farm, true);
  const owner = await hire(market, farm, 'owner');
  const packer = await hire(market, farm, 'packer');
  const product = await sellProduct(market, farm, category);
  const orders: string[] = [];
  for (const as of [people.customer, people.buyer]) {
    const { body } = await post('/orders', as, orderInput(farm.id, [{ product, quantity: 1 }]));
    orders.push(body.data._id);
  }
  const slot = await makeSlot(market, farm);
  for (const as of [people.talker, people.customer]) {
    const sent = await post('/messages', as, { receiver: farm.id, content: 'Hello' });
    expect(sent.status).toBe(201);
    await post('/messages', farm, { receiver: as.id, content: 'Hello yourself' });
  }
  const callerOf = (party: Party) =>
    party === 'visitor' ? undefined : { ...people, packer, admin }[party];
  return { farm, owner, packer, product, slot, order: orders[0] ?? '', callerOf };
}
type Farm = Awaited<ReturnType<typeof makeFarm>>;

/** Returns for whom a read is answered with 200; everybody else gets 404, or 401 where nobody is without a session. */
async function shownTo({ callerOf }: Farm, path: string): Promise<Party[]> {
  const shown: Party[] = [];
  for (const party of PARTIES) {
    const { status } = await get(path, callerOf(party));
    if (status === 200) shown.push(party);
    else expect([401, 403, 404], `${party} ${path}`).toContain(status);
  }
  return shown;
}

/** Waits until a socket has received everything so far. */
async function settle(received: readonly Envelope[][]): Promise<void> {
  const _id = randomUUID();
  const { db, eventLog } = market.platform;
  await record(db, { name: 'category.changed', data: { _id }, rooms: [room.everyone] });
  await eventLog.sequence();
  for (const each of received) {
    await until(() => each.some(({ data }) => '_id' in data && data._id === _id));
  }
}

const mentions = (envelopes: readonly Envelope[], id: string) =>
  envelopes.filter((each) => JSON.stringify(each).includes(id)).map(({ name }) => name);

/** Everybody watches the farm and its product. */
async function watchAll({ farm, product, callerOf }: Farm) {
  const received = {} as Record<Party, Envelope[]>;
  const sockets: TestSocket[] = [];
  for (const party of PARTIES) {
    const as = callerOf(party);
    const socket = await market.connect(as ? { token: as.token } : {});
    await socket.emitWithAck('products.watch', { productIds: [product] });
    await socket.emitWithAck('farms.watch', { farmIds: [farm.id] });
    received[party] = listen(socket);
    sockets.push(socket);
  }
  return { received, close: () => sockets.map((socket) => socket.disconnect()) };
}

/** Changes of the farm's page, its place, its slot and its product, made by those who can while it is closed. */
async function changeAll({ owner, slot, product }: Farm): Promise<void> {
  const profile = { farmName: `Farm ${randomUUID()}`, description: 'Good soil.' };
  expect((await put('/users/farmers/profile', owner, profile)).status).toBe(200);
  expect((await post('/farm/places', owner, placeInput())).status).toBe(201);
  expect((await put(`/farm/slots/${slot}`, owner, { state: 'closed' })).status).toBe(200);
  expect((await put(`/farm/slots/${slot}`, owner, { state: 'open' })).status).toBe(200);
  expect((await put(`/products/${product}`, owner, { price: 3 })).status).toBe(200);
}

describe.each(['draft', 'suspended'] as const)('a farm that is %s', (state) => {
  const close = (farm: Caller) => (state === 'draft' ? approve(farm, false) : suspend(farm, true));
  const open = (farm: Caller) => (state === 'draft' ? approve(farm, true) : suspend(farm, false));
  /** Who still sees its page. */
  const PAGE = PARTIES.filter(
    (party) => INSIDERS.includes(party) || (state === 'suspended' && ORDERED.includes(party)),
  );

  it('is read by its people and admins, by the person who ordered there as far as that goes, and by nobody else', async () => {
    const made = await makeFarm();
    const { farm, product, order } = made;
    // What is cached for visitors is of the time before.
    for (const path of ['', '/slots', '/days']) {
      expect(await shownTo(made, `/users/farmers/${farm.id}${path}`)).toEqual(OPEN);
    }
    expect(await shownTo(made, `/products/${product}`)).toEqual(OPEN);
    expect((await close(farm)).status).toBe(200);
    expect(await shownTo(made, `/users/farmers/${farm.id}`)).toEqual(PAGE);
    expect(await shownTo(made, `/users/farmers/${farm.id.toUpperCase()}`)).toEqual(PAGE);
    for (const path of ['/slots', '/days']) {
      expect(await shownTo(made, `/users/farmers/${farm.id}${path}`)).toEqual(INSIDERS);
    }
    expect(await shownTo(made, `/products/${product}`)).toEqual(INSIDERS);
    expect(await shownTo(made, `/orders/${order}`)).toEqual(['customer', ...INSIDERS]);
    for (const path of ['/products', '/users/farmers', '/products/facets']) {
      expect(JSON.stringify((await get(`${path}?search=${farm.id}`)).body)).not.toContain(farm.id);
    }
    for (const path of [
      `/farmers/${farm.id}`,
      `/cards/farm/${farm.id}.jpg`,
      `/cards/product/${product}.jpg`,
    ]) {
      const { status } = await fetch(market.url + path);
      // Without a built client there are no pages.
      expect([404], path).toContain(status);
    }
    const sitemap = await (await fetch(`${market.url}/sitemaps/farms.xml`)).text();
    expect(sitemap).not.toContain(farm.id);
    for (const [kind, id] of [
      ['farm', farm.id],
      ['product', product],
    ] as const) {
      const reported = await post('/reports', people.stranger, { kind, id, reason: 'misleading' });
      expect(reported.status).toBe(404);
    }
    expect((await open(farm)).status).toBe(200);
    expect(await shownTo(made, `/users/farmers/${farm.id}/slots`)).toEqual(OPEN);
  });

  it('is nothing that a socket hears of, watched before or not, live or when it comes back', async () => {
    const made = await makeFarm();
    const { farm, product, slot, callerOf } = made;
    const { received, close: closeSockets } = await watchAll(made);
    const all = Object.values(received);
    const before = await market.platform.eventLog.head();
    await changeAll(made);
    await close(farm);
    await settle(all);
    // Everybody hears that it leaves.
    for (const party of PARTIES) {
      expect(mentions(received[party], farm.id), party).toContain('farmer.listingChanged');
      received[party].length = 0;
    }
    const closedAt = await market.platform.eventLog.head();
    await changeAll(made);
    await settle(all);
    const live = (party: Party) => received[party].map(({ name }) => name);
    for (const party of PARTIES) {
      const hears = live(party).filter((name) => name !== 'category.changed');
      if (!PAGE.includes(party)) expect(hears, party).toEqual([]);
      else if (!INSIDERS.includes(party))
        expect(new Set(hears)).toEqual(new Set(['farmer.updated']));
    }
    expect(live('packer')).toEqual(
      expect.arrayContaining([
        'farmer.updated',
        'place.changed',
        'slot.updated',
        'product.updated',
      ]),
    );

    // From memory and from the database; what was said while the farm was open is not repeated either.
    const second = await startSecondProcess(market.env);
    for (const [url, after] of [
      [market.url, closedAt],
      [market.url, before],
      [second.url, before],
    ] as const) {
      for (const party of PARTIES) {
        const replayed = await reconnect(url, { token: callerOf(party)?.token, after });
        if (replayed.some(({ name }) => name === 'resync')) continue;
        const names = new Set([farm.id, product, slot].flatMap((id) => mentions(replayed, id)));
        names.delete('farmer.listingChanged');
        // Their own orders go on, and say that they may be cancelled now.
        if (ORDERED.includes(party)) names.delete('order.updated');
        if (!PAGE.includes(party)) expect([...names], party).toEqual([]);
        else if (!INSIDERS.includes(party)) expect([...names], party).toEqual(['farmer.updated']);
        else expect(names, party).toContain('slot.updated');
      }
    }
    await second.close();

    await open(farm);
    await settle(all);
    for (const party of PARTIES) received[party].length = 0;
    await changeAll(made);
    await settle(all);
    for (const party of PARTIES) expect(live(party), party).toContain('slot.updated');
    closeSockets();
  });

  it('goes on writing with whom has ordered there, where a conversation exists, and with nobody else', async () => {
    const made = await makeFarm();
    const { farm, owner } = made;
    const { talker, customer, buyer, stranger } = people;
    const toFarm = async (as: Caller) =>
      (await post('/messages', as, { receiver: farm.id, content: 'Are you there?' })).status;
    const fromFarm = async (to: Caller) =>
      (await post('/messages', owner, { receiver: to.id, content: 'We are.' })).status;
    const lists = async (as: Caller) =>
      JSON.stringify((await get('/messages?limit=200', as)).body.data).includes(farm.id);
    const unread = async (as: Caller) => (await get('/messages', as)).body.unreadCount;
    const unreadBefore = await unread(talker);
    await close(farm);
    expect(await Promise.all([stranger, talker, buyer, customer].map(toFarm))).toEqual([
      404, 404, 404, 201,
    ]);
    expect(await Promise.all([talker, buyer, customer].map(fromFarm))).toEqual([404, 404, 201]);
    expect(await toFarm(admin)).toBe(201);
    const threads = [stranger, talker, buyer, customer].map(
      async (as) => (await get(`/messages/${farm.id}`, as)).status,
    );
    expect((await Promise.all(threads)).map((status) => status === 200)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(await Promise.all([talker, customer].map(lists))).toEqual([false, true]);
    expect(await unread(talker)).toBe(unreadBefore - 1);
    expect((await put(`/messages/read/${farm.id}`, talker, {})).status).toBe(404);
    // The farm still reads what was written to it.
    expect((await get(`/messages/${talker.id}`, owner)).status).toBe(200);
    const [message] = (await get(`/messages/${talker.id}`, owner)).body.data.filter(
      ({ receiver }: { receiver: { _id: string } }) => receiver._id === talker.id,
    );
    const report = { kind: 'message', id: message._id, reason: 'spam' };
    expect((await post('/reports', talker, report)).status).toBe(404);
    await open(farm);
    expect(await Promise.all([stranger, talker, buyer].map(toFarm))).toEqual([201, 201, 201]);
    expect(await lists(talker)).toBe(true);
  });

  it('sells nothing more to those whose orders go on', async () => {
    const { farm, product, order, packer } = await makeFarm();
    await close(farm);
    const items = [{ product, quantity: 3 }];
    const more = await put(`/orders/${order}/items`, people.customer, { items });
    expect([more.status, more.body.code]).toEqual([409, 'PRODUCT_UNAVAILABLE']);
    expect((await post('/orders', people.customer, orderInput(farm.id, items))).status).not.toBe(
      201,
    );
    const again = await post(`/orders/${order}/again`, people.customer, {});
    expect(again.body.data.items).toMatchObject([{ outcome: 'gone' }]);
    expect((await get(`/orders/${order}/payment`, people.customer)).status).toBe(200);
    expect((await get('/orders/farmer', packer)).body.count).toBe(2);
  });

  it('is present for nobody else', async () => {
    const { farm, owner } = await makeFarm();
    const { talker, customer } = people;
    const [toTalker, toCustomer] = await Promise.all(
      [talker, customer].map(async ({ token }) => {
        const socket = await market.connect({ token });
        const received = listen(socket);
        const of = () => received.filter(({ name }) => name === 'presence.changed');
        socket.emit('presence.watch', { userIds: [farm.id] });
        await until(() => of().length === 1);
        return { received, of };
      }),
    );
    await close(farm);
    await settle([toTalker?.received ?? [], toCustomer?.received ?? []]);
    await market.connect({ token: owner.token });
    await until(() => toCustomer?.of().length === 2);
    expect(toTalker?.of()).toHaveLength(1);
    await open(farm);
  });
});

it('tells only those who saw it that a closed farm is deleted, suspended or restored', async () => {
  const made = await makeFarm();
  const { farm } = made;
  // Until it is closed everybody hears of it.
  const before = listen(await market.connect());
  await approve(farm, false);
  await settle([before]);
  const { received } = await watchAll(made);
  const after = await market.platform.eventLog.head();
  await suspend(farm, true);
  await suspend(farm, false);
  expect((await market.delete(`/users/${farm.id}?closes=true`, admin)).status).toBe(200);
  await settle([received.stranger, received.admin, received.visitor]);
  expect(mentions(received.admin, farm.id)).toEqual(
    expect.arrayContaining(['farmer.listingChanged', 'farmer.deleted']),
  );
  for (const party of ['visitor', 'stranger', 'customer'] as const) {
    expect(mentions(received[party], farm.id).filter((name) => name.startsWith('farmer.'))).toEqual(
      [],
    );
  }
  const replayed = await reconnect(market.url, { token: people.stranger.token, after });
  expect(mentions(replayed, farm.id)).toEqual([]);
});

it('registers as a draft without anybody hearing of it', async () => {
  const socket = await market.connect();
  const received = listen(socket);
  const after = await market.platform.eventLog.head();
  const farm = await market.join('farmer');
  await makeSlot(market, farm);
  await settle([received]);
  expect(mentions(received, farm.id)).toEqual([]);
  expect(mentions(await reconnect(market.url, { after }), farm.id)).toEqual([]);
  const written = { receiver: farm.id, content: 'Guessed you' };
  expect((await post('/messages', people.stranger, written)).status).toBe(404);
});
