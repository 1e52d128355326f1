import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { SLOT_RANGE_MAX_DAYS, slotsApi } from '#contract/farm/slots/constants';
import { movesApi } from '#contract/ordering/moves/constants';
import { addDays } from '#contract/platform/time/constants';
import { call } from '../../platform/api/api.ts';
import { paging } from '../../platform/queries/pages.ts';
import { slotsKeys } from './keys.ts';

/** The orders of a slot that are loaded at once. */
const PAGE_SIZE = 50;

/** Days, both included, by the farm's clock. */
export interface Days {
  from: string;
  to: string;
}

/** Returns the days from `today` on, as many as one call can ask for. */
export const daysAhead = (today: string): Days => ({
  from: today,
  to: addDays(today, SLOT_RANGE_MAX_DAYS - 1),
});

/** Returns the days after {@link daysAhead} up to so many ahead; `today` may be yesterday. */
export const laterDays = (today: string, ahead: number): Days => ({
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

/** The orders of a slot, with whether their buyers have read that they were moved. */
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
