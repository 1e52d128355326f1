import { randomUUID } from 'node:crypto';
import type { UpdateProduct } from '#contract/catalogue/products/product-fields';
import { toMinor } from '#contract/platform/money/constants';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import { hasSameStep } from '#contract/platform/quantities/constants/steps';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import {
  type SoldGoods,
  type StepProblem,
  stepProblems,
} from '#contract/platform/quantities/quantity';
import { msg, t } from '#contract/platform/text/constants/texts';
import { conflict, invalid, invalidField } from '../../platform/http/errors.ts';
import {
  pieceWeightAfter,
  presentSold,
  type SoldRow,
  toMilliOrNull,
  toPieceRow,
} from './present.ts';
import { ALWAYS_MILLI, presentSize, type SizeRow, sizesOf, toNetRow, toSizesRow } from './sizes.ts';

// How a product is sold: its price or sizes, its stock, and in what it is counted. What a change leaves out stays.

/** What a change may say of it. */
export type SaleChange = Pick<
  UpdateProduct,
  | ('price' | 'sizes' | 'unit' | 'unitLabel' | 'net' | 'soldBy' | 'pieceWeight')
  | ('quantityAvailable' | 'availability' | 'maxPerOrder' | 'step' | 'minimum')
>;

/** What it comes to, as on the wire; the sizes as the row has them. */
export interface Sale extends Omit<SoldGoods, 'sizes' | 'net'> {
  net: Parameters<typeof toNetRow>[0];
  sizes: readonly SizeRow[];
}

/** Returns how a product is sold after a change; null before for one that is new. */
export function saleAfter(before: SoldRow | null, change: SaleChange): Sale {
  const was = before && presentSold(before);
  const known = before ? sizesOf(before) : [];
  const sizes = change.sizes === undefined ? known : toSizeRows(known, change.sizes ?? []);
  const unit = change.unit ?? was?.unit ?? 'each';
  const pieceWeight = before ? pieceWeightAfter(before, change) : (change.pieceWeight ?? null);
  const availability = change.availability ?? was?.availability ?? 'counted';
  const isByPiece = pieceWeight !== null;
  const isSameUnit = unit === was?.unit;
  /** What a field of the product was, as far as it still says something. */
  const keeps = <Value>(isKept: boolean, value: Value | null | undefined) =>
    isKept ? (value ?? null) : null;
  const sold = {
    unit,
    pieceWeight,
    availability,
    sizes,
    unitLabel: or(change.unitLabel, keeps(unit === 'each' && !isByPiece, was?.unitLabel)),
    net: or(change.net, keeps(isSameUnit && !isByPiece, was?.net)),
    maxPerOrder: or(change.maxPerOrder, keeps(availability === 'always', was?.maxPerOrder)),
    quantityAvailable:
      change.quantityAvailable ??
      (was?.availability === 'always' ? undefined : was?.quantityAvailable),
  };
  // The steps and the price of a row with sizes are those that follow from them.
  if (sizes.length > 0 || was?.sizes) {
    const { step = null, minimum = null, price } = change;
    return { ...sold, step, minimum, price };
  }
  return {
    ...sold,
    step: or(change.step, was?.step),
    minimum: or(change.minimum, was?.minimum),
    price: change.price ?? was?.price,
  };
}

const or = <Value>(value: Value | undefined, other: Value | null | undefined): Value | null =>
  (value === undefined ? other : value) ?? null;

/** Returns sizes as the row has them. @throws 400 for one that the product does not have */
function toSizeRows(
  before: readonly SizeRow[],
  sizes: NonNullable<SaleChange['sizes']>,
): readonly SizeRow[] {
  return sizes.map(({ _id, label, content, price, sku, isActive, minimum }, index) => {
    if (_id !== undefined && before.every(({ id }) => id !== _id)) {
      throw invalidField(`sizes.${index}._id`, msg('This size was removed meanwhile.'));
    }
    return {
      id: _id ?? randomUUID(),
      label,
      contentMilli: toMilli(content),
      priceMinor: toMinor(price),
      sku: sku || null,
      isActive,
      minimum: minimum ?? null,
    };
  });
}

/**
 * Returns what would not fit together in a product after a change of it: its stock, its smallest order and its price
 * with its steps, and the weight of a piece with its unit. A stock that stays as it is, in the same steps and counted in
 * the same, fits.
 */
export function saleProblems(
  before: SoldRow | null,
  change: SaleChange,
  sale: Sale,
): StepProblem[] {
  if (change.soldBy === 'piece_by_weight' && !sale.pieceWeight) {
    return [{ path: 'pieceWeight.average', message: t('Enter what a piece weighs on average.') }];
  }
  if (isStockOfAlways(before, change)) {
    const path = 'quantityAvailable';
    return [{ path, message: t('It is always available. To give it a stock, say so first.') }];
  }
  const sizes = sale.sizes.map(presentSize);
  if (sizes.length === 0 && sale.price === undefined) {
    return [{ path: 'price', message: t('Valid price is required') }];
  }
  const was = before && presentSold(before);
  const keepsStock =
    was !== null &&
    sale.quantityAvailable === was.quantityAvailable &&
    hasSameStep({ ...sale, sizes }, was) &&
    !sale.pieceWeight === !was.pieceWeight;
  return stepProblems({ ...sale, sizes }, { keepsStock });
}

/**
 * Returns whether a change sets a stock of what is always available and is to stay so. The largest stock, which readers
 * who know no availability repeat, says nothing.
 */
export const isStockOfAlways = (
  before: Pick<SoldRow, 'isAlways'> | null,
  { availability, quantityAvailable }: SaleChange,
): boolean =>
  before?.isAlways === true &&
  availability === undefined &&
  quantityAvailable !== undefined &&
  quantityAvailable !== QUANTITY_MAX;

/**
 * Requires that what a product comes to fits together.
 * @throws 400; 409 SIZES_BY_WEIGHT for sizes of what is sold by the piece and priced by weight
 */
export function requireSale(before: SoldRow | null, change: SaleChange): Sale {
  const sale = saleAfter(before, change);
  if (sale.sizes.length > 0 && sale.pieceWeight) {
    throw conflict(
      'SIZES_BY_WEIGHT',
      msg(
        'What is sold by the piece and priced by weight has no sizes. Add a product of its own for what is packed beforehand.',
      ),
    );
  }
  const problems = saleProblems(before, change, sale);
  if (problems[0]) throw invalid(problems[0].message, problems);
  return sale;
}

/** Returns how a product is sold, as its row has it. */
export function toSaleRow(before: Pick<SoldRow, 'stockMilli'> | null, sale: Sale) {
  const { unit, unitLabel, step, minimum, price, sizes, maxPerOrder } = sale;
  const isAlways = sale.availability === 'always';
  const stockMilli = isAlways ? ALWAYS_MILLI : toMilli(sale.quantityAvailable ?? 0);
  return {
    unit,
    unitLabel: unitLabel ? [unitLabel.one, unitLabel.other] : [],
    ...toNetRow(sale.net),
    ...toPieceRow(sale.pieceWeight ?? null),
    isAlways,
    maxOrderMilli: toMilliOrNull(maxPerOrder ?? null),
    ...(sizes.length > 0
      ? toSizesRow(sizes)
      : {
          sizes: [],
          stepMilli: toMilliOrNull(step ?? null),
          minimumMilli: toMilliOrNull(minimum ?? null),
          priceMinor: toMinor(price ?? 0),
        }),
    // A stock that the farm sets is all there is: nothing that was set aside returns to it.
    stockMilli,
    ...(before && !isAlways && Number(before.stockMilli) === stockMilli
      ? {}
      : { asideMilli: null, returnsAt: null }),
  };
}
