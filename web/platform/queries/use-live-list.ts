import { useEffect, useState, useSyncExternalStore } from 'react';
import { listen } from '../hooks/listen.ts';

/** The minimum time that a leaving row is still shown. */
const LEAVING_MIN_MS = 1_600;
/** Rows close up after this long without pointer or keyboard input. */
const IDLE_AFTER_MS = 900;
const IDLE_CHECK_INTERVAL_MS = 150;
/** Scrolled further than this, new rows wait above instead of moving the list. */
const SCROLL_THRESHOLD_PX = 160;

type Shown = {
  view: string;
  ids: readonly string[];
  /** The rows of the first render; rows that join later slide in. */
  first: ReadonlySet<string>;
  removed: ReadonlySet<string>;
};

/**
 * Defers insertions and removals of rows while the user is interacting: new rows wait above while
 * the page is scrolled down, and rows that no longer belong stay until the user is idle. `view`
 * identifies the list (its filters): another one starts over, and so does one not `ready` yet.
 * `changed` are the rows that changed lately, in their present state.
 */
export function useLiveList<Row extends { _id: string }>(
  items: readonly Row[],
  { view, ready, changed }: { view: string; ready: boolean; changed: readonly Row[] },
) {
  const scrolled = useSyncExternalStore(subscribeToScroll, isScrolled, () => false);
  const [shown, setShown] = useState<Shown>();
  const before = shown?.view === view ? shown : undefined;

  const deferred = new Set(
    scrolled && before ? rowsToDefer(items, new Set(before.ids)).map((row) => row._id) : [],
  );
  const belonging = new Set(items.map((row) => row._id));
  const rows = withLeavingRows(
    items.filter((row) => !deferred.has(row._id)),
    before?.ids ?? [],
    new Map(
      changed
        .filter((row) => !belonging.has(row._id) && !before?.removed.has(row._id))
        .map((row) => [row._id, row]),
    ),
  );
  const ids = rows.map((row) => row._id);
  if (ready && (!before || ids.join() !== before.ids.join())) {
    setShown({
      view,
      ids,
      first: before?.first ?? new Set(ids),
      removed: new Set([...(before?.removed ?? [])].filter((id) => ids.includes(id))),
    });
  }

  const leaving = ids.filter((id) => !belonging.has(id)).join();
  useEffect(() => {
    if (leaving === '') return;
    return onIdle(() =>
      setShown(
        (now) => now && { ...now, removed: new Set([...now.removed, ...leaving.split(',')]) },
      ),
    );
  }, [leaving]);

  return {
    rows,
    /** How many new rows wait above, because the page is scrolled. */
    deferredCount: deferred.size,
    /** Whether the row joined the list after it first appeared. */
    isNew: (row: Row) => before !== undefined && !before.first.has(row._id),
    /** Whether the row no longer belongs to the list and will be removed. */
    isLeaving: (row: Row) => !belonging.has(row._id),
  };
}

/** A list to render while events change it. */
export type LiveList<Row> = ReturnType<typeof useLiveList<Row & { _id: string }>>;

const subscribeToScroll = (listener: () => void) =>
  listen(window, ['scroll'], listener, { passive: true });

const isScrolled = (): boolean => window.scrollY > SCROLL_THRESHOLD_PX;

/** Calls `listener` once the row was shown long enough and the user is idle. Returns a cancel function. */
function onIdle(listener: () => void): () => void {
  let due = Date.now() + LEAVING_MIN_MS;
  const onInput = () => {
    due = Math.max(due, Date.now() + IDLE_AFTER_MS);
  };
  const inputs = ['pointermove', 'pointerdown', 'keydown', 'touchmove'];
  const stopListening = listen(document, inputs, onInput, { passive: true });
  const timer = setInterval(() => {
    if (Date.now() < due) return;
    stop();
    listener();
  }, IDLE_CHECK_INTERVAL_MS);
  const stop = () => {
    clearInterval(timer);
    stopListening();
  };
  return stop;
}

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
