import { expect, it } from 'vitest';
import { FOLLOWS_MAX } from '#contract/catalogue/follows/constants';
import { closeAfter, makeCategory, productInput, startTestMarket } from '../../testing/market.ts';
import { changeMarket } from '../../testing/market-settings.ts';
import { changeFollows, expireFollows } from './follow.ts';
import { endWaits } from './wave.ts';

const market = closeAfter(await startTestMarket());
const { db } = market.platform;
const category = await makeCategory(market.platform);
const farmer = await market.join('farmer');

const newProduct = async (over: Record<string, unknown> = {}): Promise<string> =>
  (await market.post('/products', farmer, productInput(category, over))).body.data._id;
type Person = Awaited<ReturnType<typeof market.join>>;
const list = async (as: Person) => (await market.get('/follows', as)).body.data;
const follow = (as: Person, id: string) => market.put(`/follows/products/${id}`, as, {});
const unfollow = (as: Person, id: string) => market.delete(`/follows/products/${id}`, as);

it('lists products and farms, the latest first, and takes each off', async () => {
  const consumer = await market.join('consumer');
  const id = await newProduct({ name: 'Kale' });
  const first = await follow(consumer, id);
  expect(first.body.data).toMatchObject({ _id: id, state: 'waiting' });
  const farm = await market.put(`/follows/farms/${farmer.id}`, consumer, {});
  expect(farm.body.data).toMatchObject({ _id: farmer.id, state: 'waiting' });
  expect(await list(consumer)).toMatchObject([
    { farm: { _id: farmer.id, productCount: expect.any(Number) }, state: 'waiting' },
    { product: { _id: id, name: 'Kale' }, state: 'waiting', since: first.body.data.since },
  ]);
  // Of others it says nothing.
  expect(await list(await market.join('consumer'))).toEqual([]);
  for (let time = 0; time < 2; time++) {
    expect((await unfollow(consumer, id)).status).toBe(200);
    expect((await market.delete(`/follows/farms/${farmer.id}`, consumer)).status).toBe(200);
  }
  expect(await list(consumer)).toEqual([]);
});

it('keeps the place of those who wait, and prolongs it', async () => {
  const consumer = await market.join('consumer');
  const id = await newProduct();
  const { since } = (await follow(consumer, id)).body.data;
  await db.follow.updateMany({ where: { productId: id }, data: { expiresAt: new Date() } });
  expect((await follow(consumer, id)).body.data.since).toBe(since);
  const { expiresAt } = await db.follow.findFirstOrThrow({ where: { productId: id } });
  expect(expiresAt.getTime()).toBeGreaterThan(Date.now() + 89 * 24 * 3600_000);
});

it('waits again, at the end of the line, for those who were told and ask again', async () => {
  const consumer = await market.join('consumer');
  const id = await newProduct();
  const { since } = (await follow(consumer, id)).body.data;
  for (const state of ['told', 'ended'] as const) {
    await db.follow.updateMany({ where: { productId: id }, data: { state } });
    const again = (await follow(consumer, id)).body.data;
    expect(again.state).toBe('waiting');
    expect(again.since > since).toBe(true);
  }
});

it('is one row, of several calls at once', async () => {
  const consumer = await market.join('consumer');
  const id = await newProduct();
  const answers = await Promise.all([1, 2, 3].map(() => follow(consumer, id)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await list(consumer)).toHaveLength(1);
});

it('is 404 for what is not there, and leaves out what is off the market until it returns', async () => {
  const consumer = await market.join('consumer');
  const hidden = await newProduct({ isActive: false });
  for (const id of [crypto.randomUUID(), 'kale', hidden, farmer.id]) {
    expect((await follow(consumer, id)).status).toBe(404);
    expect((await unfollow(consumer, id)).status).toBe(404);
  }
  for (const id of [crypto.randomUUID(), 'farm', consumer.id]) {
    expect((await market.put(`/follows/farms/${id}`, consumer, {})).status).toBe(404);
    expect((await market.delete(`/follows/farms/${id}`, consumer)).status).toBe(404);
  }
  const id = await newProduct();
  await follow(consumer, id);
  await market.put(`/products/${id}`, farmer, { isActive: false });
  expect(await list(consumer)).toEqual([]);
  await market.put(`/products/${id}`, farmer, { isActive: true });
  expect(await list(consumer)).toMatchObject([{ product: { _id: id } }]);
  await market.put(`/products/${id}`, farmer, { isActive: false });
  expect((await unfollow(consumer, id)).status).toBe(200);
  expect(await db.follow.count({ where: { userId: consumer.id } })).toBe(0);
});

it('leaves a farm out while it is a draft or suspended, and follows none of these', async () => {
  const [admin, consumer, grower] = await Promise.all([
    market.join('admin'),
    market.join('consumer'),
    market.join('farmer'),
  ]);
  const path = `/follows/farms/${grower.id}`;
  await market.put(path, consumer, {});
  const setListed = async (isListed: boolean) => {
    const body = { suspended: !isListed, reason: 'Asked.' };
    await market.put(`/users/${grower.id}/suspension`, admin, body);
  };
  await setListed(false);
  expect(await list(consumer)).toEqual([]);
  const other = await market.join('consumer');
  expect((await market.put(path, other, {})).status).toBe(404);
  await setListed(true);
  expect(await list(consumer)).toHaveLength(1);
  await changeMarket(market, { approvesFarms: true });
  const draft = await market.join('farmer');
  expect((await market.put(`/follows/farms/${draft.id}`, consumer, {})).status).toBe(404);
  await changeMarket(market, { approvesFarms: false });
  // A farm that is deleted takes them along.
  await market.delete(`/users/${grower.id}`, admin);
  expect(await list(consumer)).toEqual([]);
  expect(await db.follow.count({ where: { farmId: grower.id } })).toBe(0);
});

it('is limited, with what was asked before counted and what has ended not', async () => {
  const collector = await market.join('consumer');
  const {
    id: _,
    sizes: __,
    ...data
  } = await db.product.findFirstOrThrow({
    where: { farmerId: farmer.id, isActive: true },
  });
  const made = await db.product.createManyAndReturn({
    data: Array.from({ length: FOLLOWS_MAX }, () => data),
    select: { id: true },
  });
  await db.follow.createMany({
    data: made.map(({ id }) => ({ userId: collector.id, productId: id, state: 'told' as const })),
  });
  const other = await newProduct({ quantityAvailable: 0 });
  const refused = await follow(collector, other);
  expect([refused.status, refused.body.code]).toEqual([409, 'TOO_MANY_FOLLOWS']);
  const alert = await market.put(`/products/${other}/alert`, collector, { isSet: true });
  expect(alert.body.code).toBe('TOO_MANY_FOLLOWS');
  // One that is a favourite already is no further one.
  expect((await follow(collector, made[0]?.id ?? '')).status).toBe(200);
  await db.follow.updateMany({
    where: { userId: collector.id, productId: made[1]?.id ?? '' },
    data: { state: 'ended' },
  });
  expect((await follow(collector, other)).status).toBe(200);
});

it("is the same row as today's button", async () => {
  const consumer = await market.join('consumer');
  const id = await newProduct({ quantityAvailable: 0 });
  const alert = `/products/${id}/alert`;
  await market.put(alert, consumer, { isSet: true });
  expect(await list(consumer)).toMatchObject([{ product: { _id: id }, state: 'waiting' }]);
  await db.follow.updateMany({ where: { productId: id }, data: { state: 'told' } });
  expect((await market.get(alert, consumer)).body.data).toEqual({ isSet: false });
  await market.put(alert, consumer, { isSet: true });
  expect(await list(consumer)).toMatchObject([{ state: 'waiting' }]);
  await unfollow(consumer, id);
  expect((await market.get(alert, consumer)).body.data).toEqual({ isSet: false });
});

it('waits no more, once taken back, for what was bought', async () => {
  const consumer = await market.join('consumer');
  const id = await newProduct({ quantityAvailable: 0 });
  await follow(consumer, id);
  await market.put(`/products/${id}`, farmer, { quantityAvailable: 9 });
  await db.$transaction((tx) => endWaits(tx, [{ userId: consumer.id, productId: id }]));
  for (const change of ['end', 'undo'] as const) {
    await changeFollows(market.platform, consumer.id, [id], change);
  }
  expect(await list(consumer)).toMatchObject([{ product: { _id: id }, state: 'told' }]);
});

it('is kept on where an old mail takes it back after it had expired', async () => {
  const consumer = await market.join('consumer');
  const id = await newProduct();
  await follow(consumer, id);
  await db.follow.updateMany({ where: { productId: id }, data: { expiresAt: new Date(0) } });
  await expireFollows(db);
  expect(await list(consumer)).toEqual([]);
  await changeFollows(market.platform, consumer.id, [id], 'undo');
  await expireFollows(db);
  expect(await list(consumer)).toMatchObject([{ product: { _id: id } }]);
});

it('is what a process of the release before reads and writes as stock alerts', async () => {
  const consumer = await market.join('consumer');
  const id = await newProduct({ quantityAvailable: 0 });
  const alerts = () =>
    db.$queryRaw`SELECT user_id AS "userId" FROM stock_alerts WHERE product_id = ${id}::uuid`;
  const insert = () => db.$queryRaw`
    INSERT INTO stock_alerts (user_id, product_id) VALUES (${consumer.id}::uuid, ${id}::uuid)
    RETURNING user_id, product_id, created_at`;
  expect(await insert()).toHaveLength(1);
  expect(await alerts()).toEqual([{ userId: consumer.id }]);
  expect(await list(consumer)).toMatchObject([{ state: 'waiting' }]);
  // Its workers take alerts once they have notified: the favourite stays.
  const taken = () => db.$queryRaw`
    DELETE FROM stock_alerts WHERE product_id = ${id}::uuid AND user_id = ANY (ARRAY[${consumer.id}::uuid])
    RETURNING user_id AS "userId"`;
  expect(await taken()).toEqual([{ userId: consumer.id }]);
  expect(await taken()).toEqual([]);
  expect(await list(consumer)).toMatchObject([{ state: 'told' }]);
  expect(await insert()).toHaveLength(1);
  expect(await list(consumer)).toMatchObject([{ state: 'waiting' }]);
});
