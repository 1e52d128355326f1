import type { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { AdminStats, AuditRecord, FeedItem } from '#contract/admin/admin/admin';
import type { Message } from '#contract/farm/messages/messages';
import type { Order } from '#contract/ordering/orders/orders';
import type { EventName } from '#contract/platform/events/event';
import type { Envelope } from '#contract/platform/events/socket';
import { inTimeOrder } from '../../pages/admin/AdminOrderPage.tsx';
import { itemsOf } from '../../platform/queries/pages.ts';
import { createQueryClient } from '../../platform/queries/query-client.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { aUser } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { lastHour } from '../../platform/ui/charts/SeriesChart.tsx';
import { actionLabel, detailText, targetOf } from './AuditTable.tsx';
import { adminReducers } from './events.ts';
import { FEED_LENGTH } from './keys.ts';
import { fetchExport } from './ListTools.tsx';
import { adminFeedQuery, adminStatsQuery, connectedQuery, personOrdersQuery } from './queries.ts';

let eventCount = 0;
function event<Name extends EventName>(name: Name, data: Envelope<Name>['data']): Envelope<Name> {
  eventCount += 1;
  const second = String(eventCount % 60).padStart(2, '0');
  return {
    seq: eventCount,
    id: `event-${eventCount}`,
    at: `2026-11-02T11:00:${second}.000Z`,
    name,
    data,
  };
}

/** Applies a new event. */
const apply = <Name extends keyof typeof adminReducers>(
  cache: QueryClient,
  name: Name,
  data: Envelope<Name>['data'],
) => (adminReducers as FeatureReducers)[name]?.(cache, event(name, data));

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

async function dashboardCache(over: Partial<AdminStats> = {}) {
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
/** The data of an event about an order whose version is far ahead of its timeline's length. */
const changed = (number: number, status: Order['status'], from: Order['status'] = 'pending') => {
  const before = anOrder(number);
  const [placed] = before.timeline;
  if (!placed) throw new Error('The order has no timeline entry');
  return {
    ...before,
    status,
    version: 7,
    timeline: [placed, { ...placed, sequence: 2, status }],
    change: { kind: 'status' as const, from, to: status },
  };
};

describe('the live feed', () => {
  it('adds each item once, the latest on top, with the order as it was then', async () => {
    const { cache, feed } = await dashboardCache();
    const placed = event('order.created', anOrder(1));
    const accepted = event('order.updated', changed(1, 'accepted'));
    for (const next of [placed, placed]) adminReducers['order.created'](cache, next);
    adminReducers['order.updated'](cache, accepted);
    apply(cache, 'user.created', aUser('farmer', 'Fay'));
    expect(feed().map((item) => [item.kind, item.by?.name, item.order?.status])).toEqual([
      ['user.registered', 'Fay', undefined],
      ['order.statusChanged', 'Cora Buyer', 'accepted'],
      ['order.placed', 'Cora Buyer', 'pending'],
    ]);
  });

  it('is limited to the length that the dashboard shows', async () => {
    const { cache, feed } = await dashboardCache();
    for (let index = 0; index < FEED_LENGTH + 5; index++) {
      apply(cache, 'order.created', anOrder(index % 60));
    }
    expect(feed()).toHaveLength(FEED_LENGTH);
  });
});

describe('a change of status in the feed', () => {
  it('has the id that the server gives it: the sequence of its entry, not the version', async () => {
    const { cache, feed } = await dashboardCache();
    const order = changed(1, 'accepted');
    apply(cache, 'order.updated', order);
    expect(feed().map((item) => item._id)).toEqual([`order.statusChanged:${order._id}:2`]);
    // The cached order is as a fetch brings it.
    expect(feed()[0]?.order).not.toHaveProperty('change');
  });
});

describe('the orders of the dashboard', () => {
  it('inserts a new order among the recent five and ignores an older version', async () => {
    const { cache, stats: now } = await dashboardCache({
      recentOrders: [5, 4, 3, 2, 1].map((n) => anOrder(n)),
    });
    apply(cache, 'order.created', anOrder(6));
    expect(ids(now().recentOrders)).toEqual(['06', '05', '04', '03', '02']);
    apply(cache, 'order.updated', changed(4, 'accepted'));
    apply(cache, 'order.created', anOrder(4));
    expect(now().recentOrders.find((order) => order._id === anOrder(4)._id)?.status).toBe(
      'accepted',
    );
  });

  it('shows unanswered orders until they are answered, the oldest first', async () => {
    const { cache, stats: now } = await dashboardCache({ unanswered: [anOrder(3)] });
    apply(cache, 'order.unanswered', anOrder(2));
    expect(ids(now().unanswered)).toEqual(['02', '03']);
    apply(cache, 'order.updated', changed(3, 'rejected'));
    expect(ids(now().unanswered)).toEqual(['02']);
  });

  it('shows who is connected as soon as the event arrives', async () => {
    const { cache } = await dashboardCache();
    const connected = { visitor: 3, consumer: 2, farmer: 1, admin: 1 };
    apply(cache, 'connected.changed', connected);
    expect(cache.getQueryData(connectedQuery().queryKey)).toEqual(connected);
  });
});

it('moves the last hour with the clock, independent of the last response', () => {
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

describe('the people of an order', () => {
  it('have it in their lists at once, each once, the newest on top', async () => {
    const cache = createQueryClient();
    const [first, second] = [anOrder(1), anOrder(2)];
    const { _id } = first.consumer;
    const page = { success: true as const, data: [first], count: 1, nextCursor: null };
    cache.setQueryData(personOrdersQuery(_id).queryKey, { pages: [page], pageParams: [null] });
    const event2 = event('order.created', second);
    for (const next of [event2, event2]) adminReducers['order.created'](cache, next);
    apply(cache, 'order.updated', changed(1, 'accepted'));
    const shown = itemsOf<Order>(cache.getQueryData(personOrdersQuery(_id).queryKey));
    expect(shown.map((order) => [order._id, order.status])).toEqual([
      [second._id, 'pending'],
      [first._id, 'accepted'],
    ]);
  });
});

describe('an export', () => {
  const parts = (rows: readonly number[]) => {
    const asked: (string | null)[] = [];
    const fetchPart: Parameters<typeof fetchExport>[0] = async ({ cursor }) => {
      asked.push(cursor);
      const at = cursor === null ? 0 : Number(cursor);
      const next = at + 1 < rows.length ? String(at + 1) : null;
      return { csv: `part ${at}\r\n`, rows: rows[at] ?? 0, nextCursor: next };
    };
    return { asked, fetchPart };
  };

  it('is all parts, one after the other', async () => {
    const { asked, fetchPart } = parts([500, 500, 3]);
    const { csv, rows, isCut } = await fetchExport(fetchPart);
    expect(csv).toBe('part 0\r\npart 1\r\npart 2\r\n');
    expect([rows, isCut, asked]).toEqual([1003, false, [null, '1', '2']]);
  });

  it('ends at its cap and says so', async () => {
    const { asked, fetchPart } = parts([500, 500, 500]);
    const { rows, isCut } = await fetchExport(fetchPart, 1000);
    expect([rows, isCut, asked.length]).toEqual([1000, true, 2]);
  });
});

it('shows a conversation in time order, each message once, however its pages came', () => {
  const message = (number: number): Message => ({
    _id: `m${number}`,
    sender: { _id: 'a', name: 'A' },
    receiver: { _id: 'b', name: 'B' },
    content: `Words ${number}`,
    isRead: true,
    createdAt: `2026-11-02T10:00:0${number}.000Z`,
  });
  // While the newest page was fetched again, a message moved from it to the older one.
  const pages = [
    { data: [message(3), message(4)] },
    { data: [message(1), message(2), message(3)] },
  ];
  expect(inTimeOrder(pages).map(({ _id }) => _id)).toEqual(['m1', 'm2', 'm3', 'm4']);
});

describe('an entry of the audit', () => {
  const entry = (action: string, over: Partial<AuditRecord> = {}): AuditRecord => ({
    _id: 'e',
    at: '2026-11-02T10:00:00.000Z',
    admin: { _id: 'a', name: 'Ada', role: 'admin' },
    action,
    targetId: '0123456789abcdef',
    targetName: '',
    detail: {},
    ...over,
  });

  it('leads to what it is about, unless that is gone', () => {
    expect(targetOf(entry('order.noteAdded'))).toEqual({
      text: '#01234567',
      href: '/admin/orders/0123456789abcdef',
    });
    const named = { targetName: 'Carrots' };
    expect(targetOf(entry('product.hidden', named)).href).toMatch('/admin/products/');
    expect(targetOf(entry('product.deleted', named))).toEqual({ text: 'Carrots' });
    expect(targetOf(entry('list.exported', { targetId: 'users' }))).toEqual({ text: 'Users' });
  });

  it('is shown in words, and one that only a newer server knows by its name', () => {
    expect(actionLabel('product.hidden')).toBe('Product hidden');
    expect(actionLabel('user.teleported')).toBe('user.teleported');
    const detail = { from: 'pending', to: 'accepted' };
    expect(detailText(entry('order.statusChanged', { detail }))).toBe('Pending → Accepted');
    expect(detailText(entry('product.hidden', { detail: { reason: '' } }))).toBe('');
    const fields = ['price', 'name'];
    expect(detailText(entry('product.updated', { detail: { fields } }))).toBe(
      'Changed: price, name',
    );
    // Entries of before the fields were recorded.
    expect(detailText(entry('product.updated'))).toBe('');
  });
});
