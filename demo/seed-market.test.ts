// @long It reads and draws many pictures.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Product } from '#contract/catalogue/products/product';
import { BusinessHours, UpdateFarmProfile } from '#contract/farm/farmers/farmers';
import { findTransition, isFinal, type Party } from '#contract/ordering/orders/constants';
import { Order } from '#contract/ordering/orders/orders';
import { Notification } from '#contract/people/notifications/notifications';
import { fromMinor } from '#contract/platform/money/constants';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';
import { takenMilli } from '#contract/platform/quantities/constants/pieces';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import { isOffered, isOfSteps } from '#contract/platform/quantities/constants/steps';
import { dayIn } from '#contract/platform/time/constants';
import {
  presentProduct,
  presentStocked,
  productInclude,
} from '../server/catalogue/products/present.ts';
import { orderInclude, presentOrder } from '../server/ordering/model/present.ts';
import { totalOf } from '../server/ordering/model/present-lines.ts';
import { verifyPassword } from '../server/people/auth/password.ts';
import { presentNotification, readNames } from '../server/people/notifications/present.ts';
import { instantOf } from '../server/platform/time/clock.ts';
import { pictureNames } from '../server/platform/uploads/storage.ts';
import { DEMO_TIME_ZONE, seedMarket } from './seed-market.ts';
import { openMarket } from './testing/open-market.ts';
import { DAY_MS, weekdayOf } from './times.ts';

const now = new Date('2026-03-18T09:30:00.000Z');

type Market = Awaited<ReturnType<typeof openMarket>>;

const countRows = async ({ db }: Market) => ({
  farms: await db.farmerProfile.count(),
  users: await db.user.count(),
  categories: await db.category.count(),
  products: await db.product.count(),
  orders: await db.order.count(),
  messages: await db.message.count(),
  notifications: await db.notification.count(),
  uploads: await db.upload.count(),
});

let market: Market;
let outcomes: Awaited<ReturnType<typeof seedMarket>>[];

beforeAll(async () => {
  market = await openMarket();
  outcomes = await Promise.all([seedMarket(market, now), seedMarket(market, now)]);
});

afterAll(() => market.close());

describe('the demo market', () => {
  it('is created once by two concurrent seeds', async () => {
    expect(outcomes.map(({ wasSeeded }) => wasSeeded).sort()).toEqual([false, true]);
    expect(await market.db.farmerProfile.count({ where: { timeZone: 'Asia/Karachi' } })).toBe(9);
    const settings = await market.db.marketSettings.findUniqueOrThrow({ where: { id: 1 } });
    expect(settings.timeZone).toBe('Asia/Karachi');
    expect(await countRows(market)).toMatchObject({
      farms: 9,
      users: 19,
      categories: 6,
      products: 52,
      orders: 84,
    });
  });

  it('does not change when seeded again', async () => {
    const first = await countRows(market);
    const outcome = await seedMarket(market, new Date(now.getTime() + DAY_MS));
    expect(outcome).toEqual({ wasSeeded: false, picturesRendered: 0 });
    expect(await countRows(market)).toEqual(first);
  });

  it('restores only the picture whose file is missing', async () => {
    const [upload] = await market.db.upload.findMany({ take: 1 });
    const { large, small } = pictureNames(upload?.id ?? '');
    await market.storage.remove(large);
    await market.storage.remove(small);
    expect(await seedMarket(market, now)).toEqual({ wasSeeded: false, picturesRendered: 1 });
    expect(await market.storage.read(large)).toBeDefined();
  });

  it('does not seed a market that has accounts', async () => {
    const other = await openMarket();
    await other.db.user.create({
      data: { name: 'Eve', email: 'eve@example.org', passwordHash: '', role: 'farmer' },
    });
    expect(await seedMarket(other, now)).toEqual({ wasSeeded: false, picturesRendered: 0 });
    expect(await countRows(other)).toMatchObject({ users: 1, products: 0 });
    await other.close();
  });

  it('has the demo accounts with the demo password', async () => {
    const roles = {
      'admin@farmgate.test': 'admin',
      'farmer@farmgate.test': 'farmer',
      'farmer2@farmgate.test': 'farmer',
      'consumer@farmgate.test': 'consumer',
      'consumer2@farmgate.test': 'consumer',
      'noor@farmgate.test': 'farmer',
      'zainab@farmgate.test': 'consumer',
    };
    for (const [email, role] of Object.entries(roles)) {
      const user = await market.db.user.findUniqueOrThrow({ where: { email } });
      expect(user.role).toBe(role);
      expect(await verifyPassword(user.passwordHash, 'password123')).toBe(true);
    }
    const farm = await market.db.farmerProfile.findFirst({
      where: { user: { email: 'farmer@farmgate.test' } },
    });
    expect(farm?.farmName).toBe('Green Valley Farm');
  });

  it('offers three languages, and has people who read one from the right', async () => {
    const { languages } = await market.db.marketSettings.findUniqueOrThrow({ where: { id: 1 } });
    expect(languages).toEqual(['en', 'ur', 'de']);
    const readers = await market.db.user.findMany({
      where: { language: 'ur' },
      orderBy: { email: 'asc' },
    });
    expect(readers.map(({ email }) => email)).toEqual([
      'noor@farmgate.test',
      'zainab@farmgate.test',
    ]);
  });

  it('has farms that pass the validation of the profile form', async () => {
    for (const farm of await market.db.farmerProfile.findMany()) {
      const hours = BusinessHours.parse(farm.businessHours);
      expect(Object.values(hours).some(({ open }) => open !== '')).toBe(true);
      expect(farm.farmingPractices.length).toBeGreaterThan(1);
      UpdateFarmProfile.parse({
        ...farm,
        socialMedia: farm,
        businessHours: hours,
      });
    }
  });
});

describe('products', () => {
  it('cover every unit and match the contract, some low and some sold out', async () => {
    const rows = await market.db.product.findMany({ include: productInclude });
    for (const row of rows) Product.parse(presentProduct(row));
    for (const { unit } of rows) expect(['bunch', 'dozen', 'each', 'g', 'kg', 'l']).toContain(unit);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(52);
    expect(await market.db.productSku.count()).toBeGreaterThan(10);
    expect(rows.filter((row) => row.stockMilli === 0n).length).toBeGreaterThan(0);
    expect(
      rows.filter((row) => row.stockMilli > 0 && row.stockMilli < 10_000).length,
    ).toBeGreaterThan(2);
  });

  it('are sold in steps in part, and so is what was ordered of them', async () => {
    const rows = await market.db.product.findMany({ include: { orderLines: true } });
    const inSteps = rows.filter(({ stepMilli }) => stepMilli !== null);
    expect(inSteps.length).toBeGreaterThan(4);
    expect(inSteps.some(({ stepMilli }) => (stepMilli ?? 0) < 1000)).toBe(true);
    for (const { orderLines, ...row } of rows) {
      const stocked = presentStocked(row);
      expect(isOfSteps(stocked.quantityAvailable, stocked), row.name).toBe(true);
      const taken = orderLines.map((line) => fromMilli(takenMilli(line, line.quantityMilli)));
      for (const each of taken) expect(isOffered(each, stocked), row.name).toBe(true);
    }
    const lines = rows.flatMap(({ orderLines }) => orderLines);
    expect(lines.some(({ quantityMilli }) => quantityMilli % 1000 !== 0)).toBe(true);
  });

  it('have existing pictures in two sizes, all different', async () => {
    const rows = await market.db.product.findMany();
    const addresses = rows.flatMap(({ images }) => images);
    expect(new Set(rows.map(({ images }) => images[0])).size).toBe(52);
    const uploads = await market.db.upload.findMany();
    expect(addresses.sort()).toEqual(uploads.map(({ id }) => `/uploads/${id}.webp`).sort());

    const contents = new Set<string>();
    for (const { id, width, height } of uploads) {
      const { large, small } = pictureNames(id);
      const file = await readFile(path.join(market.uploads, large));
      contents.add(file.toString('base64'));
      expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width, height });
      expect(await sharp(path.join(market.uploads, small)).metadata()).toMatchObject({
        format: 'webp',
        width: 480,
      });
    }
    expect(contents.size).toBe(uploads.length);
    expect(await readdir(market.uploads)).toHaveLength(uploads.length * 2);
  });

  it('have a version for each stock change by an order', async () => {
    const rows = await market.db.product.findMany({
      include: { orderLines: { include: { order: true } } },
    });
    for (const { version, orderLines } of rows) {
      const moves = orderLines.map(({ order, takesStock }) =>
        takesStock ? (['rejected', 'cancelled'].includes(order.status) ? 2 : 1) : 0,
      );
      expect(version).toBe(1 + moves.reduce((sum: number, move) => sum + move, 0));
    }
  });
});

describe('orders', () => {
  const load = () =>
    market.db.order.findMany({
      include: { ...orderInclude, lines: { include: { product: true } } },
    });

  it('have every status and were placed within the last 30 days', async () => {
    const orders = await load();
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(ORDER_STATUSES));
    for (const { createdAt } of orders) {
      expect(createdAt.getTime()).toBeLessThan(now.getTime());
      expect(createdAt.getTime()).toBeGreaterThan(now.getTime() - 30 * DAY_MS);
    }
  });

  it('have every status between the demo accounts', async () => {
    const between = await market.db.order.groupBy({
      by: ['status'],
      where: {
        farmer: { email: 'farmer@farmgate.test' },
        consumer: { email: 'consumer@farmgate.test' },
      },
    });
    expect(between).toHaveLength(ORDER_STATUSES.length);
  });

  it('can be presented, with correct totals and only products that their farm sold then', async () => {
    for (const order of await load()) {
      expect(Order.parse(presentOrder(order)).totalAmount).toBe(fromMinor(totalOf(order.lines)));
      expect(order.lines.length).toBeGreaterThan(0);
      for (const { product } of order.lines) {
        expect(product?.farmerId).toBe(order.farmerId);
        expect(product?.createdAt.getTime()).toBeLessThan(order.createdAt.getTime());
      }
    }
  });

  it('reached their status by allowed transitions', async () => {
    for (const { timeline, ...order } of await load()) {
      expect(order.version).toBe(timeline.at(-1)?.version);
      expect(order.updatedAt).toEqual(timeline.at(-1)?.at);
      expect(timeline[0]).toMatchObject({
        sequence: 1,
        kind: 'status',
        status: 'pending',
        byId: order.consumerId,
        at: order.createdAt,
      });
      timeline.slice(1).forEach((entry, index) => {
        const before = timeline[index];
        expect([entry.sequence, entry.version]).toEqual([index + 2, index + 2]);
        expect(entry.at.getTime()).toBeGreaterThan(before?.at.getTime() ?? 0);
        expect(entry.at.getTime()).toBeLessThan(now.getTime());
      });
      const statuses = timeline.filter(({ kind }) => kind === 'status');
      expect(statuses.at(-1)?.status).toBe(order.status);
      statuses.slice(1).forEach((entry, index) => {
        const party: Party = entry.byId === order.consumerId ? 'consumer' : 'farmer';
        const [from, to] = [statuses[index]?.status, entry.status];
        expect(from && to && findTransition(from, to, party)).toBeDefined();
        if (entry.status === 'rejected') expect(entry.reason).toBeTruthy();
      });
    }
  });

  it('have a handover time when the farm is open: past if completed, future if open', async () => {
    const today = dayIn(DEMO_TIME_ZONE, now);
    for (const row of await load()) {
      const farm = await market.db.farmerProfile.findUniqueOrThrow({
        where: { userId: row.farmerId },
      });
      const { open, close } = BusinessHours.parse(farm.businessHours)[weekdayOf(row.date)];
      // Slots follow their place's hours alone.
      if (row.slotId === null) expect(row.time >= open && row.time < close).toBe(true);
      expect(row.isPickup ? farm.acceptsPickup : farm.acceptsDelivery).toBe(true);
      const { pickupDetails, deliveryDetails } = presentOrder(row);
      const date = (pickupDetails ?? deliveryDetails)?.date ?? '';
      if (!isFinal(row.status)) expect(date > today).toBe(true);
      if (row.status === 'completed') expect(date < today).toBe(true);
      expect(row.startsAt).toEqual(instantOf({ date, time: row.time }, DEMO_TIME_ZONE));
      expect(pickupDetails ? pickupDetails.location : deliveryDetails?.address.street).toBeTruthy();
    }
  });
});

describe('slots', () => {
  it('are ahead at three places, with as many orders as they say, some full, some closed', async () => {
    const slots = await market.db.slot.findMany({ include: { orders: true, place: true } });
    expect(new Set(slots.map(({ place }) => place.name)).size).toBe(3);
    for (const { orders, taken, capacity, startsAt, from, to, date } of slots) {
      expect(orders.length).toBe(taken);
      expect(capacity === null || taken <= capacity).toBe(true);
      expect(startsAt > now).toBe(true);
      for (const order of orders) {
        expect([order.time, order.endTime, order.date]).toEqual([from, to, date]);
      }
    }
    expect(slots.some(({ taken, capacity }) => taken === capacity)).toBe(true);
    expect(slots.some(({ taken, capacity }) => taken > 0 && taken < (capacity ?? 99))).toBe(true);
    expect(slots.some(({ state }) => state === 'closed')).toBe(true);
    const farm = await market.db.farmerProfile.findFirst({ where: { hasSlots: true } });
    expect(slots.every(({ farmId }) => farmId === farm?.userId)).toBe(true);
    expect(await market.db.timer.count({ where: { kind: 'slots.nextDay' } })).toBe(1);
  });
});

it('has a proposal that waits for its customer, who is notified, and has a timer that ends it', async () => {
  const [row, ...more] = await market.db.orderProposal.findMany();
  if (!row) throw new Error('There is no proposal.');
  expect([row.status, more]).toEqual(['open', []]);
  const order = await market.db.order.findUniqueOrThrow({
    where: { id: row.orderId },
    include: orderInclude,
  });
  const { openChange, timeline, totalAmount, version } = Order.parse(presentOrder(order));
  expect(openChange?.items).toEqual([
    expect.objectContaining({ action: 'reduce', quantity: 2, newQuantity: 1 }),
  ]);
  expect(openChange?.totalBefore).toBe(totalAmount);
  expect(openChange?.totalAfter).toBeLessThan(totalAmount);
  expect(row.baseVersion).toBe(version - 1);
  expect(timeline.at(-1)).toMatchObject({
    kind: 'proposal',
    detail: { proposal: row.id, status: 'open', totalAfter: openChange?.totalAfter },
  });
  const hoursLeft = (row.answerBy.getTime() - now.getTime()) / (60 * 60_000);
  expect(hoursLeft).toBeGreaterThan(1.9);
  expect(hoursLeft).toBeLessThanOrEqual(2);

  const timers = await market.db.timer.findMany({ where: { key: { contains: row.id } } });
  expect(timers.map(({ kind }) => kind).sort()).toEqual([
    'order.change',
    'order.changeReminder',
    'order.changeReminder',
  ]);
  expect(timers.find(({ kind }) => kind === 'order.change')?.dueAt).toEqual(row.answerBy);
  const notifications = await market.db.notification.findMany({
    where: { kind: 'order.changeProposed' },
  });
  expect(notifications).toMatchObject([
    { userId: order.consumerId, link: `/orders/${order.id}`, readAt: null },
  ]);
});

describe('conversations', () => {
  it('have a row for each side with the correct last message and unread count', async () => {
    const conversations = await market.db.conversation.findMany();
    const messages = await market.db.message.findMany({ orderBy: { createdAt: 'asc' } });
    expect(conversations.length).toBeGreaterThan(10);
    expect(conversations.some(({ unreadCount }) => unreadCount > 0)).toBe(true);
    for (const { userId, otherId, ...view } of conversations) {
      const between = messages.filter(
        ({ senderId, receiverId }) =>
          (senderId === userId && receiverId === otherId) ||
          (senderId === otherId && receiverId === userId),
      );
      const unread = between.filter((message) => message.receiverId === userId && !message.readAt);
      expect(view.unreadCount).toBe(unread.length);
      expect(view.lastMessageId).toBe(between.at(-1)?.id);
      expect(view.lastMessageAt).toEqual(between.at(-1)?.createdAt);
      expect(conversations.some((one) => one.userId === otherId && one.otherId === userId)).toBe(
        true,
      );
    }
    for (const { createdAt } of messages) expect(createdAt.getTime()).toBeLessThan(now.getTime());
  });

  it('only refer to orders between both people', async () => {
    const about = await market.db.message.findMany({
      where: { relatedOrderId: { not: null } },
      include: { relatedOrder: true },
    });
    expect(about.length).toBeGreaterThan(1);
    for (const { senderId, receiverId, relatedOrder } of about) {
      expect([relatedOrder?.consumerId, relatedOrder?.farmerId].sort()).toEqual(
        [senderId, receiverId].sort(),
      );
    }
  });
});

it('creates notifications that match the contract and are not in the future', async () => {
  const rows = await market.db.notification.findMany();
  const names = await readNames(market.db, rows);
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.some(({ readAt }) => readAt === null)).toBe(true);
  for (const row of rows) {
    Notification.parse(presentNotification(row, names));
    expect(row.createdAt.getTime()).toBeLessThan(now.getTime());
  }
});
