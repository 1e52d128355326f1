import { useState } from 'react';
import { rowsToDefer } from '../../platform/queries/use-live-list.ts';

/** A list to render while events change it. */
type SteadyList<Row> = {
  rows: readonly Row[];
  /** The number of new rows that are not shown yet. */
  waiting: number;
  /** Whether the row no longer belongs to the list; it is kept until `settle` is called. */
  isGone: (row: Row) => boolean;
  /** Shows the list in its current state. */
  settle: () => void;
};

/**
 * Keeps the rows of a list in their initial order: rows are updated in place, new rows wait, and
 * further pages are appended. `view` identifies the list (its filters and order); another one starts
 * over.
 */
export function useSteadyList<Row extends { _id: string }>(
  items: readonly Row[],
  view: string,
): SteadyList<Row> {
  const [shown, setShown] = useState({ view, rows: items });
  const fresh = new Map(items.map((item) => [item._id, item]));
  const rows = shown.view === view ? updatedInPlace(shown.rows, items, fresh) : items;
  if (shown.view !== view || rows !== shown.rows) setShown({ view, rows });
  const known = new Set(rows.map((row) => row._id));
  return {
    rows,
    waiting: items.filter((item) => !known.has(item._id)).length,
    isGone: (row) => !fresh.has(row._id),
    settle: () => setShown({ view, rows: items }),
  };
}

function updatedInPlace<Row extends { _id: string }>(
  before: readonly Row[],
  items: readonly Row[],
  fresh: ReadonlyMap<string, Row>,
): readonly Row[] {
  const known = new Set(before.map((row) => row._id));
  const waiting = new Set(rowsToDefer(items, known));
  const rows = [
    ...before.map((row) => fresh.get(row._id) ?? row),
    ...items.filter((item) => !known.has(item._id) && !waiting.has(item)),
  ];
  const same = rows.length === before.length && rows.every((row, index) => row === before[index]);
  return same ? before : rows;
}
