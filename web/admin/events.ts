import type { QueryClient } from '@tanstack/react-query';
import type { AdminStats, FeedItem } from '#contract/admin';
import type { Order } from '#contract/orders';
import type { Envelope } from '#contract/realtime';
import { refetch, touched } from '../realtime/in-flight.ts';
import { byField, type FeatureReducers, upsert } from '../realtime/reducer.ts';
import { connectedQuery, FEED_LENGTH } from './queries.ts';

const STATS = ['admin', 'stats'] as const;
const FEED = ['admin', 'feed'] as const;
const RECENT = 5;
const UNANSWERED_SHOWN = 20;

const latestFirst = byField('at', 'desc');
const newestFirst = byField('createdAt', 'desc');
const oldestFirst = byField('createdAt', 'asc');

/** Puts a line into the feed, once however often it is told. */
function tell(cache: QueryClient, item: FeedItem): void {
  upsert(cache, FEED, item, { order: latestFirst });
  cache.setQueryData<FeedItem[]>(FEED, (feed) =>
    feed && feed.length > FEED_LENGTH ? feed.slice(0, FEED_LENGTH) : feed,
  );
}

function changeStats(cache: QueryClient, change: (stats: AdminStats) => AdminStats): void {
  cache.setQueryData<AdminStats>(STATS, (stats) => stats && change(stats));
  touched(cache, STATS);
  // Sums are the server's to reckon: the same event may come twice, and two orders at once.
  refetch(cache, STATS);
}

function countAgain(cache: QueryClient): void {
  refetch(cache, STATS);
}

/** The list with the order in its place, unless a newer reading of it is there. */
function placed(
  orders: Order[],
  order: Order,
  compare: (a: Order, b: Order) => number,
  length: number,
): Order[] {
  const known = orders.find((other) => other._id === order._id);
  if (known && known.version > order.version) return orders;
  return [...orders.filter((other) => other !== known), order].sort(compare).slice(0, length);
}

function withOrder(stats: AdminStats, order: Order, unanswered: boolean): AdminStats {
  const waits = stats.unanswered.find((other) => other._id === order._id);
  return {
    ...stats,
    recentOrders: placed(stats.recentOrders, order, newestFirst, RECENT),
    unanswered: unanswered
      ? placed(stats.unanswered, order, oldestFirst, UNANSWERED_SHOWN)
      : waits && waits.version < order.version && order.status !== 'pending'
        ? stats.unanswered.filter((other) => other !== waits)
        : stats.unanswered,
  };
}

function orderPlaced(cache: QueryClient, event: Envelope<'order.created'>): void {
  const order = event.data;
  const { _id, name } = order.consumer;
  const by = { _id, name, role: 'consumer' as const };
  const id = `order.placed:${order._id}`;
  tell(cache, { _id: id, kind: 'order.placed', at: event.at, by, order });
  changeStats(cache, (stats) => withOrder(stats, order, false));
}

function statusChanged(cache: QueryClient, event: Envelope<'order.updated'>): void {
  const order = event.data;
  const by = order.timeline.at(-1)?.by ?? null;
  const id = `order.statusChanged:${order._id}:${order.version}`;
  tell(cache, { _id: id, kind: 'order.statusChanged', at: event.at, by, order });
  // Whether the first answer came too late is for the server to say: nobody may have told of it yet.
  if (order.version === 2) refetch(cache, FEED);
  changeStats(cache, (stats) => withOrder(stats, order, false));
}

function unanswered(cache: QueryClient, event: Envelope<'order.unanswered'>): void {
  const order = event.data;
  const id = `order.unanswered:${order._id}`;
  tell(cache, { _id: id, kind: 'order.unanswered', at: event.at, by: null, order });
  // The line stands at the time when the wait became too long; the news of it comes later.
  refetch(cache, FEED);
  changeStats(cache, (stats) => withOrder(stats, order, order.status === 'pending'));
}

function registered(cache: QueryClient, event: Envelope<'user.created'>): void {
  const { _id, name, role } = event.data;
  const by = { _id, name, role };
  const id = `user.registered:${_id}`;
  tell(cache, { _id: id, kind: 'user.registered', at: event.at, by, order: null });
  countAgain(cache);
}

/** Keeps the control room true: its feed, its figures, and who is connected. */
export const adminReducers = {
  'order.created': orderPlaced,
  'order.updated': statusChanged,
  'order.unanswered': unanswered,
  'user.created': registered,
  'user.deleted': (cache) => {
    countAgain(cache);
    refetch(cache, FEED);
  },
  'product.created': countAgain,
  'product.updated': countAgain,
  'product.deleted': countAgain,
  'category.changed': countAgain,
  'connected.changed': (cache, event) => cache.setQueryData(connectedQuery().queryKey, event.data),
} satisfies FeatureReducers;
