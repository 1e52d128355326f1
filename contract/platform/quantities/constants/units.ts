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
