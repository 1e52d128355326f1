import { harvestMilli } from '#contract/ordering/picklist/pick-summary';
import type { PickChange, PickOrder, PickTotal } from '#contract/ordering/picklist/picklist';
import { formatGoodsQuantity } from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { convertWeight, isWeightUnit } from '#contract/platform/quantities/constants/units';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';
import { formatWallTimes } from '#contract/platform/time/constants/clock';

type PickedSize = NonNullable<PickTotal['sizes']>[number];

/** How old a change is: `fresh` below 10 minutes, `recent` below an hour. */
export type ChangeAge = 'fresh' | 'recent' | 'old';

const FRESH_MS = 10 * 60_000;
const RECENT_MS = 60 * 60_000;

/** Returns how old a change is at `nowMs`. */
export function ageOf({ at }: Pick<PickChange, 'at'>, nowMs: number): ChangeAge {
  const age = nowMs - Date.parse(at);
  return age < FRESH_MS ? 'fresh' : age < RECENT_MS ? 'recent' : 'old';
}

/**
 * Says what of a product is needed in other units of weight, in rows of their own: 'Also 2 kg (≈ 4.41 lb)'. Empty for
 * none.
 */
export function describeOtherUnits(total: PickTotal, all: readonly PickTotal[]): string {
  const { unit, _id } = total.product;
  if (_id === null || total.isByPiece || !isWeightUnit(unit)) return '';
  const others = all.flatMap(({ product, isByPiece, quantity }) => {
    if (product._id !== _id || isByPiece || product.unit === unit || quantity === 0) return [];
    if (!isWeightUnit(product.unit)) return [];
    const same = formatQuantity(convertWeight(quantity, product.unit, unit), unit);
    return [`${formatQuantity(quantity, product.unit)} (≈ ${same})`];
  });
  return others.length === 0 ? '' : t('Also {quantities}', { quantities: listOf(others, 'unit') });
}

/** Says what became of goods since the last print, after the order that they belong to: 'new', 'was 3 lb, is 2 lb'. */
export function describeChange(change: PickChange): string {
  const { kind, movedTo, from, to } = change;
  switch (kind) {
    case 'new':
      return t('picked|new');
    case 'moved_in':
      return t('moved here');
    case 'moved_away':
      return movedTo === undefined
        ? t('moved to another place')
        : t('moved to {day}', { day: formatWallDate(movedTo, 'weekday') });
    case 'cancelled':
      return t('order|cancelled');
    case 'rejected':
      return t('order|rejected');
    default:
      if (to === 0) return t('taken out');
      return from === 0
        ? t('picked|added')
        : t('was {before}, is {now}', {
            before: formatGoodsQuantity(change, from),
            now: formatGoodsQuantity(change, to),
          });
  }
}

/** Says how a total is packed: '4 × 1 kg, 2 × 4 kg', and what of it is ordered in the unit: '1.5 kg loose'. Else empty. */
export function describePacking({
  sizes = [],
  ...total
}: Pick<PickTotal, 'product' | 'quantity' | 'isByPiece'> & {
  sizes?: readonly Pick<PickedSize, 'size' | 'quantity'>[] | undefined;
}): string {
  const packed = sizes.filter(({ quantity }) => quantity > 0);
  if (packed.length === 0) return '';
  const looseMilli = packed.reduce(
    (milli, { size, quantity }) => milli - harvestMilli({ size }, toMilli(quantity)),
    toMilli(total.quantity),
  );
  return listOf(
    [
      ...packed.map(({ size, quantity }) =>
        formatGoodsQuantity({ product: total.product, size }, quantity),
      ),
      ...(looseMilli > 0
        ? [t('{quantity} loose', { quantity: formatGoodsQuantity(total, fromMilli(looseMilli)) })]
        : []),
    ],
    'unit',
  );
}

/** Formats a difference with its sign: '+2', '−1.5'. */
export const formatDelta = (delta: number): string =>
  `${delta < 0 ? '−' : '+'}${formatQuantity(Math.abs(delta), 'each')}`;

/** Returns what came and what went since the print, of sizes what they contain: '+2 / −1', '+2'. Empty for nothing. */
export function formatDeltas(changes: readonly Pick<PickChange, 'delta' | 'size'>[]): string {
  const sum = (isWanted: (delta: number) => boolean): number =>
    fromMilli(
      changes.reduce(
        (milli, change) =>
          milli + (isWanted(change.delta) ? harvestMilli(change, toMilli(change.delta)) : 0),
        0,
      ),
    );
  const [more, less] = [sum((delta) => delta > 0), sum((delta) => delta < 0)];
  return [more && formatDelta(more), less && formatDelta(less)].filter(Boolean).join(' / ');
}

/** Returns when an order is handed over: '10:00–10:30 AM'. */
export const timeOf = ({ time, endTime }: Pick<PickOrder, 'time' | 'endTime'>): string =>
  formatWallTimes(time, endTime);

/** Returns where an order is handed over: the place, or the address of a delivery. */
export const whereOf = ({ place, address }: Pick<PickOrder, 'place' | 'address'>): string =>
  address === null ? (place ?? '') : t('Delivery to {address}', { address });
