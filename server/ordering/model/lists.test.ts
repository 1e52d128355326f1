import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import { FarmerStats, type Order } from '#contract/ordering/orders/orders';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';
import type { Caller } from '../../testing/market.ts';
import { createOrderFixture } from '../testing/fixture.ts';

const DAY_MS = 86_400_000;
/** The beginning of today, UTC. */
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;

const fixture = await createOrderFixture();
const [otherFarmer, otherConsumer] = await Promise.all([
  fixture.join('farmer', 'Ofelia Otherfield'),
  fixture.join('consumer', 'Bo 100%_ Customer'),
]);
await fixture.platform.db.farmerProfile.upsert({
  where: { userId: otherFarmer.id },
  create: { userId: otherFarmer.id, farmName: 'Windy Hill' },
  update: { farmName: 'Windy Hill' },
});
// Few instants, so that pages end between rows that differ only in their id.
await fixture.platform.db.order.createMany({
  data: Array.from({ length: 60 }, (_, index) => ({
    consumerId: index % 2 ? fixture.consumer.id : otherConsumer.id,
    farmerId: index % 3 ? fixture.farmer.id : otherFarmer.id,
    status: ORDER_STATUSES[index % 5] ?? 'pending',
    totalMinor: 1000 + index,
    isPickup: true,
    date: new Date(today),
    time: '10:00',
    createdAt: new Date(today - (index % 4) * 20 * DAY_MS + (index % 2)),
  })),
});

afterAll(() => fixture.close());

const read = (path: string, query: Record<string, string> = {}, as?: Caller) =>
  fixture.call('GET', `${path}?${new URLSearchParams(query)}`, { as });

async function pages(path: string, query: Record<string, string>, as: Caller): Promise<Order[]> {
  const rows: Order[] = [];
  let cursor: string | null = '';
  do {
    const { status, body } = await read(path, { ...query, cursor: cursor ?? '' }, as);
    expect(status).toBe(200);
    expect(body.count).toBe(body.data.length);
    rows.push(...body.data);
    cursor = body.nextCursor;
  } while (cursor);
  return rows;
}

test.each([
  ['/orders/consumer', 'consumer'],
  ['/orders/farmer', 'farmer'],
  ['/orders', 'admin'],
  ['/orders/stats/farmer', 'farmer'],
] as const)('%s is for a signed-in %s alone', async (path, role) => {
  expect((await read(path)).status).toBe(401);
  for (const as of [fixture.consumer, fixture.farmer, fixture.admin]) {
    expect((await read(path, {}, as)).status).toBe(as.role === role ? 200 : 403);
  }
});

test('each person sees only their own orders', async () => {
  const placed = await pages('/orders/consumer', {}, fixture.consumer);
  expect(placed).toHaveLength(30);
  expect(new Set(placed.map((order) => order.consumer._id))).toEqual(
    new Set([fixture.consumer.id]),
  );
  const received = await pages('/orders/farmer', {}, otherFarmer);
  expect(received).toHaveLength(20);
  expect(new Set(received.map((order) => order.farmer._id))).toEqual(new Set([otherFarmer.id]));
  expect(await pages('/orders', {}, fixture.admin)).toHaveLength(60);
});

test.each(ORDER_STATUSES)('lists filter by the status %s', async (status) => {
  for (const [path, as, count] of [
    ['/orders/consumer', fixture.consumer, 6],
    ['/orders/farmer', otherFarmer, 4],
    ['/orders', fixture.admin, 12],
  ] as const) {
    const rows = await pages(path, { status }, as);
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map((order) => order.status))).toEqual(new Set([status]));
  }
});

test('paging yields each order once, newest first, whatever the page size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        ['/orders/consumer', fixture.consumer, 30] as const,
        ['/orders/farmer', fixture.farmer, 40] as const,
        ['/orders', fixture.admin, 60] as const,
      ),
      fc.integer({ min: 3, max: 65 }),
      async ([path, as, count], limit) => {
        const rows = await pages(path, { limit: String(limit) }, as);
        expect(new Set(rows.map((order) => order._id)).size).toBe(count);
        const places = rows.map((order) => `${order.createdAt} ${order._id}`);
        expect(places).toEqual([...places].sort().reverse());
      },
    ),
    { numRuns: 15 },
  );
});

describe('all orders are found', () => {
  test('by the start of an id, as it is shown or in full', async () => {
    const [order] = await pages('/orders', { limit: '200' }, fixture.admin);
    const id = order?._id ?? '';
    for (const search of [
      id,
      id.slice(0, 8),
      id.slice(0, 13),
      `#${id.slice(0, 8).toUpperCase()}`,
    ]) {
      const rows = await pages('/orders', { search }, fixture.admin);
      expect(rows.map((row) => row._id)).toEqual([id]);
    }
  });

  test.each([
    ['otherfield', 20],
    ['ÖTHERFIELD', 20],
    ['windy', 20],
    ['BO 100%_', 30],
    ['%', 30],
    ['0%0', 0],
    ['-', 0],
    ['nobody of this name', 0],
  ])('by a name: %s', async (search, count) => {
    expect(await pages('/orders', { search }, fixture.admin)).toHaveLength(count);
  });

  test('by a name among those of one status', async () => {
    const rows = await pages('/orders', { search: 'windy', status: 'pending' }, fixture.admin);
    expect(rows).toHaveLength(4);
  });
});

test.each([
  { cursor: 'nonsense' },
  {
    cursor: Buffer.from(`["0000-01-01T00:00:00Z","${crypto.randomUUID()}"]`).toString('base64url'),
  },
])('%o is refused', async (query) => {
  for (const [path, as] of [
    ['/orders/consumer', fixture.consumer],
    ['/orders/farmer', fixture.farmer],
    ['/orders', fixture.admin],
  ] as const) {
    expect((await read(path, query, as)).status).toBe(400);
  }
});

test("a farm's figures cover all its orders, products and threads", async () => {
  const { db } = fixture.platform;
  for (const [index, quantity] of [0, 9, 10, 3, 3, 7, 500, 8].entries()) {
    await fixture.createProduct(quantity, { name: `Product ${index}` });
  }
  const message = await db.message.create({
    data: {
      id: crypto.randomUUID(),
      senderId: fixture.consumer.id,
      receiverId: fixture.farmer.id,
      content: 'Hello',
    },
  });
  await db.conversation.createMany({
    data: [
      { otherId: fixture.consumer.id, unreadCount: 3 },
      { otherId: otherConsumer.id, unreadCount: 4 },
    ].map((row) => ({
      ...row,
      userId: fixture.farmer.id,
      lastMessageId: message.id,
      lastMessageAt: message.createdAt,
    })),
  });
  const { body } = await read('/orders/stats/farmer', {}, fixture.farmer);
  const stats = FarmerStats.parse(body.data);

  const rows = await db.order.findMany({ where: { farmerId: fixture.farmer.id } });
  const having = (status: OrderStatus) => rows.filter((row) => row.status === status);
  const sum = (of: typeof rows) =>
    Number(of.reduce((total, row) => total + row.totalMinor, 0n)) / 100;
  expect(stats).toMatchObject({
    productCount: 8,
    pendingOrders: having('pending').length,
    unreadMessages: 7,
    totalRevenue: sum(having('completed')),
  });
  for (const status of ORDER_STATUSES) {
    expect(stats.ordersByStatus[status]).toBe(having(status).length);
  }
  expect(stats.days).toEqual(
    Array.from({ length: 30 }, (_, index) => {
      const date = new Date(today - (29 - index) * DAY_MS).toISOString().slice(0, 10);
      const placed = rows.filter((row) => row.createdAt.toISOString().startsWith(date));
      return {
        date,
        orders: placed.length,
        revenue: sum(placed.filter((row) => row.status === 'completed')),
      };
    }),
  );
  expect(stats.days?.filter((day) => day.orders > 0)).toHaveLength(2);
  const { body: newest } = await read('/orders/farmer', { limit: '5' }, fixture.farmer);
  expect(stats.recentOrders).toEqual(newest.data);
  expect(stats.lowStock.map((product) => product.quantityAvailable)).toEqual([0, 3, 3, 7, 8]);
});

test('the figures of an empty farm are zero', async () => {
  const { body } = await read('/orders/stats/farmer', {}, await fixture.join('farmer'));
  expect(FarmerStats.parse(body.data)).toMatchObject({
    productCount: 0,
    pendingOrders: 0,
    unreadMessages: 0,
    totalRevenue: 0,
    recentOrders: [],
    lowStock: [],
  });
  expect(body.data.days).toHaveLength(30);
});

test('a farmer gets the count of pending orders', async () => {
  const farmer = await fixture.join('farmer');
  const count = async () =>
    (await read('/orders/stats/farmer/pending', {}, farmer)).body.data.pendingOrders;
  expect(await count()).toBe(0);
  await fixture.platform.db.order.createMany({
    data: Array.from({ length: 250 }, (_, index) => ({
      consumerId: fixture.consumer.id,
      farmerId: farmer.id,
      status: index < 150 ? ('pending' as const) : ('accepted' as const),
      totalMinor: 1000,
      isPickup: true,
      date: new Date(today),
      time: '10:00',
    })),
  });
  expect(await count()).toBe(150);
  const waiting = await fixture.platform.db.order.findFirstOrThrow({
    where: { farmerId: farmer.id, status: 'pending' },
  });
  const { status } = await fixture.call('PUT', `/orders/${waiting.id}`, {
    as: farmer,
    body: { status: 'accepted' },
  });
  expect(status).toBe(200);
  expect(await count()).toBe(149);
});
