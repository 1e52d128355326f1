import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { AdminStats, FeedItem } from '#contract/admin/admin/admin';
import { UNANSWERED_ORDERS_SHOWN } from '#contract/admin/admin/constants';
import { ADMINS_AFTER_MINUTES } from '#contract/ordering/attention/constants';
import type { OrderStatus, TimelineEntry } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import type { Envelope } from '#contract/platform/events/socket';
import { RECENT_ORDERS_SHOWN } from '#contract/platform/orders/constants';
import { clockMs } from '#contract/platform/time/constants';
import { withoutChange } from '../../ordering/model/order-items.ts';
import { protectFromStaleFetch, refetch } from '../../platform/realtime/in-flight.ts';
import { byField, type FeatureReducers, upsert } from '../../platform/realtime/reducer.ts';
import { adminKeys, FEED_LENGTH } from './keys.ts';

const latestFirst = byField('at', 'desc');
const newestFirst = byField('createdAt', 'desc');
const oldestFirst = byField('createdAt', 'asc');

/** Adds a line to the feed; the same line twice stays one. */
function appendToFeed(cache: QueryClient, item: FeedItem): void {
  upsert(cache, adminKeys.feed(), item, { order: latestFirst });
  cache.setQueryData<FeedItem[]>(adminKeys.feed(), (feed) =>
    feed && feed.length > FEED_LENGTH ? feed.slice(0, FEED_LENGTH) : feed,
  );
}

function changeStats(cache: QueryClient, change: (stats: AdminStats) => AdminStats): void {
  cache.setQueryData<AdminStats>(adminKeys.stats(), (stats) => stats && change(stats));
  protectFromStaleFetch(cache, adminKeys.stats());
  // The server computes the sums: the same event may come twice.
  refetch(cache, STATS);
}

const STATS = adminKeys.stats();
const AUDITS = adminKeys.audits();
/** What shows products, or counts them. */
const PRODUCTS = [STATS, adminKeys.hiddenProducts(), adminKeys.people()];

const refetchAll =
  (...keys: readonly QueryKey[]) =>
  (cache: QueryClient): void => {
    for (const key of keys) refetch(cache, key);
  };

/** A decision about a person or their farm. */
const personJudged = (cache: QueryClient, { data }: { data: { _id: string } }): void =>
  refetchAll(STATS, adminKeys.person(data._id), AUDITS)(cache);

/** Inserts or replaces the order in its place, unless a newer version is there. */
function insertOrder(
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
    recentOrders: insertOrder(stats.recentOrders, order, newestFirst, RECENT_ORDERS_SHOWN),
    unanswered: unanswered
      ? insertOrder(stats.unanswered, order, oldestFirst, UNANSWERED_ORDERS_SHOWN)
      : waits && waits.version < order.version && order.status !== 'pending'
        ? stats.unanswered.filter((other) => other !== waits)
        : stats.unanswered,
  };
}

/** Shows the order in the lists of its two people and refetches their figures. */
function refreshPeopleOf(cache: QueryClient, order: Order): void {
  for (const { _id } of [order.consumer, order.farmer]) {
    upsert(cache, adminKeys.personOrders(_id), order, { order: newestFirst });
    refetch(cache, adminKeys.personFigures(_id));
  }
}

function orderPlaced(cache: QueryClient, event: Envelope<'order.created'>): void {
  const order = event.data;
  const { _id, name } = order.consumer;
  const by = { _id, name, role: 'consumer' as const };
  const id = `order.placed:${order._id}`;
  appendToFeed(cache, { _id: id, kind: 'order.placed', at: event.at, by, order });
  refreshPeopleOf(cache, order);
  changeStats(cache, (stats) => withOrder(stats, order, false));
}

/** Returns what the feed calls an entry of a timeline; nothing where it leaves it out. */
function feedKindOf({
  kind,
}: TimelineEntry): 'order.statusChanged' | 'order.linesChanged' | undefined {
  if (kind === 'status') return 'order.statusChanged';
  return kind === 'proposal' || kind === 'lines' ? 'order.linesChanged' : undefined;
}

const statusIn = (timeline: readonly TimelineEntry[]): OrderStatus | undefined =>
  timeline.flatMap((entry) => (entry.kind === 'status' ? [entry.status] : [])).at(-1);

function orderChanged(cache: QueryClient, event: Envelope<'order.updated'>): void {
  const { change } = event.data;
  const order = withoutChange(event.data);
  const entry = order.timeline.at(-1);
  // That a farm is suspended, a customer gone, or nothing changes, is no entry of its own.
  for (const each of change.kind === 'party' || change.kind === 'kept' ? [] : order.timeline) {
    // One change may have several entries, all of its moment.
    const kind = each.at === entry?.at && each.sequence > 1 ? feedKindOf(each) : undefined;
    if (!kind) continue;
    const timeline = order.timeline.filter(({ sequence }) => sequence <= each.sequence);
    appendToFeed(cache, {
      _id: `${kind}:${order._id}:${each.sequence}`,
      kind,
      at: event.at,
      by: each.by,
      order: { ...order, timeline, status: statusIn(timeline) ?? order.status },
    });
  }
  // Only the server knows whether the first answer came too late.
  if (change.kind === 'status' && change.from === 'pending') refetch(cache, adminKeys.feed());
  changeStats(cache, (stats) => withOrder(stats, order, false));
  refreshPeopleOf(cache, order);
  if (entry?.by.role === 'admin') refetch(cache, AUDITS);
}

function unanswered(cache: QueryClient, event: Envelope<'order.unanswered'>): void {
  const order = event.data;
  const id = `order.unanswered:${order._id}`;
  appendToFeed(cache, { _id: id, kind: 'order.unanswered', at: event.at, by: null, order });
  // The line's time is when the wait became too long, which is before this event.
  refetch(cache, adminKeys.feed());
  changeStats(cache, (stats) => withOrder(stats, order, order.status === 'pending'));
}

function registered(cache: QueryClient, event: Envelope<'user.created'>): void {
  const { _id, name, role } = event.data;
  const by = { _id, name, role };
  const id = `user.registered:${_id}`;
  appendToFeed(cache, { _id: id, kind: 'user.registered', at: event.at, by, order: null });
  refetch(cache, STATS);
}

/** What nobody has answered for a while gets a line in the feed, whose time only the server knows. */
function attentionChanged(cache: QueryClient, { data }: Envelope<'attention.changed'>): void {
  const isLate = clockMs() - Date.parse(data.createdAt) >= ADMINS_AFTER_MINUTES * 60_000;
  if (isLate) refetch(cache, adminKeys.feed());
}

/** Keeps what admins see current: dashboard, cases, people and audit. */
export const adminReducers = {
  'attention.changed': attentionChanged,
  'order.created': orderPlaced,
  'order.updated': orderChanged,
  'order.unanswered': unanswered,
  'user.created': registered,
  'farm.paused': refetchAll(adminKeys.feed()),
  'user.deleted': refetchAll(
    STATS,
    adminKeys.feed(),
    adminKeys.people(),
    adminKeys.allNotes(),
    adminKeys.reports(),
    AUDITS,
  ),
  'product.created': refetchAll(...PRODUCTS),
  'product.updated': refetchAll(...PRODUCTS),
  'product.deleted': refetchAll(...PRODUCTS, AUDITS),
  'product.hidingChanged': refetchAll(...PRODUCTS, AUDITS),
  'farmer.updated': (cache, event) => refetch(cache, adminKeys.person(event.data._id)),
  'farm.approvalChanged': personJudged,
  'farmer.deleted': refetchAll(...PRODUCTS),
  'farmer.listingChanged': refetchAll(...PRODUCTS),
  'user.suspensionChanged': personJudged,
  'user.noteAdded': (cache, { data }) => refetchAll(adminKeys.userNotes(data.user), AUDITS)(cache),
  'report.changed': refetchAll(STATS, adminKeys.reports(), AUDITS),
  'category.changed': refetchAll(STATS, AUDITS),
  'order.noteAdded': (cache, { data }) =>
    refetchAll(adminKeys.orderNotes(data.order), AUDITS)(cache),
  'connected.changed': (cache, event) => cache.setQueryData(adminKeys.connected(), event.data),
} satisfies FeatureReducers;
