import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { shortId } from '#contract/platform/http/constants';
import { isolate } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';
import { formatWallTimes } from '#contract/platform/time/constants/clock';

// What papers say of an order, each in whole phrases.

/** Puts phrases beside each other, in the order in which they are read: '#1f2e3d4c · 2 of 6'. */
export const besides = (...phrases: readonly (string | null)[]): string =>
  phrases.flatMap((phrase) => (phrase ? [isolate(phrase)] : [])).join(' · ');

/** How the customer gets it, in clear text. */
export const describeMethod = ({ address }: Pick<PickOrder, 'address'>): string =>
  address === null ? t('PICKUP') : t('DELIVERY');

/** Where it goes: the place of a pickup, or the two lines of an address. */
export const whereaboutsOf = (order: PickOrder): readonly string[] =>
  (order.address === null ? [order.place ?? ''] : (order.addressLines ?? [order.address])).map(
    isolate,
  );

/** '#1f2e3d4c'. */
export const numberOf = ({ _id }: Pick<PickOrder, '_id'>): string => `#${shortId(_id)}`;

/** 'Sat, Nov 28, 10:00–10:30 AM'. */
export const describeTime = ({ date, time, endTime }: PickOrder): string =>
  t('{day}, {time}', {
    day: formatWallDate(date, 'weekday'),
    time: formatWallTimes(time, endTime),
  });

export const countOrders = (count: number): string =>
  t('{count, plural, one {# order} other {# orders}}', { count });
export const countDeliveries = (count: number): string =>
  t('{count, plural, one {# delivery} other {# deliveries}}', { count });
export const countCrates = (count: number): string =>
  t('{count, plural, one {# crate} other {# crates}}', { count });
const countProducts = (count: number): string =>
  t('{count, plural, one {# product} other {# products}}', { count });

/** '6 products · 2 crates': how much there is to carry; crates once somebody has counted them. */
export function describeContent({ lines, crates }: PickOrder): string {
  const products = countProducts(lines.filter(({ quantity }) => quantity > 0).length);
  return besides(products, crates === undefined ? null : countCrates(crates));
}
