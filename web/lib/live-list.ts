type Item = { _id: string };

/**
 * Which of `items` to hold back, so that nothing moves under the hands of who reads: those not
 * `known` yet that would push known ones down. Nothing is held back from a list seen for the first
 * time.
 */
export function heldBack<Row extends Item>(
  items: readonly Row[],
  known: ReadonlySet<string>,
): Row[] {
  const lastKnown = items.findLastIndex((item) => known.has(item._id));
  return items.slice(0, Math.max(0, lastKnown)).filter((item) => !known.has(item._id));
}

/**
 * `items` with those that are just leaving the list where they last stood. `before` is what was
 * shown before, in its order; `leaving` is how those that leave are now.
 */
export function withLeaving<Row extends Item>(
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
