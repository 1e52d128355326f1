import { theMarket } from '#contract/platform/market/constants';
import type { CountedUnit, Unit, UnitLabel } from '#contract/platform/quantities/constants/units';
import { formatCount } from '#contract/platform/text/constants/formats';
import { isolate } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';

/** What the expected weight of a line is made of. */
interface ExpectedWeight {
  quantityMilli: number;
  pieceMilli: number | null;
}

type Write = (quantity: number) => string;

/** A quantity in each unit; pieces are counted without a word. */
const QUANTITIES: Readonly<Record<Unit, Write>> = {
  lb: (quantity) => t('{quantity, number} lb', { quantity }),
  kg: (quantity) => t('{quantity, number} kg', { quantity }),
  oz: (quantity) => t('{quantity, number} oz', { quantity }),
  g: (quantity) => t('{quantity, number} g', { quantity }),
  each: formatCount,
  bunch: (quantity) => t('{quantity, plural, one {# bunch} other {# bunches}}', { quantity }),
  dozen: (quantity) => t('{quantity, plural, one {# dozen} other {# dozen}}', { quantity }),
  pint: (quantity) => t('{quantity, plural, one {# pint} other {# pints}}', { quantity }),
  quart: (quantity) => t('{quantity, plural, one {# quart} other {# quarts}}', { quantity }),
  gallon: (quantity) => t('{quantity, plural, one {# gallon} other {# gallons}}', { quantity }),
  l: (quantity) => t('{quantity, number} l', { quantity }),
  ml: (quantity) => t('{quantity, number} ml', { quantity }),
};

/** The words of each unit for so many of it, where the number stands elsewhere. */
const UNIT_WORDS: Readonly<Record<Unit, Write>> = {
  lb: () => t('lb'),
  kg: () => t('kg'),
  oz: () => t('oz'),
  g: () => t('g'),
  each: () => t('each'),
  bunch: (quantity) => t('{quantity, plural, one {bunch} other {bunches}}', { quantity }),
  dozen: () => t('dozen'),
  pint: (quantity) => t('{quantity, plural, one {pint} other {pints}}', { quantity }),
  quart: (quantity) => t('{quantity, plural, one {quart} other {quarts}}', { quantity }),
  gallon: (quantity) => t('{quantity, plural, one {gallon} other {gallons}}', { quantity }),
  l: () => t('unit|l'),
  ml: () => t('ml'),
};

// A newer release may have more units.

/** Returns the word of a unit for so many of it: 'quarts' of 8, 'lb' of 2; for one of it without a quantity. */
export const unitWord = (unit: CountedUnit, quantity = 1): string =>
  isUnitLabel(unit) ? labelFor(unit, quantity) : (UNIT_WORDS[unit]?.(quantity) ?? unit);

const isUnitLabel = (unit: CountedUnit): unit is UnitLabel => typeof unit === 'object';

/** A farm's own words are as it writes them: no language declines them. */
const labelFor = ({ one, other }: UnitLabel, quantity: number): string =>
  isolate(quantity === 1 ? one : other);

/** Says of what a price is, to follow it: 'per lb', 'per bunch', 'each'. */
export const perUnit = (unit: CountedUnit): string =>
  unit === 'each' ? t('price|each') : t('per {unit}', { unit: unitWord(unit) });

/** Formats a quantity with its unit: '8 quarts', '1 bunch', '1.5 pints', '2 lb'; '1,200' of pieces. */
export const formatQuantity = (quantity: number, unit: CountedUnit): string =>
  isUnitLabel(unit)
    ? t('{quantity, number} {unit}', { quantity, unit: labelFor(unit, quantity) })
    : (QUANTITIES[unit]?.(quantity) ?? `${formatCount(quantity)} ${unit}`);

/** Formats a quantity of goods: '2 lb Carrots', '1 bunch Kale', '3 × Pumpkin'. */
export const formatGoods = (quantity: number, unit: CountedUnit, name: string): string =>
  `${formatQuantity(quantity, unit)} ${unit === 'each' ? '× ' : ''}${isolate(name)}`;

/** Formats a quantity of goods for a sentence: '2 lb of Carrots', '3 of Pumpkin'. */
export const formatQuantityOf = (quantity: number, unit: CountedUnit, name: string): string =>
  t('{quantity} of {name}', { quantity: formatQuantity(quantity, unit), name });

// Quantities are integers in thousandths of the unit inside and numbers with at most three decimals on the wire.

/** Thousandths of a unit in one unit. */
export const MILLI = 1000;

/** Converts a quantity of the wire to thousandths of the unit. Adding 0 makes 0 of -0. */
export const toMilli = (quantity: number): number => Math.round(quantity * MILLI) + 0;

/** Converts thousandths of the unit to a quantity of the wire. */
export const fromMilli = (milli: number | bigint): number => Number(milli) / MILLI;

/** Returns whether a quantity has at most three decimals: `0.3` has, `0.1 + 0.2` and `1.0005` have not. */
export const hasThreeDecimals = (quantity: number): boolean =>
  fromMilli(toMilli(quantity)) === quantity;

/**
 * Returns what a line costs in minor units: the price per unit times the quantity, half up, rounded once.
 * The SQL function `line_cost_minor` is the same. In big integers, because the product of the largest price
 * and quantity is no exact number.
 */
export const lineCostMinor = (priceMinor: number, quantityMilli: number): number =>
  Number((BigInt(priceMinor) * BigInt(quantityMilli) * 2n + 1000n) / 2000n);

/**
 * Returns what a line is expected to weigh, in thousandths of the unit of its price: its quantity or, of pieces that
 * are priced by weight, their number times the weight of one. In big integers, because the product may be no exact
 * number.
 */
export const expectedMilli = ({ quantityMilli, pieceMilli }: ExpectedWeight): number =>
  pieceMilli === null
    ? quantityMilli
    : Number((BigInt(pieceMilli) * BigInt(quantityMilli)) / BigInt(MILLI));

/** What the price of a line is made of. */
export interface PricedLine {
  priceMinor: number;
  quantityMilli: number;
  /** The expected weight of one piece, in thousandths of the price's unit; null where it is not sold by pieces. */
  pieceMilli: number | null;
}

/**
 * Returns what a line is expected to cost, in minor units: the price per unit times the quantity or, of pieces that
 * are priced by weight, times their expected weight; rounded once.
 */
export const estimateMinor = ({ priceMinor, quantityMilli, pieceMilli }: PricedLine): number =>
  lineCostMinor(priceMinor, expectedMilli({ quantityMilli, pieceMilli }));

// Distances are miles on the wire and in the database. A metric market reads and types whole kilometres.

export const KM_PER_MILE = 1.609344;

/** Returns whether the market shows kilometres. */
export const isMetric = (): boolean => theMarket().unitSystem === 'metric';

/** Returns miles in the market's unit: whole kilometres, of which any distance has at least one, or miles as they are. */
export const toShownDistance = (miles: number): number =>
  isMetric() ? Math.max(Math.sign(miles), Math.round(miles * KM_PER_MILE)) : miles;

/** Formats a distance: '40 km', '25 miles', '1 mile'. */
export function formatDistance(miles: number): string {
  const distance = toShownDistance(miles);
  return isMetric()
    ? t('{distance, number} km', { distance })
    : t('{distance, plural, one {# mile} other {# miles}}', { distance });
}
