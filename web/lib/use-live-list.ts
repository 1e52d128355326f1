import { useEffect, useState, useSyncExternalStore } from 'react';
import { heldBack, withLeaving } from './live-list.ts';

/** Milliseconds a row that leaves is still shown, at the least. */
const LINGER = 1_600;
/** Milliseconds without a touch of pointer or keyboard before rows may close up. */
const STILL = 900;
/** How far down, in pixels, one counts as reading the middle of a list. */
const SCROLLED = 160;

type Shown = {
  view: string;
  ids: readonly string[];
  /** What was there when the list first appeared; whatever joins later slides in. */
  first: ReadonlySet<string>;
  gone: ReadonlySet<string>;
};

/** A list as it is to be drawn while events change it. */
export type LiveList<Row> = {
  rows: Row[];
  /** How many new ones wait above, because one has scrolled. */
  held: number;
  /** Whether the row joined the list after it first appeared. */
  isNew: (row: Row) => boolean;
  /** Whether the row is no longer part of the list and about to go. */
  isLeaving: (row: Row) => boolean;
};

/**
 * Keeps a list steady under the hands of who works with it: what is new waits above while one has
 * scrolled down, and what no longer belongs is shown as it is now until the hands are still.
 * `view` names the list (its filters): another one starts anew, and so does one not `ready` yet.
 * `changed` are those that changed lately, as they are now.
 */
export function useLiveList<Row extends { _id: string }>(
  items: readonly Row[],
  { view, ready, changed }: { view: string; ready: boolean; changed: readonly Row[] },
): LiveList<Row> {
  const scrolled = useSyncExternalStore(subscribeToScroll, isScrolled);
  const [shown, setShown] = useState<Shown>();
  const before = shown?.view === view ? shown : undefined;

  const held = new Set(
    scrolled && before ? heldBack(items, new Set(before.ids)).map((row) => row._id) : [],
  );
  const belonging = new Set(items.map((row) => row._id));
  const rows = withLeaving(
    items.filter((row) => !held.has(row._id)),
    before?.ids ?? [],
    new Map(
      changed
        .filter((row) => !belonging.has(row._id) && !before?.gone.has(row._id))
        .map((row) => [row._id, row]),
    ),
  );
  const ids = rows.map((row) => row._id);
  if (ready && (!before || ids.join() !== before.ids.join())) {
    setShown({
      view,
      ids,
      first: before?.first ?? new Set(ids),
      gone: new Set([...(before?.gone ?? [])].filter((id) => ids.includes(id))),
    });
  }

  const leaving = ids.filter((id) => !belonging.has(id)).join();
  useEffect(() => {
    if (leaving === '') return;
    return whenHandsAreStill(() =>
      setShown((now) => now && { ...now, gone: new Set([...now.gone, ...leaving.split(',')]) }),
    );
  }, [leaving]);

  return {
    rows,
    held: held.size,
    isNew: (row) => before !== undefined && !before.first.has(row._id),
    isLeaving: (row) => !belonging.has(row._id),
  };
}

function subscribeToScroll(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}

function isScrolled(): boolean {
  return window.scrollY > SCROLLED;
}

/** Calls `then` once the linger is over and nobody has touched anything for a moment. */
function whenHandsAreStill(then: () => void): () => void {
  let due = Date.now() + LINGER;
  const touch = () => {
    due = Math.max(due, Date.now() + STILL);
  };
  const events = ['pointermove', 'pointerdown', 'keydown', 'touchmove'] as const;
  for (const name of events) document.addEventListener(name, touch, { passive: true });
  const timer = setInterval(() => {
    if (Date.now() < due) return;
    stop();
    then();
  }, 150);
  const stop = () => {
    clearInterval(timer);
    for (const name of events) document.removeEventListener(name, touch);
  };
  return stop;
}
