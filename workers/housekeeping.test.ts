import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { requireOwnUploads } from '../server/platform/uploads/service.ts';
import { createStorage, pictureNames } from '../server/platform/uploads/storage.ts';
import {
  closeAfter,
  makeCategory,
  productInput,
  startTestMarket,
} from '../server/testing/market.ts';
import { until } from '../testing/until.ts';
import { runCleanupTask, TASKS } from './housekeeping.ts';
import { startWorkers } from './start.ts';
import { placeOrder } from './testing/orders.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);

const market = closeAfter(await startTestMarket());
const farmer = await market.join('farmer');

/** Stores a picture of `owner` that was uploaded so many days ago. @returns its id */
async function storePicture(days: number, owner = farmer): Promise<string> {
  const { db, env } = market.platform;
  const id = randomUUID();
  await db.upload.create({
    data: { id, ownerId: owner.id, width: 1, height: 1, createdAt: daysAgo(days) },
  });
  const storage = createStorage(env);
  await Promise.all(
    Object.values(pictureNames(id)).map((name) => storage.write(name, Buffer.from('picture'))),
  );
  return id;
}

const urlOf = (id: string) => `/uploads/${id}.webp`;
const clearOrphans = () => runCleanupTask(market.platform, 'clear-orphaned-uploads');
const keptOf = async (...ids: string[]) => {
  const rows = await market.platform.db.upload.findMany({ where: { id: { in: ids } } });
  return ids.filter((id) => rows.some((row) => row.id === id));
};

it('removes pictures older than a day that no product, no order and no farm uses', async () => {
  const { db, env } = market.platform;
  const storage = createStorage(env);
  const consumer = await market.join('consumer');
  const order = await placeOrder(market.platform, { consumer, farmer });
  const [fresh, orphan, ofProduct, ofOrder, photo, cover] = await Promise.all([
    storePicture(0.9),
    storePicture(1.1),
    storePicture(30),
    storePicture(30),
    storePicture(30),
    storePicture(30),
  ]);
  await db.product.create({
    data: {
      farmerId: farmer.id,
      categoryId: await makeCategory(market.platform),
      name: 'Leeks',
      description: 'Long ones.',
      priceMinor: 200,
      unit: 'bunch',
      stockMilli: 20_000,
      images: [urlOf(ofProduct)],
    },
  });
  await db.orderLine.updateMany({
    where: { orderId: order._id },
    data: { image: urlOf(ofOrder) },
  });
  const where = { userId: farmer.id };
  const certificate = await storePicture(30);
  await db.farmerProfile.update({
    where,
    data: {
      ...{ photo: urlOf(photo), cover: urlOf(cover), certificateImage: urlOf(certificate) },
      ...{ certificateCode: 'DE-ÖKO-006', certificateUntil: new Date('2026-11-01') },
    },
  });

  await clearOrphans();
  const kept = [fresh, ofProduct, ofOrder, photo, cover, certificate];
  expect(await keptOf(orphan, ...kept)).toEqual(kept);
  expect(await storage.read(pictureNames(orphan).large)).toBeUndefined();
  expect(await storage.read(pictureNames(orphan).small)).toBeUndefined();
  expect(await storage.read(pictureNames(cover).large)).toBeDefined();

  // The farm takes another photo, and its cover away.
  const next = await storePicture(30);
  await db.farmerProfile.update({ where, data: { photo: urlOf(next), cover: null } });
  await clearOrphans();
  expect(await keptOf(photo, cover, next)).toEqual([next]);
});

it('keeps the logo of the market, no matter who uploaded it and is gone', async () => {
  const { db } = market.platform;
  const admin = await market.join('admin');
  const [logo, unused] = await Promise.all([storePicture(0, admin), storePicture(0, admin)]);
  await market.put('/market', admin, { logo: urlOf(logo) });
  await db.user.update({ where: { id: admin.id }, data: { deletedAt: new Date() } });
  await clearOrphans();
  expect(await keptOf(logo, unused)).toEqual([logo]);
});

it('removes the pictures of a deleted farm at once, but not those in orders', async () => {
  const { db, env } = market.platform;
  const [owner, consumer] = [await market.join('farmer'), await market.join('consumer')];
  const [photo, unused, ofOrder] = await Promise.all([
    storePicture(0, owner),
    storePicture(0, owner),
    storePicture(0, owner),
  ]);
  await market.put('/users/farmers/profile', owner, {
    farmName: 'Short Farm',
    description: 'Soil.',
    photo: urlOf(photo),
  });
  const order = await placeOrder(market.platform, { consumer, farmer: owner });
  await db.orderLine.updateMany({
    where: { orderId: order._id },
    data: { image: urlOf(ofOrder) },
  });
  await clearOrphans();
  expect(await keptOf(photo, unused, ofOrder)).toHaveLength(3);
  await market.delete(`/users/${owner.id}`, await market.join('admin'));
  await clearOrphans();
  expect(await keptOf(photo, unused, ofOrder)).toEqual([ofOrder]);
  expect(await createStorage(env).read(pictureNames(photo).large)).toBeUndefined();
});

it('does not remove a picture that a farm is about to show', async () => {
  const { db } = market.platform;
  const [shown, unused] = await Promise.all([storePicture(30), storePicture(30)]);
  const saving = new EventEmitter();
  // A busy machine takes longer than the five seconds of other transactions.
  const limits = { maxWait: 30_000, timeout: 50_000 };
  const save = db.$transaction(async (tx) => {
    await requireOwnUploads(tx, farmer.id, { photo: urlOf(shown) });
    const goOn = once(saving, 'go on');
    saving.emit('locked');
    await goOn;
    const data = { photo: urlOf(shown) };
    await tx.farmerProfile.update({ where: { userId: farmer.id }, data });
  }, limits);
  await once(saving, 'locked');
  await clearOrphans();
  expect(await keptOf(shown, unused)).toEqual([shown]);
  saving.emit('go on');
  await save;
  await clearOrphans();
  expect(await keptOf(shown)).toEqual([shown]);
});

it('deletes expired keys, links, deliveries and events', async () => {
  const { db, eventLog } = market.platform;
  const key = (name: string, days: number) => ({
    userId: farmer.id,
    key: name,
    requestHash: '',
    status: 201,
    body: {},
    createdAt: daysAgo(days),
  });
  await db.command.createMany({ data: [key('old', 1.1), key('young', 0.9)] });
  await db.passwordReset.createMany({
    data: [
      { tokenHash: 'old', userId: farmer.id, expiresAt: daysAgo(0.1) },
      { tokenHash: 'young', userId: farmer.id, expiresAt: daysAgo(-0.1) },
    ],
  });
  const email = { userId: farmer.id, channel: 'email', kind: 'order.placed' } as const;
  await db.notificationDelivery.createMany({
    data: [
      { ...email, key: 'old', status: 'sent', dueAt: daysAgo(90.1) },
      { ...email, key: 'young', status: 'sent', dueAt: daysAgo(89.9) },
      { ...email, key: 'failed', status: 'failed', dueAt: daysAgo(90.1) },
      { ...email, key: 'mark', status: 'sent', dueAt: daysAgo(90.1), channel: 'in_app' },
    ],
  });
  const timer = { kind: 'order.unanswered', dueAt: daysAgo(30) };
  await db.timer.createMany({
    data: [
      { ...timer, key: 'done long ago', doneAt: daysAgo(7.1) },
      { ...timer, key: 'done', doneAt: daysAgo(6.9) },
      { ...timer, key: 'waiting' },
    ],
  });
  await eventLog.sequence();
  const [first] = await eventLog.read(0);
  await db.eventLog.updateMany({ where: { seq: first?.seq ?? 0 }, data: { at: daysAgo(7.1) } });

  for (const name of Object.keys(TASKS)) await runCleanupTask(market.platform, name);
  expect((await db.command.findMany()).map((row) => row.key)).toEqual(['young']);
  expect((await db.passwordReset.findMany()).map((row) => row.tokenHash)).toEqual(['young']);
  const ledger = await db.notificationDelivery.findMany({ orderBy: { key: 'asc' } });
  expect(ledger.map((row) => row.key)).toEqual(['failed', 'mark', 'young']);
  const timers = await db.timer.findMany({ orderBy: { key: 'asc' } });
  expect(timers.map(({ key }) => key)).toEqual(['done', 'waiting']);
  const [oldest] = await eventLog.read(0, 1);
  expect(oldest?.seq).toBe((first?.seq ?? 0) + 1);
});

it('is scheduled once an hour, however many workers there are, without tasks of earlier releases', async () => {
  const { housekeeping } = market.platform.queues();
  await housekeeping.upsertJobScheduler('renamed-task', { every: 3_600_000 }, {});
  const workers = [await startWorkers(market.platform), await startWorkers(market.platform)];
  const scheduled = async () =>
    (await housekeeping.getJobSchedulers())
      .map(({ key }) => key)
      .sort()
      .join();
  const all = Object.keys(TASKS).sort().join();
  try {
    await until(async () => (await scheduled()) === all);
  } finally {
    // Workers that stay would answer the orders of the next tests.
    await Promise.all(workers.map((each) => each.close()));
  }
});

it('erases the address of a deleted consumer after the last order, and names written later', async () => {
  const { db, eventLog } = market.platform;
  const consumer = await market.join('consumer', 'Ada Echo');
  const admin = await market.join('admin');
  const order = await placeOrder(market.platform, { consumer, farmer });
  const where = { id: order._id };
  const street = `Street ${randomUUID()}`;
  await db.order.update({ where, data: { status: 'accepted', isPickup: false, street } });
  await market.delete(`/users/${consumer.id}`, admin);
  expect((await db.order.findUniqueOrThrow({ where })).street).toBe(street);
  // A worker had read the event before the account was deleted, and writes only now.
  const late = await db.notification.create({
    data: {
      userId: farmer.id,
      kind: 'order.placed',
      key: `order.placed:${order._id}`,
      title: 'New order from Ada Echo',
      body: 'One item.',
      link: '/orders',
    },
  });
  await runCleanupTask(market.platform, 'erase-deleted-people');
  expect((await db.order.findUniqueOrThrow({ where })).street).toBe(street);
  expect(await db.notification.findUniqueOrThrow({ where: { id: late.id } })).toMatchObject({
    title: 'New order from Deleted user',
  });
  await db.order.update({ where, data: { status: 'completed' } });
  // Long after the deletion, too.
  await db.user.update({ where: { id: consumer.id }, data: { deletedAt: daysAgo(40) } });
  await runCleanupTask(market.platform, 'erase-deleted-people');
  expect((await db.order.findUniqueOrThrow({ where })).street).toBe('');
  await eventLog.sequence();
});

it('deletes sign-in addresses after 30 days and devices after 180', async () => {
  const { db } = market.platform;
  const { id: userId } = await market.join('consumer');
  await db.signInSource.deleteMany({ where: { userId } });
  const source = (sourceHash: string, isDevice: boolean, days: number) => ({
    userId,
    sourceHash,
    isDevice,
    lastUsedAt: daysAgo(days),
  });
  await db.signInSource.createMany({
    data: [
      source('address kept', false, 29),
      source('address gone', false, 31),
      source('device kept', true, 179),
      source('device gone', true, 181),
    ],
  });
  await runCleanupTask(market.platform, 'delete-sign-in-sources');
  const left = await db.signInSource.findMany({
    where: { userId },
    orderBy: { sourceHash: 'asc' },
  });
  expect(left.map(({ sourceHash }) => sourceHash)).toEqual(['address kept', 'device kept']);
});

it('ends favorites after 90 days unless they were renewed, and deletes them 90 days later', async () => {
  const { db } = market.platform;
  const consumer = await market.join('consumer');
  const category = await makeCategory(market.platform);
  const newProduct = async () => {
    const { body } = await market.post('/products', farmer, productInput(category));
    await market.put(`/follows/products/${body.data._id}`, consumer, {});
    return body.data._id as string;
  };
  const [old, renewed, long] = [await newProduct(), await newProduct(), await newProduct()];
  const age = (productId: string, days: number) =>
    db.follow.updateMany({ where: { productId }, data: { expiresAt: daysAgo(days) } });
  await age(old, 1);
  await age(renewed, 1);
  await age(long, 91);
  await market.put(`/follows/products/${renewed}`, consumer, {});
  const socket = await market.connect({ token: consumer.token });
  const changed = once(socket as unknown as EventEmitter, 'account.changed');
  await runCleanupTask(market.platform, 'end-follows');
  await changed;
  const { data } = (await market.get('/follows', consumer)).body;
  expect(data).toMatchObject([{ product: { _id: renewed }, state: 'waiting' }]);
  const left = await db.follow.findMany({ where: { userId: consumer.id, state: 'ended' } });
  expect(left.map(({ productId }) => productId)).toEqual([old]);
});
