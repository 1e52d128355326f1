import type { QueryClient } from '@tanstack/react-query';
import type { OrderChange } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import type { PickTick } from '#contract/ordering/picklist/picklist';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { type FeatureReducers, refetchAbout, rewrite } from '../../platform/realtime/reducer.ts';
import { withoutChange } from '../model/order-items.ts';
import { picklistKeys } from './queries.ts';
import { type PickData, withOrder, withPrint, withSeen, withTick } from './work/fold.ts';

/** Rewrites the lists under a key; those of which only the server knows what they are now are refetched. */
function change(
  cache: QueryClient,
  queryKey: readonly unknown[],
  fold: (data: PickData) => PickData | undefined,
): void {
  rewrite(cache, queryKey, (data, query) => {
    if (data === undefined) return data;
    const next = fold(data as PickData);
    if (next === undefined) refetch(cache, query.queryKey, true);
    return next ?? data;
  });
}

const listOf = ({ date, place }: { date: string; place?: string | undefined }) =>
  picklistKeys.list({ date, place: place ?? null });

/** Applies an order to every cached list: it may have come to one and left another. */
export function mergePickOrder(cache: QueryClient, order: Order): void {
  change(cache, picklistKeys.lists(), (data) => withOrder(data, order));
}

/** Applies a tick to its list. */
export function mergePickTick(cache: QueryClient, tick: PickTick): void {
  change(cache, listOf(tick), (data) => withTick(data, tick));
}

/** Whether a change can move an order to another day, or into or out of what is counted of its day. */
const changesDays = ({ kind }: OrderChange): boolean => kind === 'status' || kind === 'slot';

/** Keeps pick lists current without a request, and the days that have orders with a small one. */
export const picklistReducers = {
  'order.created': (cache, { data }) => {
    mergePickOrder(cache, data);
    refetch(cache, picklistKeys.allDays());
  },
  'order.updated': (cache, { data }) => {
    mergePickOrder(cache, withoutChange(data));
    if (changesDays(data.change)) refetch(cache, picklistKeys.allDays());
  },
  'pick.ticked': (cache, { data }) => {
    const { farmId: _, ...tick } = data;
    mergePickTick(cache, tick);
  },
  'picklist.printed': (cache, { data }) =>
    change(cache, listOf(data), (list) => withPrint(list, data)),
  'picklist.seen': (cache, { data }) => change(cache, listOf(data), (list) => withSeen(list, data)),
  // Orders of a deleted account are by 'Deleted user', and lines lose the product that was deleted.
  'user.deleted': (cache) => refetch(cache, picklistKeys.lists()),
  'product.deleted': (cache, { data }) => refetchAbout(cache, picklistKeys.lists(), data._id),
} satisfies FeatureReducers;
