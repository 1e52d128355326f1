import type { Order } from '#contract/ordering/orders/orders';
import {
  byHandover,
  byTickedGoods,
  changesOf,
  countOf,
  goodsKeyOf,
  isListed,
  type PickScope,
  pickOrderOf,
  tickKeyOf,
  totalsOf,
} from '#contract/ordering/picklist/pick-summary';
import type {
  PickChange,
  Picklist,
  PickOrder,
  PickTick,
  PickTotal,
} from '#contract/ordering/picklist/picklist';
import type { EventData } from '#contract/platform/events/event';

// What an event makes of a pick list. All of these are pure, and return the same list where nothing changed, or
// `undefined` where only the server knows what it would be.

/** A pick list as it is cached: what its totals and changes follow from. */
export type PickData = {
  date: string;
  place: string | null;
  orders: PickOrder[];
  ticks: PickTick[];
  print: Picklist['print'];
  /** While orders are still to come: what the server summed up of all of them. */
  summary: { products: PickTotal[]; changes: PickChange[] } | null;
};

/** A pick list with its totals and changes. */
export type PickView = Omit<PickData, 'summary'> & {
  products: PickTotal[];
  changes: PickChange[];
  /** Whether all orders are here; totals and changes are of all of them in any case. */
  isWhole: boolean;
};

/** Returns a list with its totals and changes. */
export function viewOf({ summary, ...data }: PickData): PickView {
  const { orders, ticks, print } = data;
  return {
    ...data,
    isWhole: summary === null,
    products: summary?.products ?? totalsOf(orders, ticks, data, print !== null),
    changes: summary?.changes ?? (print === null ? [] : changesOf(orders, data)),
  };
}

/** Returns the orders that are picked: not those that only wait for an answer, nor those that left. */
export const pickedOrders = (view: PickView): PickOrder[] =>
  view.orders.filter((order) => countOf(order, view) === 'counted');

/** Returns the list after an order was placed or changed. */
export function withOrder(data: PickData, order: Order): PickData | undefined {
  const known = data.orders.find(({ _id }) => _id === order._id);
  if (known && known.version >= order.version) return data;
  if (isPlaceUnknown(data, order)) return undefined;
  const next = withSeenKept(pickOrderOf(order, known));
  const isShown = isListed(next, data);
  if (!known && !isShown) return data;
  if (data.summary) return undefined;
  const others = data.orders.filter((other) => other !== known);
  return { ...data, orders: isShown ? [...others, next].sort(byHandover) : others };
}

/** An order of a slot says its place, but not once the slot is gone. */
const isPlaceUnknown = ({ place }: PickScope, { pickupDetails }: Order): boolean =>
  place !== null && pickupDetails?.slotId !== undefined && pickupDetails.placeId === undefined;

/** Who has seen an earlier change has not seen this one. */
function withSeenKept({ seen, ...order }: PickOrder): PickOrder {
  return seen && seen.sequence >= order.changed.sequence ? { ...order, seen } : order;
}

/** Returns the list after a product was ticked. */
export function withTick(data: PickData, tick: PickTick): PickData {
  const isSame = (other: PickTick) => tickKeyOf(other) === tickKeyOf(tick);
  const known = data.ticks.find(isSame);
  if (known && known.version >= tick.version) return data;
  return showTick(data, tick);
}

/** Returns the list with this tick, whatever it has of its product. */
export function showTick(data: PickData, tick: PickTick): PickData {
  const isOther = (other: PickTick) => tickKeyOf(other) !== tickKeyOf(tick);
  // The server summed up what is not here yet.
  const summary = data.summary && {
    ...data.summary,
    products: data.summary.products.map((total) =>
      goodsKeyOf(total) === tickKeyOf(tick)
        ? { ...total, ticked: tick.quantity, tickVersion: tick.version, tickedBy: tick.by }
        : total,
    ),
  };
  return { ...data, ticks: [...data.ticks.filter(isOther), tick].sort(byTickedGoods), summary };
}

/**
 * Returns the list after it was printed: its changes count from here on. Undefined if an order changed beside the
 * print, so that what the print has is not what is here.
 */
export function withPrint(
  data: PickData,
  { _id, number, at, by, orderCount, versionSum }: EventData<'picklist.printed'>,
): PickData | undefined {
  if (data.print && data.print.number >= number) return data;
  if (data.summary) return undefined;
  const counted = data.orders.filter((order) => countOf(order, data) === 'counted');
  const sum = counted.reduce((total, { version }) => total + version, 0);
  if (counted.length !== orderCount || sum !== versionSum) return undefined;
  const orders = data.orders
    .map((order) => {
      const isCounted = countOf(order, data) === 'counted';
      return {
        ...order,
        lines: order.lines.map((line) => ({ ...line, printed: isCounted ? line.quantity : 0 })),
      };
    })
    .filter((order) => isListed(order, data));
  return { ...data, orders, print: { _id, number, at, by } };
}

/** Returns the list after somebody has seen changes. */
export function withSeen(
  data: PickData,
  { changes, by, at }: Pick<EventData<'picklist.seen'>, 'changes' | 'by' | 'at'>,
): PickData {
  const sequences = new Map(changes.map(({ orderId, sequence }) => [orderId, sequence]));
  const seenOf = ({ _id, changed, seen }: PickOrder): PickOrder['seen'] => {
    const sequence = sequences.get(_id) ?? -1;
    return sequence >= changed.sequence && (!seen || seen.at < at)
      ? { sequence, by, at }
      : undefined;
  };
  const orders = data.orders.map((order) => {
    const seen = seenOf(order);
    return seen ? { ...order, seen } : order;
  });
  const summary = data.summary && {
    ...data.summary,
    changes: data.summary.changes.map((change) =>
      (sequences.get(change.orderId) ?? -1) >= change.sequence
        ? { ...change, seen: { by, at } }
        : change,
    ),
  };
  const isSame = !summary && orders.every((order, index) => order === data.orders[index]);
  return isSame ? data : { ...data, orders, summary };
}

export type PickLine = PickOrder['lines'][number];
