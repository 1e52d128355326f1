type Item = { _id: string };

/**
 * Returns the rows of `items` whose insertion is deferred while the user reads: those not yet `known`
 * that would push known rows down. Returns none if no row is known.
 */
export function rowsToDefer<Row extends Item>(
  items: readonly Row[],
  known: ReadonlySet<string>,
): Row[] {
  const lastKnown = items.findLastIndex((item) => known.has(item._id));
  return items.slice(0, Math.max(0, lastKnown)).filter((item) => !known.has(item._id));
}

/**
 * Returns `items` with the rows that are leaving the list at their last position. `before` are the
 * ids shown before, in order; `leaving` are the leaving rows in their current state.
 */
export function withLeavingRows<Row extends Item>(
  items: readonly Row[],
  before: readonly string[],
  leaving: ReadonlyMap<string, Row>,
): Row[] {
  const rows = [...items];
  const present = new Set(items.map((item) => item._id));
  for (const [index, id] of before.entries()) {
    const row = leaving.get(id);
    if (!row || present.has(id)) continue;
    const neighbour = before.slice(0, index).findLast((other) => present.has(other));
    rows.splice(rows.findIndex((other) => other._id === neighbour) + 1, 0, row);
    present.add(id);
  }
  return rows;
}
