import { theMarket } from '#contract/platform/market/constants';
import { formatMoney, fromMinor, toMinor } from '#contract/platform/money/constants';
import { MILLI, toMilli, unitWord } from '#contract/platform/quantities/constants/quantities';
import type { NetContent, Unit } from '#contract/platform/quantities/constants/units';
import { t } from '#contract/platform/text/constants/texts';

// What goods cost per kilogram or litre, or per pound or quart, by which those of different sizes compare.

/** The units that prices are compared by. */
const COMPARED_BY = {
  metric: { weight: 'kg', volume: 'l' },
  us: { weight: 'lb', volume: 'quart' },
} as const;
export type ComparedUnit = (typeof COMPARED_BY)['metric' | 'us']['weight' | 'volume'];

export interface UnitPrice {
  amount: number;
  per: ComparedUnit;
}

/** What has a price, as on the wire. */
export interface PricedGoods {
  /** Per unit; per piece of the size. */
  price: number;
  unit: Unit;
  /** What one of what is counted contains; of a size, what one unit of its content does. */
  net?: NetContent | null | undefined;
  /** The size of which the price is. */
  size?: { content: number } | null | undefined;
  /** All sizes of a product: each has a price of its own, so without `size` nothing is priced. */
  sizes?: readonly unknown[] | undefined;
}

type Measure = readonly [of: 'weight' | 'volume', nano: bigint];

/** What each unit is, in billionths of a gram and of a litre. */
const METRIC_MEASURES: Partial<Record<Unit, Measure>> = {
  g: ['weight', 1_000_000_000n],
  kg: ['weight', 1_000_000_000_000n],
  oz: ['weight', 28_349_523_125n],
  lb: ['weight', 453_592_370_000n],
  ml: ['volume', 1_000_000n],
  l: ['volume', 1_000_000_000n],
};
/** Pints, quarts and gallons are these in the United States alone: those of Britain are others. */
const US_MEASURES: typeof METRIC_MEASURES = {
  ...METRIC_MEASURES,
  pint: ['volume', 473_176_473n],
  quart: ['volume', 946_352_946n],
  gallon: ['volume', 3_785_411_784n],
};

/**
 * Returns what goods cost per kg or l, in markets of the United States per lb or quart, half up to the smallest part of
 * the currency. Undefined where nobody says what they weigh or hold, and where that is just what the price is of.
 */
export function unitPrice({ price, unit, net, size, sizes }: PricedGoods): UnitPrice | undefined {
  const { unitSystem } = theMarket();
  const measures = unitSystem === 'us' ? US_MEASURES : METRIC_MEASURES;
  const contained = measures[net?.unit ?? unit];
  if (!contained || (sizes && !size)) return undefined;
  const [of, nano] = contained;
  const per = COMPARED_BY[unitSystem][of];
  const [, perNano = nano] = measures[per] ?? [];
  // Both quantities are in thousandths.
  const content = BigInt(toMilli(size?.content ?? 1)) * BigInt(toMilli(net?.amount ?? 1)) * nano;
  const compared = perNano * BigInt(MILLI) ** 2n;
  if (content === compared || content === 0n) return undefined;
  const minor = (BigInt(toMinor(price)) * compared * 2n + content) / (content * 2n);
  return { amount: fromMinor(minor), per };
}

/** Writes it: '₨120.00 per kg'. */
export const formatUnitPrice = ({ amount, per }: UnitPrice): string =>
  t('{price} per {unit}', { price: formatMoney(amount), unit: unitWord(per) });
