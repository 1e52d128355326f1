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
] as const;

export const QUANTITY_MAX = 1_000_000;

/** The widest steps in which a product can be sold. */
export const STEP_MAX = 1000;
