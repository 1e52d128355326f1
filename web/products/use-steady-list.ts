import { useState } from 'react';
import { heldBack } from '../lib/live-list.ts';

/** A list as it is to be drawn while the market changes it. */
export type SteadyList<Row> = {
  rows: readonly Row[];
  /** How many new ones wait to be shown. */
  waiting: number;
  /** Whether the row is no longer part of the list; it keeps its place until one shows the new. */
  isGone: (row: Row) => boolean;
  /** Takes the list over as it is now. */
  settle: () => void;
};

/**
 * Keeps a list as it stood when one began to read it: its rows follow their own changes but stay in
 * their places, what is new waits, and further pages join at the end. `view` names the list (its
 * filters, its order); another one starts anew.
 */
export function useSteadyList<Row extends { _id: string }>(
  items: readonly Row[],
  view: string,
): SteadyList<Row> {
  const [shown, setShown] = useState({ view, rows: items });
  const fresh = new Map(items.map((item) => [item._id, item]));
  const rows = shown.view === view ? steadied(shown.rows, items, fresh) : items;
  if (shown.view !== view || rows !== shown.rows) setShown({ view, rows });
  const known = new Set(rows.map((row) => row._id));
  return {
    rows,
    waiting: items.filter((item) => !known.has(item._id)).length,
    isGone: (row) => !fresh.has(row._id),
    settle: () => setShown({ view, rows: items }),
  };
}

function steadied<Row extends { _id: string }>(
  before: readonly Row[],
  items: readonly Row[],
  fresh: ReadonlyMap<string, Row>,
): readonly Row[] {
  const known = new Set(before.map((row) => row._id));
  const waiting = new Set(heldBack(items, known));
  const rows = [
    ...before.map((row) => fresh.get(row._id) ?? row),
    ...items.filter((item) => !known.has(item._id) && !waiting.has(item)),
  ];
  const same = rows.length === before.length && rows.every((row, index) => row === before[index]);
  return same ? before : rows;
}
