import { isCalledOff } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import {
  changesOf,
  isListed,
  pickOrderOf,
  totalsOf,
} from '#contract/ordering/picklist/pick-summary';
import type { PickDay, PickPrint, PickTick } from '#contract/ordering/picklist/picklist';

/** The day of which a pick list is kept. */
export const PICK_DAY = '2026-11-05';
/** The days around it. */
export const PICK_DAYS = ['2026-11-01', '2026-11-14'] as const;

/** What is kept of the pick list of {@link PICK_DAY}. */
export type PickWorld = {
  print: PickPrint | null;
  /** What the print has, by line. */
  printed: Record<string, number>;
  ticks: PickTick[];
  /** Up to which entry of an order's timeline somebody has seen it. */
  seen: Record<string, { sequence: number; by: { _id: string; name: string }; at: string }>;
};

/** The pick list of a day, as the server answers it. */
export function picklistOf(
  { orders, pick }: { orders: readonly Order[]; pick: PickWorld },
  date: string,
) {
  const scope = { date, place: null };
  const known = date === PICK_DAY ? pick : { ...pick, print: null, printed: {}, ticks: [] };
  const listed = orders
    .map((each) => pickOrderOf(each))
    .map(({ lines, ...each }) => {
      const seen = known.seen[each._id];
      return {
        ...each,
        ...(seen && seen.sequence >= each.changed.sequence ? { seen } : {}),
        lines: lines.map((line) => ({ ...line, printed: known.printed[line.lineId] ?? 0 })),
      };
    })
    .filter((each) => isListed(each, scope));
  return {
    ...scope,
    orders: listed,
    nextCursor: null,
    ticks: known.ticks,
    print: known.print,
    products: totalsOf(listed, known.ticks, scope, known.print !== null),
    changes: known.print ? changesOf(listed, scope) : [],
  };
}

/** The days that have orders to pick, as the server answers them. */
export function pickDaysOf(
  { orders }: { orders: readonly Order[] },
  from: string,
  to: string,
): PickDay[] {
  const days = new Map<string, PickDay>();
  for (const order of orders) {
    const { date, status } = pickOrderOf(order);
    if (date < from || date > to || isCalledOff(status)) continue;
    const day = days.get(date) ?? { date, orders: 0, pending: 0 };
    if (status === 'pending') day.pending++;
    else day.orders++;
    days.set(date, day);
  }
  return [...days.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}
