import type { Unit } from '#contract/platform/quantities/constants/units';
import { numberLocale } from '#contract/platform/text/constants/formats';
import { isolate, ofReader } from '#contract/platform/text/constants/reader';

/** What the expected weight of a line is made of. */
interface ExpectedWeight {
  quantityMilli: number;
  pieceMilli: number | null;
}

/** The words of each unit for one and for several; pieces are counted without a word. */
const UNIT_WORDS: Readonly<Record<Unit, readonly [one: string, several: string]>> = {
  lb: ['lb', 'lb'],
  kg: ['kg', 'kg'],
  oz: ['oz', 'oz'],
  g: ['g', 'g'],
  each: ['', ''],
  bunch: ['bunch', 'bunches'],
  dozen: ['dozen', 'dozen'],
  pint: ['pint', 'pints'],
  quart: ['quart', 'quarts'],
  gallon: ['gallon', 'gallons'],
};

/** Quantities have at most three decimals. */
const number = ofReader(
  (market, language) =>
    new Intl.NumberFormat(numberLocale(market, language), { maximumFractionDigits: 3 }),
);

/** Returns the word of a unit for so many of it: 'quarts' of 8, 'lb' of 2; empty for pieces. */
export const unitWord = (unit: Unit, quantity: number): string =>
  // The number as it is shown decides, so that '1' never stands beside a plural.
  // A newer release may have more units.
  UNIT_WORDS[unit]?.[number().format(quantity) === '1' ? 0 : 1] ?? unit;

/** Formats a quantity with its unit: '8 quarts', '1 bunch', '1.5 pints', '2 lb'; '1,200' of pieces. */
export const formatQuantity = (quantity: number, unit: Unit): string =>
  [number().format(quantity), unitWord(unit, quantity)].filter(Boolean).join(' ');

/** Formats a quantity of goods: '2 lb Carrots', '1 bunch Kale', '3 × Pumpkin'. */
export const formatGoods = (quantity: number, unit: Unit, name: string): string =>
  [number().format(quantity), unitWord(unit, quantity) || '×', isolate(name)].join(' ');

/** Formats a quantity of goods for a sentence: '2 lb of Carrots', '3 of Pumpkin'. */
export const formatQuantityOf = (quantity: number, unit: Unit, name: string): string =>
  `${formatQuantity(quantity, unit)} of ${isolate(name)}`;

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
