import {
  infiniteQueryOptions,
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { SLOT_DAYS_AHEAD, SLOT_RANGE_MAX_DAYS, slotsApi } from '#contract/farm/slots/constants';
import { movesApi } from '#contract/ordering/moves/constants';
import type { SlotOrder } from '#contract/ordering/moves/moves';
import { addDays } from '#contract/platform/time/constants';
import { call } from '../../platform/api/api.ts';
import { paging } from '../../platform/queries/pages.ts';
import { slotsKeys } from './events.ts';

/** The orders of a slot that are loaded at once. */
const PAGE_SIZE = 50;

/** Days, both included, by the farm's clock. */
interface Days {
  from: string;
  to: string;
}

/** Returns the days from `today` on, as many as one call can ask for. */
const daysAhead = (today: string): Days => ({
  from: today,
  to: addDays(today, SLOT_RANGE_MAX_DAYS - 1),
});

/** Returns the days after {@link daysAhead} up to so many ahead; `today` may be yesterday. */
const laterDays = (today: string, ahead: number): Days => ({
  from: addDays(today, SLOT_RANGE_MAX_DAYS),
  to: addDays(today, ahead),
});

/** Asks for the slots of days, however many, so many at once as one call can ask for. */
async function ofDays<Slot>(
  { from, to }: Days,
  ask: (query: Days) => Promise<{ data: Slot[] }>,
): Promise<Slot[]> {
  const calls: Promise<{ data: Slot[] }>[] = [];
  for (let first = from; first <= to; first = addDays(first, SLOT_RANGE_MAX_DAYS)) {
    const last = addDays(first, SLOT_RANGE_MAX_DAYS - 1);
    calls.push(ask({ from: first, to: last < to ? last : to }));
  }
  return (await Promise.all(calls)).flatMap(({ data }) => data);
}

/** The slots that a farm offers on these days. */
export const offeredSlotsQuery = (farmId: string, { from, to }: Days) =>
  queryOptions({
    queryKey: slotsKeys.offered(farmId, from, to),
    queryFn: ({ signal }) =>
      ofDays({ from, to }, (query) =>
        call(slotsApi.offered, { params: { id: farmId }, query, signal }),
      ),
  });

/** All slots of the signed-in person's farm on these days. */
export const farmSlotsQuery = ({ from, to }: Days) =>
  queryOptions({
    queryKey: slotsKeys.ownOf(from, to),
    queryFn: ({ signal }) =>
      ofDays({ from, to }, (query) => call(slotsApi.list, { query, signal })),
  });

/** The orders of a slot, with whether their consumers have read that they were moved. */
export const slotOrdersQuery = (slotId: string) =>
  infiniteQueryOptions({
    queryKey: slotsKeys.orders(slotId),
    queryFn: ({ pageParam, signal }) =>
      call(movesApi.orders, {
        params: { id: slotId },
        query: { limit: PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/**
 * Returns the orders of a slot that are loaded, each once: a page may repeat one when others came meanwhile. `movable`
 * is how many of all can be moved, those that are not handed over; undefined while that is not known.
 */
export function useSlotOrders(slotId: string) {
  const query = useInfiniteQuery(slotOrdersQuery(slotId));
  const all = query.data?.pages.flatMap((page): SlotOrder[] => page.data) ?? [];
  const orders = [...new Map(all.map((each) => [each.order._id, each])).values()];
  const open = orders.filter(({ order: { status } }) => status !== 'completed').length;
  return { query, orders, movable: query.data && !query.hasNextPage ? open : undefined };
}

/** The days beyond those that one call returns, while they are not known. */
export type LaterDays = { isPending: boolean; isFailed: boolean; load: () => void };

/**
 * Returns the slots of all days that have some. The later ones, beyond what one call returns, are asked for once they
 * are needed: when `needsLater` says so of the others, or by `later.load`. Both parts are kept current by the same
 * events.
 */
export function useSlotsAhead<Slot, Key extends QueryKey>({
  queryOf,
  today,
  needsLater,
  ahead = SLOT_DAYS_AHEAD,
  isEnabled = true,
}: {
  queryOf: (days: Days) => UseQueryOptions<Slot[], Error, Slot[], Key>;
  today: string;
  /** Whether these slots of the nearer days are not enough. */
  needsLater: (nearer: readonly Slot[]) => boolean;
  /** How many days ahead there may be slots to choose. */
  ahead?: number;
  isEnabled?: boolean;
}) {
  const [isAsked, setAsked] = useState(false);
  const nearer = useQuery({
    ...queryOf(daysAhead(today)),
    enabled: isEnabled,
    refetchOnMount: 'always',
  });
  const isNeeded = nearer.data !== undefined && needsLater(nearer.data);
  const isWanted = isEnabled && (isAsked || isNeeded);
  const later = useQuery({ ...queryOf(laterDays(today, ahead)), enabled: isWanted });
  const isWaiting = isNeeded && later.isPending && !later.isError;
  const all = useMemo(
    () => nearer.data && (later.data ? [...nearer.data, ...later.data] : nearer.data),
    [nearer.data, later.data],
  );
  const failed = nearer.data ? later : nearer;
  return {
    /** Undefined while they are loaded. */
    slots: isWaiting ? undefined : all,
    error: failed.error,
    isFetching: failed.isFetching,
    refetch: () => {
      void nearer.refetch();
      if (isWanted) void later.refetch();
    },
    later:
      later.data === undefined
        ? {
            isPending: isWanted && later.isFetching,
            isFailed: later.isError,
            load: () => {
              setAsked(true);
              if (later.isError) void later.refetch();
            },
          }
        : undefined,
  };
}
