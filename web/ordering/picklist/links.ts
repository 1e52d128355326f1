import type { PickScope } from '#contract/ordering/picklist/pick-summary';

/** Returns the path of a day's list. */
export function pathOfList({ date, place }: PickScope): string {
  const params = new URLSearchParams({ date, ...(place === null ? {} : { place }) });
  return `/farmer/picklist?${params}`;
}

/** Returns the address of a day's list for a paper, which is read by a telephone. */
export const addressOfList = (scope: PickScope): string =>
  `${window.location.origin}${pathOfList(scope)}`;

/** Returns the address of an order, for the code of a label. */
export const addressOfOrder = (orderId: string): string =>
  `${window.location.origin}/orders/${orderId}`;
