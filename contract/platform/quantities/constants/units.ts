/** The units in which products can be sold; a market may offer fewer. */
export const UNITS = [
  'lb',
  'kg',
  'oz',
  'g',
  'each',
  'bunch',
  'dozen',
  'pint',
  'quart',
  'gallon',
  'l',
  'ml',
] as const;
export type Unit = (typeof UNITS)[number];

/** Words of a farm's own for what it counts, such as jar and jars; shown as they are written. */
export interface UnitLabel {
  one: string;
  other: string;
}

/** The longest of either word. */
export const UNIT_LABEL_MAX = 20;

/** In what goods are counted: a unit, or words of the farm's own for pieces. */
export type CountedUnit = Unit | UnitLabel;

/** The units in which a farm says how much is in one piece of what it counts. */
export const NET_UNITS = ['g', 'kg', 'ml', 'l', 'oz', 'lb'] as const satisfies readonly Unit[];
export type NetUnit = (typeof NET_UNITS)[number];

/** What one piece contains. */
export interface NetContent {
  amount: number;
  unit: NetUnit;
}

export const QUANTITY_MAX = 1_000_000;

/** The widest steps in which a product can be sold. */
export const STEP_MAX = 1000;

/** The units of price that a scale shows. */
export const WEIGHT_UNITS = ['kg', 'g', 'lb', 'oz'] as const;
export type WeightUnit = (typeof WEIGHT_UNITS)[number];

export const GRAMS: Record<WeightUnit, number> = {
  kg: 1000,
  g: 1,
  lb: 453.59237,
  oz: 28.349523125,
};

/** Converts a weight to another unit, to two decimals: for a note beside exact figures, never for a sum. */
export const convertWeight = (weight: number, from: WeightUnit, to: WeightUnit): number =>
  Math.round((weight * GRAMS[from] * 100) / GRAMS[to]) / 100;

/** Returns whether what is sold in this unit can be weighed. */
export const isWeightUnit = (unit: string): unit is WeightUnit =>
  (WEIGHT_UNITS as readonly string[]).includes(unit);

/** A weight that is so many times the expected one, or less than that part of it, is a slip of the decimal point. */
export const SLIP_FACTOR = 10;
