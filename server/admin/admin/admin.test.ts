import { describe, expect, it } from 'vitest';
import { AdminStats, AuditRecord, FeedItem } from '#contract/admin/admin/admin';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Four orders of 2.50 each, the first the oldest. */
const orders: string[] = [];

const change = (id: string, status: string, as = farmer) =>
  market.put(`/orders/${id}`, as, { status });

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin', 'Root');
const farmer = await market.join('farmer', 'Fern');
const consumer = await market.join('consumer', 'Cleo');
const category = await makeCategory(market.platform);
const made = await market.post('/products', farmer, productInput(category));
const product: string = made.body.data._id;
for (let index = 0; index < 4; index++) {
  const placed = await market.post(
    '/orders',
    consumer,
    orderInput(farmer.id, [{ product, quantity: 1 }]),
  );
  orders.push(placed.body.data._id);
}
const [completed = '', rejected = '', waiting = ''] = orders;
await change(completed, 'accepted');
await change(completed, 'completed');
await change(rejected, 'rejected', admin);
// Moved back in time: nobody answers this one, and the first was placed two days ago.
for (const [id, ago] of [
  [waiting, 45 * MINUTE_MS],
  [completed, 2 * DAY_MS],
] as const) {
  const at = new Date(Date.now() - ago);
  await market.platform.db.order.update({ where: { id }, data: { createdAt: at } });
  await market.platform.db.orderTimelineEntry.updateMany({
    where: { orderId: id, version: 1 },
    data: { at },
  });
}

const get = (path: string, as: Caller | undefined = admin) => market.get(path, as);

describe.each(['/admin/stats', '/admin/feed', '/admin/audit'])('%s', (path) => {
  it('allows only admins', async () => {
    expect((await market.get(path)).status).toBe(401);
    expect((await get(path, consumer)).status).toBe(403);
    expect((await get(path, farmer)).status).toBe(403);
    expect((await get(path)).status).toBe(200);
  });
});

describe('the figures', () => {
  it('count the whole market', async () => {
    const { data } = (await get('/admin/stats')).body;
    expect(AdminStats.parse(data)).toEqual(data);
    expect(data).toMatchObject({
      totalUsers: 2,
      usersByRole: { consumer: 1, farmer: 1, admin: 1 },
      totalOrders: 4,
      ordersByStatus: { pending: 2, accepted: 0, rejected: 1, completed: 1, cancelled: 0 },
      categoryCount: 1,
      revenue: 2.5,
    });
    expect(data.recentOrders.map((order: { _id: string }) => order._id)).toEqual([
      orders[3],
      orders[1],
      orders[2],
      orders[0],
    ]);
    expect(data.recentProducts[0]._id).toBe(product);
    expect(data.unanswered.map((order: { _id: string }) => order._id)).toEqual([orders[2]]);
  });

  it('contain every day of the last thirty and every minute of the last sixty', async () => {
    const { days, ordersPerMinute } = (await get('/admin/stats')).body.data;
    const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
    expect(days.map(({ date }: { date: string }) => date)).toEqual(
      Array.from({ length: 30 }, (_, index) => day(29 - index)),
    );
    expect(days.at(-3)).toEqual({ date: day(2), orders: 1, revenue: 2.5 });
    expect(days.reduce((sum: number, { orders }: { orders: number }) => sum + orders, 0)).toBe(4);
    const minutes = ordersPerMinute.map(({ minute }: { minute: string }) => Date.parse(minute));
    expect(minutes).toHaveLength(60);
    for (const [index, minute] of minutes.entries()) {
      expect(minute).toBe(minutes[0] + index * MINUTE_MS);
    }
    expect(
      ordersPerMinute.reduce((sum: number, { orders }: { orders: number }) => sum + orders, 0),
    ).toBe(3);
  });

  it('are complete in an empty market', async () => {
    const empty = await startTestMarket();
    try {
      const { status, body } = await empty.call('GET', '/admin/stats', {
        as: await empty.join('admin'),
      });
      expect(status).toBe(200);
      expect(AdminStats.parse(body.data)).toMatchObject({
        totalUsers: 0,
        totalOrders: 0,
        revenue: 0,
        recentOrders: [],
        unanswered: [],
      });
      expect(body.data.days).toHaveLength(30);
    } finally {
      await empty.close();
    }
  });
});

describe('the feed', () => {
  it('lists events, newest first, each with the state of that time', async () => {
    const { body } = await get('/admin/feed');
    const feed = body.data.map((item: unknown) => FeedItem.parse(item)) as FeedItem[];
    expect(feed).toEqual(body.data);
    const entries = feed.map(({ _id, by, order }) => [
      _id,
      by?.name ?? null,
      order?.status ?? null,
    ]);
    const [completed, rejected, waiting, pending] = orders;
    expect(new Set(entries)).toEqual(
      new Set([
        [`order.placed:${completed}`, 'Cleo', 'pending'],
        [`order.unanswered:${completed}`, null, 'pending'],
        [`order.statusChanged:${completed}:2`, 'Fern', 'accepted'],
        [`order.statusChanged:${completed}:3`, 'Fern', 'completed'],
        [`order.placed:${rejected}`, 'Cleo', 'pending'],
        [`order.statusChanged:${rejected}:2`, 'Root', 'rejected'],
        [`order.placed:${waiting}`, 'Cleo', 'pending'],
        [`order.unanswered:${waiting}`, null, 'pending'],
        [`order.placed:${pending}`, 'Cleo', 'pending'],
        [`user.registered:${farmer.id}`, 'Fern', null],
        [`user.registered:${consumer.id}`, 'Cleo', null],
      ]),
    );
    const times = feed.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    for (const { order } of feed) expect(order?.timeline.length).toBe(order?.version);
  });

  it('pages by cursor, each line once, also with equal times', async () => {
    const at = new Date(Date.now() - 3 * DAY_MS);
    await market.platform.db.user.updateMany({
      where: { id: { in: [farmer.id, consumer.id] } },
      data: { createdAt: at },
    });
    const whole = (await get('/admin/feed')).body.data.map(({ _id }: FeedItem) => _id);
    const parts: string[] = [];
    let cursor = '';
    do {
      const { body } = await get(`/admin/feed?limit=1&cursor=${cursor}`);
      parts.push(...body.data.map(({ _id }: FeedItem) => _id));
      cursor = body.nextCursor ?? '';
    } while (cursor);
    expect(parts).toEqual(whole);
  });

  it('rejects a cursor of another list', async () => {
    const { body } = await get('/users?limit=1');
    expect((await get(`/admin/feed?cursor=${body.nextCursor}x`)).status).toBe(400);
  });
});

describe('the audit', () => {
  it('names who did what to what, newest first', async () => {
    await market.post('/categories', admin, { name: 'Herbs' });
    const { body } = await get('/admin/audit');
    expect(body.data.map((entry: unknown) => AuditRecord.parse(entry))).toEqual(body.data);
    expect(body.data).toMatchObject([
      { action: 'category.created', admin: { name: 'Root' }, detail: { name: 'Herbs' } },
      {
        action: 'order.statusChanged',
        targetId: orders[1],
        detail: { from: 'pending', to: 'rejected' },
      },
    ]);
    const first = await get('/admin/audit?limit=1');
    const second = await get(`/admin/audit?limit=1&cursor=${first.body.nextCursor}`);
    expect([...first.body.data, ...second.body.data]).toEqual(body.data);
    expect(second.body.nextCursor).toBeNull();
  });
});
