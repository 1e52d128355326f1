import { useInfiniteQuery } from '@tanstack/react-query';
import type { SlotOrder } from '#contract/ordering/moves/moves';
import { slotOrdersQuery } from './queries.ts';

/**
 * Returns the orders of a slot that are loaded, each once: a page may repeat one when others came meanwhile. `movable` is
 * how many of all can be moved, those that are not handed over; undefined while that is not known.
 */
export function useSlotOrders(slotId: string) {
  const query = useInfiniteQuery(slotOrdersQuery(slotId));
  const all = query.data?.pages.flatMap((page): SlotOrder[] => page.data) ?? [];
  const orders = [...new Map(all.map((each) => [each.order._id, each])).values()];
  const open = orders.filter(({ order: { status } }) => status !== 'completed').length;
  return { query, orders, movable: query.data && !query.hasNextPage ? open : undefined };
}
