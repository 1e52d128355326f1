/** Returns the list with the item at `from` moved to `to`, or the same list if nothing moves. */
export function moved<Item>(list: readonly Item[], from: number, to: number): readonly Item[] {
  const item = list[from];
  const end = Math.max(0, Math.min(list.length - 1, to));
  if (item === undefined || end === from) return list;
  return list.toSpliced(from, 1).toSpliced(end, 0, item);
}
