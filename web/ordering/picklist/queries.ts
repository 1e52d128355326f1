import { queryOptions } from '@tanstack/react-query';
import { picklistApi } from '#contract/ordering/picklist/constants';
import {
  byHandover,
  byTickedGoods,
  type PickScope,
} from '#contract/ordering/picklist/pick-summary';
import type { Picklist, PickOrder } from '#contract/ordering/picklist/picklist';
import { call, dataOf } from '../../platform/api/api.ts';
import type { ListAnswer } from '../../platform/queries/pages.ts';
import type { PickData } from './work/fold.ts';

/** The keys of pick lists in the query cache; each begins with `all`. */
export const picklistKeys = {
  all: ['picklist'] as const,
  /** The lists of whatever day and place. */
  lists: () => ['picklist', 'list'] as const,
  list: ({ date, place }: PickScope) => ['picklist', 'list', date, place] as const,
  /** The days of whatever span; `days(from, to)` begins with it. */
  allDays: () => ['picklist', 'days'] as const,
  days: (from: string, to: string) => ['picklist', 'days', from, to] as const,
  print: (id: string) => ['picklist', 'print', id] as const,
};

/** Returns the part of a call that names a list. */
export const scopeFields = ({ date, place }: PickScope) => ({
  date,
  ...(place === null ? {} : { place }),
});

/** Returns an answer as it is cached: what follows from its orders is left out once they are all there. */
function cachedOf({ nextCursor, products, changes, ...list }: Picklist): PickData {
  return {
    ...list,
    orders: list.orders.toSorted(byHandover),
    ticks: list.ticks.toSorted(byTickedGoods),
    summary: nextCursor === null ? null : { products, changes },
  };
}

/**
 * What to harvest and pack on a day, at one place or at all. Of a long list the first part is shown while the rest is
 * loaded; then totals and changes follow from its orders.
 */
export const picklistQuery = (scope: PickScope) =>
  queryOptions({
    queryKey: picklistKeys.list(scope),
    queryFn: async ({ signal, client, queryKey }): Promise<PickData> => {
      const query = scopeFields(scope);
      const { data } = await call(picklistApi.list, { query, signal });
      const first = cachedOf(data);
      let cursor = data.nextCursor;
      if (cursor === null) return first;
      if (client.getQueryData(queryKey) === undefined) client.setQueryData(queryKey, first);
      const orders = new Map(first.orders.map((order) => [order._id, order]));
      while (cursor !== null) {
        const page: ListAnswer<PickOrder> = await call(picklistApi.orders, {
          query: { ...query, cursor },
          signal,
        });
        for (const order of page.data) orders.set(order._id, order);
        cursor = page.nextCursor;
      }
      return { ...first, orders: [...orders.values()].sort(byHandover), summary: null };
    },
  });

/** The days of a range on which there is something to pick. */
export const pickDaysQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: picklistKeys.days(from, to),
    queryFn: dataOf(picklistApi.days, { query: { from, to } }),
  });

/** A print as it was. */
export const printQuery = (id: string) =>
  queryOptions({
    queryKey: picklistKeys.print(id),
    queryFn: dataOf(picklistApi.readPrint, { params: { id } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
