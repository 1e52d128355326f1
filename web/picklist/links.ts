import type { PickScope } from '#contract/pick-summary';

/** Returns the path of a day's list. */
export function pathOfList({ date, place }: PickScope): string {
  const params = new URLSearchParams({ date, ...(place === null ? {} : { place }) });
  return `/farmer/picklist?${params}`;
}

/** Returns the address of a day's list for a paper, which is read by a telephone. */
export const addressOfList = (scope: PickScope): string =>
  `${window.location.origin}${pathOfList(scope)}`;

/** Returns the address of an order in the packing view. */
export const addressOfOrder = (date: string, orderId: string): string =>
  `${window.location.origin}/farmer/picklist?${new URLSearchParams({ date, view: 'pack', order: orderId })}`;
