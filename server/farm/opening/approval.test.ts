import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { room } from '#contract/platform/events/constants';
import { until } from '../../../testing/until.ts';
import { reconnect } from '../../edge/realtime/testing/connections.ts';
import { record } from '../../platform/events/event-log.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
  type TestSocket,
} from '../../testing/market.ts';
import { changeMarket } from '../../testing/market-settings.ts';
import { makeSlot, nextMonday } from '../../testing/slots.ts';
import { hire } from '../../testing/staff.ts';

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin');
const consumer = await market.join('consumer');
const category = await makeCategory(market.platform);
beforeEach(() => setApproving(true));

const setApproving = (approvesFarms: boolean) =>
  market.platform.db.marketSettings.update({ where: { id: 1 }, data: { approvesFarms } });
const { get } = market;
const { put } = market;

const decide = (farm: Caller, approved: boolean, reason?: string, id = farm.id) =>
  put(`/users/farmers/${id}/approval`, admin, { approved, ...(reason ? { reason } : {}) });
const ask = (as: Caller) => market.post('/farm/opening', as, {});
const openingOf = async (as: Caller) => (await get('/farm/opening', as)).body.data;
const stepsDone = async (as: Caller): Promise<string[]> =>
  (await openingOf(as)).steps
    .filter(({ isDone }: { isDone: boolean }) => isDone)
    .map(({ step }: { step: string }) => step);
const queue = async (state: string): Promise<string[]> =>
  (await get(`/admin/farms?state=${state}&limit=200`, admin)).body.data.map(
    ({ _id }: { _id: string }) => _id,
  );

const saveProfile = (as: Caller, over: Record<string, unknown> = {}) =>
  put('/users/farmers/profile', as, {
    farmName: `Farm ${as.id}`,
    description: 'Good soil.',
    businessHours: { monday: { open: '08:00', close: '12:00' } },
    ...over,
  });
const saveTown = (as: Caller, city: string) => {
  const address = { street: '', city, state: '', zipCode: '' };
  return put('/users/profile', as, { name: as.name, address });
};
const addProduct = async (as: Caller, over: Record<string, unknown> = {}): Promise<string> =>
  (await market.post('/products', as, productInput(category, over))).body.data._id;
const order = (farm: Caller, product: string, headers: Record<string, string> = {}) =>
  market.call('POST', '/orders', {
    as: consumer,
    body: orderInput(farm.id, [{ product, quantity: 1 }], {
      pickupDetails: { date: nextMonday(), time: '10:00', location: 'Farm gate' },
    }),
    headers,
  });

/** A draft with everything that it needs, and its product. */
async function newDraft(): Promise<{ farm: Caller; product: string }> {
  const farm = await market.join('farmer');
  await saveProfile(farm);
  return { farm, product: await addProduct(farm, { name: `Beets ${farm.id}` }) };
}

/** Waits until the socket has received all events so far. */
async function untilDelivered(socket: TestSocket): Promise<void> {
  const _id = randomUUID();
  const received = new Promise<void>((resolve) => {
    socket.on('category.changed', ({ data }) => data._id === _id && resolve());
  });
  const { db, eventLog } = market.platform;
  await record(db, { name: 'category.changed', data: { _id }, rooms: [room.everyone] });
  await eventLog.sequence();
  await received;
}

/** Every public address that could show the farm or its product, with whether it does. */
async function seenBy(as: Caller | undefined, farm: Caller, product: string) {
  const shows = async (path: string, text: string) =>
    JSON.stringify((await get(path, as)).body.data ?? []).includes(text);
  return {
    farm: (await get(`/users/farmers/${farm.id}`, as)).status,
    product: (await get(`/products/${product}`, as)).status,
    slots: (await get(`/users/farmers/${farm.id}/slots`, as)).status,
    days: (await get(`/users/farmers/${farm.id}/days`, as)).status,
    farms: await shows(`/users/farmers?search=${farm.id}`, farm.id),
    catalogue: await shows(`/products?farmer=${farm.id}`, product),
    search: await shows(`/products?search=${farm.id}`, product),
    best: await shows(`/products?search=${farm.id}&sort=relevance`, product),
    facets: await shows('/products/facets', farm.id),
    chosenFacet: await shows(`/products/facets?farmer=${farm.id}`, farm.id),
  };
}
const LISTED = {
  farms: true,
  catalogue: true,
  search: true,
  best: true,
  facets: true,
  chosenFacet: true,
};
const UNLISTED = {
  farms: false,
  catalogue: false,
  search: false,
  best: false,
  facets: false,
  chosenFacet: false,
};
const FOUND = { farm: 200, product: 200, slots: 200, days: 200 };
const MISSING = { farm: 404, product: 404, slots: 404, days: 404 };

describe('a draft', () => {
  it('is found by its people and admins alone, in any case of its id', async () => {
    const { farm, product } = await newDraft();
    await makeSlot(market, farm);
    const packer = await hire(market, farm, 'packer');
    const stranger = await market.join('farmer');
    for (const as of [undefined, consumer, stranger]) {
      expect(await seenBy(as, farm, product)).toEqual({ ...MISSING, ...UNLISTED });
    }
    for (const as of [farm, packer, admin]) {
      expect(await seenBy(as, farm, product)).toEqual({ ...FOUND, ...UNLISTED });
    }
    const upper = farm.id.toUpperCase();
    expect((await get(`/users/farmers/${upper}`)).status).toBe(404);
    expect((await get(`/users/farmers/${upper}`, farm)).body.data.isDraft).toBe(true);
    expect((await get('/products/farmer/me', farm)).body.data[0].farmer.isDraft).toBe(true);
    // Anyone who guesses the product's id learns nothing.
    expect((await put(`/products/${product}`, stranger, { price: 1 })).status).toBe(404);
  });

  it('shows nobody else its products, live or when they come back', async () => {
    const { farm, product } = await newDraft();
    const after = await market.platform.eventLog.head();
    const visitor = await market.connect();
    const own = await market.connect({ token: farm.token });
    const received: string[] = [];
    const receivedByFarm: string[] = [];
    visitor.onAny((name: string) => received.push(name));
    own.onAny((name: string) => receivedByFarm.push(name));
    expect(await visitor.emitWithAck('products.watch', { productIds: [product] })).toEqual({});
    const known = await own.emitWithAck('products.watch', { productIds: [product] });
    expect(Object.keys(known)).toEqual([product]);

    await put(`/products/${product}`, farm, { price: 3 });
    await put(`/products/${product}`, farm, { isActive: false });
    await put(`/products/${product}`, farm, { isActive: true });
    const changes = [{ product, quantityAvailable: 0 }];
    await put('/products/stock', farm, { changes });
    await addProduct(farm);
    await market.delete(`/products/${product}`, farm);
    await untilDelivered(visitor);
    await untilDelivered(own);
    expect(received.filter((name) => name !== 'category.changed')).toEqual([]);
    expect(receivedByFarm).toEqual(
      expect.arrayContaining(['product.created', 'product.updated', 'product.deleted']),
    );

    const replayTo = async (auth: { token?: string }) =>
      (await reconnect(market.url, { ...auth, after })).map(({ name }) => name);
    expect(await replayTo({ token: farm.token })).toContain('product.updated');
    expect((await replayTo({})).filter((name) => name?.startsWith('product'))).toEqual([]);
  });

  it('cannot be ordered from; the key of the refused order is unused once it is approved', async () => {
    const { farm, product } = await newDraft();
    const headers = { 'idempotency-key': randomUUID() };
    const refused = await order(farm, product, headers);
    expect([refused.status, refused.body.code]).toEqual([409, 'FARM_NOT_APPROVED']);
    expect((await decide(farm, true)).status).toBe(200);
    const placed = await order(farm, product, headers);
    expect(placed.status).toBe(201);

    // The order stays what it was; a repeat gets the first answer, and nothing new is taken.
    await decide(farm, false, 'Please check your prices.');
    expect((await order(farm, product, headers)).body).toEqual(placed.body);
    expect((await order(farm, product)).body.code).toBe('FARM_NOT_APPROVED');
    const { _id } = placed.body.data;
    const again = await market.post(`/orders/${_id}/again`, consumer, {});
    expect(again.body.data.items).toMatchObject([{ outcome: 'gone' }]);
    expect((await put(`/orders/${_id}`, farm, { status: 'accepted' })).status).toBe(200);
  });
});

describe('the steps', () => {
  it('are done one by one, and all are needed to ask', async () => {
    const farm = await market.join('farmer');
    await saveTown(farm, '');
    expect(await openingOf(farm)).toEqual({
      state: 'preparing',
      reason: null,
      steps: ['profile', 'address', 'hours', 'product'].map((step) => ({ step, isDone: false })),
      further: ['place', 'payment', 'people'].map((step) => ({
        step,
        isDone: false,
        isSetAside: false,
      })),
    });
    expect(await queue('preparing')).toContain(farm.id);
    await saveProfile(farm, { businessHours: {} });
    expect(await stepsDone(farm)).toEqual(['profile']);
    const inactive = await addProduct(farm, { isActive: false });
    expect(await stepsDone(farm)).toEqual(['profile']);
    await put(`/products/${inactive}`, farm, { isActive: true });
    expect(await stepsDone(farm)).toEqual(['profile', 'product']);
    expect(await ask(farm)).toMatchObject({ status: 409, body: { code: 'NOT_READY' } });
    await saveProfile(farm);
    expect(await stepsDone(farm)).toEqual(['profile', 'hours', 'product']);
    expect((await ask(farm)).body.code).toBe('NOT_READY');
    await saveTown(farm, '  ');
    expect((await ask(farm)).body.code).toBe('NOT_READY');
    await saveTown(farm, 'Ashford');
    expect(await stepsDone(farm)).toEqual(['profile', 'address', 'hours', 'product']);
    expect((await ask(farm)).body.data.state).toBe('waiting');
  });

  it('name the email where the market asks for one that is verified', async () => {
    const { farm } = await newDraft();
    await changeMarket(market, { requiresVerifiedEmail: true });
    try {
      expect((await openingOf(farm)).steps[0]).toEqual({ step: 'email', isDone: false });
      expect((await ask(farm)).body.code).toBe('NOT_READY');
      const owner = { where: { id: farm.id }, data: { emailVerifiedAt: new Date() } };
      await market.platform.db.user.update(owner);
      expect(await stepsDone(farm)).toEqual(['email', 'profile', 'address', 'hours', 'product']);
      expect((await ask(farm)).body.data.state).toBe('waiting');
    } finally {
      await changeMarket(market, { requiresVerifiedEmail: false });
    }
  });

  it('count the hours of a pickup place too', async () => {
    const farm = await market.join('farmer');
    await makeSlot(market, farm);
    expect(await stepsDone(farm)).toEqual(['address', 'hours']);
  });
});

describe('a decision', () => {
  it('is asked for, sent back with a reason, asked for again and made', async () => {
    const { farm, product } = await newDraft();
    const received: [string, string | null][] = [];
    for (const who of [farm, admin]) {
      const socket = await market.connect({ token: who.token });
      socket.on('farm.approvalChanged', ({ data }) => {
        if (data._id === farm.id) received.push([data.state, data.reason]);
      });
    }
    const visitor = await market.connect();
    const changed: string[] = [];
    visitor.on('farmer.updated', ({ data }) => changed.push(data._id));

    expect((await ask(farm)).status).toBe(200);
    expect((await ask(farm)).body.data.state).toBe('waiting');
    expect(await queue('waiting')).toContain(farm.id);
    const back = await decide(farm, false, 'Please add a photo.');
    expect(back.body.data).toMatchObject({ state: 'sent_back', reason: 'Please add a photo.' });
    expect(await openingOf(farm)).toMatchObject({
      state: 'sent_back',
      reason: 'Please add a photo.',
    });
    expect(await queue('waiting')).not.toContain(farm.id);
    expect(await queue('preparing')).toContain(farm.id);
    await untilDelivered(visitor);
    expect(changed).toEqual([]);

    expect((await ask(farm)).body.data).toMatchObject({ state: 'waiting', reason: null });
    expect((await decide(farm, true)).body.data.state).toBe('approved');
    expect((await decide(farm, true)).body.data.state).toBe('approved');
    expect(await queue('approved')).toContain(farm.id);
    expect(await seenBy(undefined, farm, product)).toEqual({ ...FOUND, ...LISTED });
    await until(() => changed.includes(farm.id));
    await until(() => received.length === 8);
    const states = ['waiting', 'sent_back', 'waiting', 'approved'];
    expect(received.map(([state]) => state).sort()).toEqual([...states, ...states].sort());
    expect(changed).toEqual([farm.id]);

    const entries = await market.platform.db.auditEntry.findMany({
      where: { targetId: farm.id },
      orderBy: { at: 'asc' },
    });
    expect(entries.map(({ action }) => action)).toEqual([
      'farm.sentBack',
      'farm.approved',
      'farm.approved',
    ]);
  });

  it('lets those that wait longest be seen first, page by page', async () => {
    await market.platform.db.farmerProfile.updateMany({
      where: { askedAt: { not: null } },
      data: { askedAt: null, approvedAt: new Date() },
    });
    const asked: string[] = [];
    for (let count = 0; count < 3; count++) {
      const { farm } = await newDraft();
      await ask(farm);
      asked.push(farm.id);
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await get(`/admin/farms?limit=1&cursor=${cursor}`, admin);
      seen.push(...body.data.map(({ _id }: { _id: string }) => _id));
      cursor = body.nextCursor ?? '';
    } while (cursor);
    expect(seen).toEqual(asked);
  });

  it('needs a reason to send back, an admin, a farm, and a market that approves', async () => {
    const { farm } = await newDraft();
    const reasonless = await decide(farm, false);
    expect([reasonless.status, reasonless.body.errors[0].path]).toEqual([400, 'reason']);
    for (const as of [farm, consumer]) {
      const path = `/users/farmers/${farm.id}/approval`;
      expect((await put(path, as, { approved: true })).status).toBe(403);
    }
    expect((await decide(farm, true, undefined, randomUUID())).status).toBe(404);
    expect((await decide(farm, true, undefined, consumer.id)).status).toBe(404);
    expect((await decide(farm, true, undefined, farm.id.toUpperCase())).status).toBe(200);
    await setApproving(false);
    const { status, body } = await decide(farm, false, 'Too late.');
    expect([status, body.code]).toEqual([409, 'APPROVAL_NOT_NEEDED']);
  });

  it('shows no product that an admin has hidden', async () => {
    const { farm, product } = await newDraft();
    await put(`/products/${product}/hiding`, admin, { hidden: true, reason: 'Spoilt.' });
    await decide(farm, true);
    expect((await get(`/products/${product}`)).status).toBe(404);
    expect((await get(`/products?farmer=${farm.id}`)).body.data).toEqual([]);
  });

  it('against a farm holds at once, also for orders and products of that moment', async () => {
    const { farm, product } = await newDraft();
    await decide(farm, true);
    const orders = Array.from({ length: 8 }, () => order(farm, product));
    const products = Array.from({ length: 4 }, () => addProduct(farm));
    const withdrawn = decide(farm, false, 'We had complaints.');
    const answers = await Promise.all(orders);
    for (const { status, body } of answers) {
      expect([201, 'FARM_NOT_APPROVED']).toContain(status === 201 ? 201 : body.code);
    }
    expect((await withdrawn).status).toBe(200);
    await Promise.all(products);
    expect(await seenBy(undefined, farm, product)).toEqual({ ...MISSING, ...UNLISTED });
    expect((await order(farm, product)).body.code).toBe('FARM_NOT_APPROVED');
    const { stockMilli } = await market.platform.db.product.findUniqueOrThrow({
      where: { id: product },
    });
    const taken = answers.filter(({ status }) => status === 201).length;
    expect(Number(stockMilli)).toBe((50 - taken) * 1000);
  });
});

describe('the setting of the market', () => {
  it('makes drafts of farms that register from then on, and of no others', async () => {
    await setApproving(false);
    const before = await market.join('farmer');
    await setApproving(true);
    const after = await market.join('farmer');
    expect((await get(`/users/farmers/${before.id}`)).status).toBe(200);
    expect((await openingOf(before)).state).toBe('approved');
    expect((await get(`/users/farmers/${after.id}`)).status).toBe(404);
  });

  it('opens all drafts when it is switched off, and notifies everyone', async () => {
    const { farm, product } = await newDraft();
    await ask(farm);
    const { farm: sentBack, product: other } = await newDraft();
    await decide(sentBack, false, 'No.');
    const visitor = await market.connect();
    const changed: string[] = [];
    visitor.on('farmer.updated', ({ data }) => changed.push(data._id));
    expect((await put('/market', admin, { approvesFarms: false })).status).toBe(200);
    for (const [each, its] of [
      [farm, product],
      [sentBack, other],
    ] as const) {
      expect(await seenBy(undefined, each, its)).toMatchObject(LISTED);
      expect((await openingOf(each)).state).toBe('approved');
    }
    await until(() => [farm.id, sentBack.id].every((id) => changed.includes(id)));
    expect(await queue('waiting')).toEqual([]);
    expect(await queue('preparing')).toEqual([]);
  });
});
