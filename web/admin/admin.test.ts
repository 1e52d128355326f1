import { describe, expect, it } from 'vitest';
import type { AdminStats, FeedItem } from '#contract/admin';
import type { Order } from '#contract/orders';
import type { Envelope, EventName } from '#contract/realtime';
import { createQueryClient } from '../lib/query-client.ts';
import { anOrder } from '../lib/testing/orders.ts';
import { somebody } from '../lib/testing/people.ts';
import { lastHour } from '../ui/charts/MinuteChart.tsx';
import { adminReducers } from './events.ts';
import { adminFeedQuery, adminStatsQuery, connectedQuery, FEED_LENGTH } from './queries.ts';

let told = 0;
function event<Name extends EventName>(name: Name, data: Envelope<Name>['data']): Envelope<Name> {
  told += 1;
  const second = String(told % 60).padStart(2, '0');
  return { seq: told, id: `event-${told}`, at: `2026-11-02T11:00:${second}.000Z`, name, data };
}

const stats = (over: Partial<AdminStats>): AdminStats => ({
  totalUsers: 2,
  usersByRole: { consumer: 1, farmer: 1, admin: 1 },
  totalOrders: 0,
  ordersByStatus: { pending: 0, accepted: 0, rejected: 0, completed: 0, cancelled: 0 },
  categoryCount: 0,
  revenue: 0,
  days: [],
  ordersPerMinute: [],
  recentOrders: [],
  recentProducts: [],
  unanswered: [],
  ...over,
});

async function room(over: Partial<AdminStats> = {}) {
  const cache = createQueryClient();
  cache.setQueryData(adminStatsQuery().queryKey, stats(over));
  // Fetched, so that the query is the one the page makes.
  await cache.fetchQuery({ ...adminFeedQuery(), queryFn: (): FeedItem[] => [] });
  return {
    cache,
    feed: () => cache.getQueryData(adminFeedQuery().queryKey) ?? [],
    stats: () => cache.getQueryData(adminStatsQuery().queryKey) ?? stats({}),
  };
}

const ids = (orders: readonly Order[]) => orders.map((order) => order._id.slice(6, 8));
const changed = (number: number, status: Order['status']) =>
  anOrder(number, { status, version: 2 });

describe('the live feed', () => {
  it('tells each thing once, the latest on top, and keeps what an order was like then', async () => {
    const { cache, feed } = await room();
    const placed = event('order.created', anOrder(1));
    const accepted = event('order.updated', changed(1, 'accepted'));
    for (const next of [placed, placed]) adminReducers['order.created'](cache, next);
    adminReducers['order.updated'](cache, accepted);
    adminReducers['user.created'](cache, event('user.created', somebody('farmer', 'Fay')));
    expect(feed().map((item) => [item.kind, item.by?.name, item.order?.status])).toEqual([
      ['user.registered', 'Fay', undefined],
      ['order.statusChanged', 'Cora Buyer', 'accepted'],
      ['order.placed', 'Cora Buyer', 'pending'],
    ]);
  });

  it('keeps no more than the dashboard shows', async () => {
    const { cache, feed } = await room();
    for (let index = 0; index < FEED_LENGTH + 5; index++) {
      adminReducers['order.created'](cache, event('order.created', anOrder(index % 60)));
    }
    expect(feed()).toHaveLength(FEED_LENGTH);
  });
});

describe('the orders of the control room', () => {
  it('puts a new order among the recent five, and never an older reading over a newer', async () => {
    const { cache, stats: now } = await room({
      recentOrders: [5, 4, 3, 2, 1].map((n) => anOrder(n)),
    });
    adminReducers['order.created'](cache, event('order.created', anOrder(6)));
    expect(ids(now().recentOrders)).toEqual(['06', '05', '04', '03', '02']);
    adminReducers['order.updated'](cache, event('order.updated', changed(4, 'accepted')));
    adminReducers['order.created'](cache, event('order.created', anOrder(4)));
    expect(now().recentOrders.find((order) => order._id === anOrder(4)._id)?.status).toBe(
      'accepted',
    );
  });

  it('shows who waits too long until they are answered, the longest wait first', async () => {
    const { cache, stats: now } = await room({ unanswered: [anOrder(3)] });
    adminReducers['order.unanswered'](cache, event('order.unanswered', anOrder(2)));
    expect(ids(now().unanswered)).toEqual(['02', '03']);
    adminReducers['order.updated'](cache, event('order.updated', changed(3, 'rejected')));
    expect(ids(now().unanswered)).toEqual(['02']);
  });

  it('shows who is connected as soon as it is told', async () => {
    const { cache } = await room();
    const connected = { visitor: 3, consumer: 2, farmer: 1, admin: 1 };
    adminReducers['connected.changed'](cache, event('connected.changed', connected));
    expect(cache.getQueryData(connectedQuery().queryKey)).toEqual(connected);
  });
});

it('moves the last hour on with the clock, whatever the server said last', () => {
  const now = Date.parse('2026-11-02T11:00:30.000Z');
  const figures = [
    { minute: '2026-11-02T10:01:00.000Z', value: 4 },
    { minute: '2026-11-02T11:00:00.000Z', value: 2 },
  ];
  const values = (at: number) => lastHour(figures, at).map(({ value }) => value);
  expect(values(now)).toHaveLength(60);
  expect(values(now)[0]).toBe(4);
  expect(values(now)[59]).toBe(2);
  expect(values(now + 60_000)[0]).toBe(0);
  expect(values(now + 60_000).slice(57)).toEqual([0, 2, 0]);
});
