import type { QueryClient } from '@tanstack/react-query';
import type { Order } from '#contract/ordering/orders/orders';
import type { Envelope } from '#contract/platform/events/socket';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { type FeatureReducers, refetchAbout } from '../../platform/realtime/reducer.ts';
import { mergeOrder, ordersKeys } from '../model/order-cache.ts';
import { withoutChange } from '../model/order-items.ts';

function merge(cache: QueryClient, event: Envelope<'order.created' | 'order.unanswered'>): void {
  mergeOrder(cache, event.data);
}

/** Merges a changed order. Its page also shows former proposals, which only a fetch brings. */
function updated(cache: QueryClient, event: Envelope<'order.updated'>): void {
  const order = withoutChange(event.data);
  const key = ordersKeys.detail(order._id);
  const changes = cache.getQueryData<Order>(key)?.changes;
  mergeOrder(cache, order);
  if (!changes && event.data.change.kind !== 'proposal') return;
  if (changes) {
    cache.setQueryData<Order>(
      key,
      (shown) => shown && { ...shown, changes: shown.changes ?? changes },
    );
  }
  refetch(cache, key);
}

/** Refetches the farmer's figures, which also count products and messages. */
function refetchStats(cache: QueryClient): void {
  refetch(cache, ordersKeys.farmerStats());
}

/** Keeps the lists of orders, the order pages and the farmer's figures current. */
export const orderReducers = {
  'order.created': merge,
  'order.updated': updated,
  'order.unanswered': merge,
  'product.created': refetchStats,
  'product.updated': refetchStats,
  'product.deleted': refetchStats,
  'message.created': refetchStats,
  'messages.read': refetchStats,
  // Orders show 'Deleted user' for deleted accounts.
  'user.deleted': (cache) => refetch(cache, ordersKeys.all),
  'farmer.deleted': (cache, event) => refetchAbout(cache, ordersKeys.all, event.data._id),
} satisfies FeatureReducers;
