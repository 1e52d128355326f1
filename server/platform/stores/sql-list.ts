/** Returns constants as the list of an SQL `IN (…)`: `'a', 'b'`. Never pass it what comes from outside. */
export const sqlList = (values: readonly string[]): string =>
  values.map((value) => `'${value}'`).join(', ');
