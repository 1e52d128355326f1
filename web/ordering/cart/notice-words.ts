import type { Unit } from '#contract/catalogue/products/product';
import { formatMoney, lineTotalMinor, toMinor } from '#contract/platform/money/constants';
import { formatPieceWeight } from '#contract/platform/quantities/constants/piece-words';
import {
  type CountedGoods,
  formatCounted,
  formatGoodsQuantity,
  nameWithSize,
  pricedUnit,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  formatQuantityOf,
  perUnit,
} from '#contract/platform/quantities/constants/quantities';
import { formatSteps } from '#contract/platform/quantities/constants/step-fields';
import type { UnitLabel } from '#contract/platform/quantities/constants/units';
import type { OrderedSize } from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';
import { isOtherUnit, type LineNotice, updatedLine } from './reconcile.ts';
import { type CartLine, formatCost } from './rules.ts';

/** Returns some sentences about the changes of a line. */
export function noticeSentence(news: LineNotice): string {
  const { line, isGone, missedDay, left, nearest, recounted, price, steps, pieceWeight } = news;
  const { unit: pricedUnit = 'each', asksSize } = news;
  const name = nameWithSize(line.name, line.size);
  if (isGone) return t('{name} is no longer on sale.', { name });
  if (missedDay !== undefined)
    return t(
      '{name} can be had until {day}, and no day until then takes orders. Remove it to order the rest.',
      { name, day: formatWallDate(missedDay, 'weekday') },
    );
  if (asksSize === 'required') return t('{name} is sold in sizes. Choose one.', { name });
  if (asksSize) return t('{name} is no longer sold in this size. Choose another one.', { name });
  if (left === 0)
    return news.limit
      ? t('The other sizes of {name} in your cart leave none for this one.', { name: line.name })
      : t('{name} is sold out.', { name });
  const now: CountedGoods = {
    unit: pricedUnit,
    unitLabel: news.unitLabel,
    pieceWeight: pieceWeight === undefined ? line.pieceWeight : pieceWeight,
    size: news.size,
  };
  const unit = quantityUnit(now);
  const had =
    recounted === undefined
      ? formatQuantity(line.quantity, unit)
      : formatGoodsQuantity(
          {
            product: { unit: line.unit ?? 'each', unitLabel: line.unitLabel },
            isByPiece: line.pieceWeight !== undefined,
            size: line.size,
          },
          line.quantity,
        );
  const short = {
    left: formatQuantityOf(left ?? 0, unit, name),
    had,
  };
  return [
    pieceWeight !== undefined && pieceSentence(line, pieceWeight, pricedUnit),
    refilledSentence(news),
    priceSentence(
      { ...line, name },
      { price: price ?? line.price, unit: news.unit, size: news.size },
    ),
    nearest !== undefined &&
      t('You can order {name} {steps}: {nearest} instead of {had}.', {
        name,
        steps: formatSteps(steps, unit),
        nearest: formatQuantity(nearest, unit),
        had,
      }),
    recounted !== undefined &&
      left === undefined &&
      t('Your cart has {recounted} of it now instead of {had}.', {
        recounted: formatCounted(recounted, now),
        had,
      }),
    left !== undefined &&
      (news.limit === 'maximum'
        ? t('An order can have at most {left}; your cart has {had}.', short)
        : t('Only {left} left; your cart has {had}.', short)),
    (pieceWeight !== undefined || isOtherUnit(line, news.unit)) &&
      !news.size &&
      costsSentence(line, updatedLine(news) ?? line),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Says that a piece of a size contains something else than it did, or that goods are no longer sold in sizes. */
function refilledSentence({ line, isRefilled, size, unit, unitLabel }: LineNotice): string {
  if (line.size && size === null)
    return t('{name} is no longer sold in sizes.', { name: line.name });
  return isRefilled && size ? contentSentence(line, { unit, unitLabel, size }) : '';
}

/** Says what a piece of a size contains now, if that is something else than it was. */
export function contentSentence(
  before: Chosen,
  after: { unit: Unit | undefined; unitLabel?: UnitLabel | undefined; size: OrderedSize },
): string {
  if (!before.size) return '';
  const contentOf = ({ unit = 'each', unitLabel, size }: Partial<typeof after>) =>
    formatQuantity(size?.content ?? 0, quantityUnit({ unit, unitLabel }));
  const [now, then] = [contentOf(after), contentOf(before)];
  if (now === then) return '';
  return t('{name} contains {now} now instead of {before}.', {
    name: nameWithSize(before.name, before.size),
    now,
    before: then,
  });
}

/** Goods as they were sold when they were chosen. */
type Chosen = Pick<CartLine, 'name' | 'price' | 'unit' | 'pieceWeight' | 'size' | 'unitLabel'>;

/** Says what goods cost now, and per what if that changed; nothing where it is the same. */
export function priceSentence(
  before: Chosen,
  {
    price,
    unit,
    size,
  }: { price: number; unit: Unit | undefined; size?: CountedGoods['size'] | undefined },
): string {
  const [now, then] = [formatMoney(price), formatMoney(before.price)];
  const isPerOther = before.size ? !size : isOtherUnit(before, unit) && !size;
  if (before.unit !== undefined && unit !== undefined && isPerOther) {
    return t('{name} costs {now} now instead of {before}.', {
      name: before.name,
      now: `${now} ${perUnit(pricedUnit({ unit, size }))}`,
      before: `${then} ${perUnit(pricedUnit({ ...before, unit: before.unit }))}`,
    });
  }
  if (toMinor(price) === toMinor(before.price)) return '';
  return t('{name} costs {now} now instead of {before}.', { name: before.name, now, before: then });
}

/** Says how what a piece weighs has changed, or that goods are sold by the piece by now, or (`null`) no longer. */
export function pieceSentence(
  { name, pieceWeight: before }: Chosen,
  after: { average: number } | null,
  unit: Unit,
): string {
  if (!after) return t('{name} is no longer sold by the piece.', { name });
  return before
    ? t('A piece of {name} weighs about {average} now.', {
        name,
        average: formatQuantity(after.average, unit),
      })
    : t('{name} is sold by the piece now, {weight}.', {
        name,
        weight: formatPieceWeight(after, unit),
      });
}

type Costed = Parameters<typeof lineTotalMinor>[0];

/** Says what goods come to now that they are sold otherwise; nothing where that is the same. */
export function costsSentence(before: Costed, after: Costed): string {
  if (lineTotalMinor(after) === lineTotalMinor(before)) return '';
  return t('That makes {after} instead of {before}.', {
    after: formatCost(after),
    before: formatCost(before),
  });
}
