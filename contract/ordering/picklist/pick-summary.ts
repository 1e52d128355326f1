import { slotOf } from '#contract/farm/slots/constants';
import { isCalledOff } from '#contract/ordering/orders/constants';
import type { TimelineEntry } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import type {
  PickChange,
  PickOrder,
  PickTick,
  PickTotal,
} from '#contract/ordering/picklist/picklist';
import { takenMilli } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { compareNames } from '#contract/platform/text/constants/names';

// What follows from the orders of a pick list: totals per product, and what changed since the last print. The
// server answers with it, and a browser works it out again after each event, so both use these functions.

/** The list of one day, at one place or of all. */
export interface PickScope {
  date: string;
  place: string | null;
}

/** How an order counts: what is picked for it, what an acceptance would add, or not at all any more. */
export type PickCount = 'counted' | 'pending' | 'gone';

type PickLine = PickOrder['lines'][number];

/** What sums need of an order. */
export type SummedOrder = Pick<PickOrder, 'status' | 'date' | 'placeId'> & {
  lines: SummedLine[];
};
export type SummedLine = Pick<
  PickLine,
  'product' | 'size' | 'pieceWeight' | 'quantity' | 'printed'
>;

/** Returns how an order counts for a list. */
export function countOf(
  { status, date, placeId }: Pick<PickOrder, 'status' | 'date' | 'placeId'>,
  scope: PickScope,
): PickCount {
  if (date !== scope.date || (scope.place !== null && placeId !== scope.place)) return 'gone';
  if (status === 'pending') return 'pending';
  return isCalledOff(status) ? 'gone' : 'counted';
}

const isPrinted = ({ lines }: PickOrder): boolean => lines.some(({ printed }) => printed > 0);

/** Returns whether an order stands on a list: it counts, or the last print has it. */
export const isListed = (order: PickOrder, scope: PickScope): boolean =>
  countOf(order, scope) !== 'gone' || isPrinted(order);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order in which a day is packed: by time, place (deliveries first), customer and id. */
export const byHandover = (a: PickOrder, b: PickOrder): number =>
  compare(a.time, b.time) ||
  compareNames(a.place ?? '', b.place ?? '') ||
  compareNames(a.customer.name, b.customer.name) ||
  compare(a._id, b._id);

/** Proposals of which no line follows. */
const IDLE_PROPOSALS: readonly string[] = ['open', 'withdrawn', 'superseded', 'declined'];

/** What an entry of an order's timeline says that can concern those who pick. */
export interface PickEntry {
  sequence: number;
  at: string;
  kind: TimelineEntry['kind'];
  /** Of a status. */
  status?: string | null | undefined;
  /** Of lines and of a proposal: its state, and how many lines changed in quantity. */
  detail?:
    | (Record<string, unknown> & {
        status?: string | null;
        differences?: { length: number } | null;
      })
    | null
    | undefined;
}

/**
 * Whether an entry of the timeline can change what is picked. Packing and weighing do not, nor does what leaves every
 * quantity as it was: a wish for a shortage, or the price of goods that weigh more than expected.
 */
function concernsPicking({ kind, status, detail }: PickEntry): boolean {
  const hasDifferences = (detail?.differences?.length ?? 0) > 0;
  switch (kind) {
    case 'slot':
      return true;
    case 'status':
      return status !== 'completed';
    case 'lines':
      return hasDifferences;
    case 'proposal':
      return hasDifferences && !IDLE_PROPOSALS.includes(detail?.status ?? 'open');
    default:
      return false;
  }
}

/** Returns what last changed of an order that can change what is picked; at least that it was placed. */
export function pickChangeOf({
  timeline,
  createdAt,
}: {
  timeline: readonly PickEntry[];
  createdAt: string;
}): PickOrder['changed'] {
  const last = timeline.findLast(concernsPicking);
  return last
    ? { sequence: last.sequence, at: last.at, kind: last.kind as PickOrder['changed']['kind'] }
    : { sequence: 0, at: createdAt, kind: 'status' };
}

/** Returns whether what was written of an order last can change what is picked. Its entries are of one instant. */
export const isPickChange = (order: Pick<Order, 'timeline' | 'createdAt'>): boolean =>
  pickChangeOf(order).at === order.timeline.at(-1)?.at;

/**
 * Returns an order as a pick list has it. What the last print has of its lines, and who has seen its change, is not
 * part of an order: `known` is the order as the list had it.
 */
export function pickOrderOf(order: Order, known?: PickOrder): PickOrder {
  const { time, endTime, isDelivery } = slotOf(order);
  const pickup = order.pickupDetails;
  const printed = new Map(known?.lines.map((line) => [line.lineId, line.printed]));
  return {
    _id: order._id,
    status: order.status,
    version: order.version,
    customer: { _id: order.consumer._id, name: order.consumer.name },
    notes: order.notes,
    place: isDelivery ? null : (pickup?.place?.name ?? pickup?.location ?? ''),
    placeId: pickup?.placeId ?? null,
    address: isDelivery ? formatAddress(order.deliveryDetails?.address) : null,
    ...(isDelivery ? { addressLines: addressLinesOf(order) } : {}),
    date: slotOf(order).date,
    time,
    ...(endTime === undefined ? {} : { endTime }),
    packing: order.packing,
    ...(order.crates === undefined ? {} : { crates: order.crates }),
    askedLineIds: order.openChange?.items.map(({ lineId }) => lineId) ?? [],
    changed: pickChangeOf(order),
    ...(known?.seen ? { seen: known.seen } : {}),
    lines: order.items.map(
      (item): PickLine => ({
        lineId: item._id,
        product: {
          _id: item.product._id,
          name: item.product.name,
          unit: item.product.unit,
          ...(item.product.unitLabel ? { unitLabel: item.product.unitLabel } : {}),
          image: item.product.images[0] ?? null,
        },
        ...(item.size ? { size: item.size } : {}),
        quantity: item.quantity,
        orderedQuantity: item.orderedQuantity,
        ...(item.pieceWeight ? { pieceWeight: item.pieceWeight } : {}),
        price: item.price,
        estimate: item.estimate,
        ...(item.packed === undefined ? {} : { packed: item.packed }),
        isFinal: item.isFinal,
        total: item.total,
        printed: printed.get(item._id) ?? 0,
      }),
    ),
  };
}

/** The street, and the town with its state and postcode. */
function addressLinesOf({ deliveryDetails }: Order): string[] {
  const { street = '', ...town } = deliveryDetails?.address ?? {};
  return [street, formatAddress(town)].filter(Boolean);
}

/** Whether a quantity of these goods counts pieces, and the unit is that of their price alone. */
const isByPiece = ({ pieceWeight }: Pick<PickLine, 'pieceWeight'>): boolean =>
  pieceWeight !== undefined;

/** What a row of a list, or a tick of it, is of. */
export interface PickGoods {
  product: Pick<PickLine['product'], '_id' | 'name' | 'unit'>;
  isByPiece: boolean;
}

/**
 * Returns the key that distinguishes the rows of a list: product and unit, pieces and weight of the same product.
 * Products that were deleted are distinguished by their names.
 */
export const goodsKeyOf = ({ product: { _id, name, unit }, isByPiece }: PickGoods): string =>
  [_id ?? name, unit, isByPiece ? 'pieces' : ''].join('|');

/** Returns {@link goodsKeyOf} of a line of an order. */
export const pickKeyOf = (line: Pick<PickLine, 'product' | 'pieceWeight'>): string =>
  goodsKeyOf({ product: line.product, isByPiece: isByPiece(line) });

/** Returns {@link goodsKeyOf} of what was ticked. */
export const tickKeyOf = ({
  productId,
  name = '',
  unit,
  isByPiece,
}: Pick<PickTick, 'productId' | 'name' | 'unit' | 'isByPiece'>): string =>
  goodsKeyOf({ product: { _id: productId, name, unit }, isByPiece });

/** The order of ticks. */
export const byTickedGoods = (a: PickTick, b: PickTick): number =>
  compare(tickKeyOf(a), tickKeyOf(b));

type PickSize = NonNullable<PickLine['size']>;

/** Returns the key that distinguishes the sizes of one product; what is packed alike is the same. */
export const packKeyOf = (size: Pick<PickSize, 'label' | 'content'> | undefined): string =>
  size ? `${size.content}|${size.label}` : '';

/** Sizes are listed from the smallest; what is sold in the unit comes first. */
export const bySize = (a: PickSize | undefined, b: PickSize | undefined): number =>
  (a?.content ?? 0) - (b?.content ?? 0) || compareNames(a?.label ?? '', b?.label ?? '');

/** What is counted of one product in one size, in thousandths of its unit or of pieces. */
interface Sum {
  line: SummedLine;
  countedMilli: number;
  pendingMilli: number;
  printedMilli: number;
}

/** Returns what is counted of each product and size, in the order in which lines first have them. */
export function sumsOf(orders: readonly SummedOrder[], scope: PickScope): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const order of orders) {
    const count = countOf(order, scope);
    for (const line of order.lines) {
      const key = `${pickKeyOf(line)}|${packKeyOf(line.size)}`;
      const sum = sums.get(key) ?? { line, countedMilli: 0, pendingMilli: 0, printedMilli: 0 };
      if (count === 'counted') sum.countedMilli += toMilli(line.quantity);
      if (count === 'pending') sum.pendingMilli += toMilli(line.quantity);
      sum.printedMilli += toMilli(line.printed);
      sums.set(key, sum);
    }
  }
  return sums;
}

/** Returns what so many thousandths of a line's pieces contain of its product, in thousandths of the unit. */
export const harvestMilli = ({ size }: Pick<SummedLine, 'size'>, milli: number): number =>
  takenMilli({ contentMilli: size && toMilli(size.content) }, milli);

/** Returns the sizes of one product that are packed. */
function sizesOf(sums: readonly Sum[]): Pick<PickTotal, 'sizes'> {
  const sizes = sums
    .flatMap(({ line: { size }, countedMilli, pendingMilli }) =>
      size && countedMilli + pendingMilli > 0
        ? [{ size, quantity: fromMilli(countedMilli), pendingQuantity: fromMilli(pendingMilli) }]
        : [],
    )
    .sort((a, b) => bySize(a.size, b.size));
  return sizes.length > 0 ? { sizes } : {};
}

/** The order of the rows of a list. */
export const byName = (a: PickGoods, b: PickGoods): number =>
  compareNames(a.product.name, b.product.name) ||
  compare(a.product.name, b.product.name) ||
  compare(a.product.unit, b.product.unit) ||
  compare(a.product._id ?? '', b.product._id ?? '') ||
  Number(a.isByPiece) - Number(b.isByPiece);

/** Returns what is needed of each product by name, from all orders of a list in their order. */
export function totalsOf(
  orders: readonly SummedOrder[],
  ticks: readonly PickTick[],
  scope: PickScope,
  hasPrint: boolean,
): PickTotal[] {
  const ticksByGoods = new Map(ticks.map((tick) => [tickKeyOf(tick), tick]));
  const byGoods = new Map<string, [Sum, ...Sum[]]>();
  for (const sum of sumsOf(orders, scope).values()) {
    const key = pickKeyOf(sum.line);
    const known = byGoods.get(key);
    if (known) known.push(sum);
    else byGoods.set(key, [sum]);
  }
  return [...byGoods]
    .map(([key, sums]): PickTotal => {
      const tick = ticksByGoods.get(key);
      const [{ line }] = sums;
      const together = (of: (sum: Sum) => number): number =>
        sums.reduce((milli, sum) => milli + harvestMilli(sum.line, of(sum)), 0);
      const countedMilli = together((sum) => sum.countedMilli);
      const printedMilli = together((sum) => sum.printedMilli);
      return {
        product: line.product,
        quantity: fromMilli(countedMilli),
        pendingQuantity: fromMilli(together(({ pendingMilli }) => pendingMilli)),
        ...sizesOf(sums),
        ticked: tick?.quantity ?? 0,
        tickVersion: tick?.version ?? 0,
        tickedBy: tick?.by ?? null,
        sincePrint: hasPrint ? fromMilli(countedMilli - printedMilli) : null,
        isByPiece: isByPiece(line),
      };
    })
    .filter(
      ({ quantity, pendingQuantity, ticked, sincePrint }) =>
        quantity > 0 || pendingQuantity > 0 || ticked > 0 || (sincePrint ?? 0) !== 0,
    )
    .sort(byName);
}

const latestFirst = (a: PickChange, b: PickChange): number =>
  compare(b.at, a.at) ||
  compare(a.orderId, b.orderId) ||
  compareNames(a.product.name, b.product.name) ||
  compare(a.product.unit, b.product.unit) ||
  bySize(a.size, b.size);

function kindOf(order: PickOrder, scope: PickScope): PickChange['kind'] {
  if (countOf(order, scope) === 'counted') {
    if (isPrinted(order)) return 'changed';
    return order.changed.kind === 'slot' ? 'moved_in' : 'new';
  }
  const isElsewhere =
    order.date !== scope.date || (scope.place !== null && order.placeId !== scope.place);
  if (isElsewhere && !isCalledOff(order.status)) return 'moved_away';
  return order.status === 'rejected' ? 'rejected' : 'cancelled';
}

/** Returns per order, product and size how much more or less is needed than the last print says, the latest first. */
export function changesOf(orders: readonly PickOrder[], scope: PickScope): PickChange[] {
  return orders
    .flatMap((order): PickChange[] => {
      const kind = kindOf(order, scope);
      const { sequence, at } = order.changed;
      const { seen } = order;
      return [...sumsOf([order], scope).values()].flatMap((sum): PickChange[] => {
        const deltaMilli = sum.countedMilli - sum.printedMilli;
        if (deltaMilli === 0) return [];
        return [
          {
            orderId: order._id,
            sequence,
            customer: order.customer,
            kind,
            ...(kind === 'moved_away' && order.date !== scope.date ? { movedTo: order.date } : {}),
            product: sum.line.product,
            ...(sum.line.size ? { size: sum.line.size } : {}),
            from: fromMilli(sum.printedMilli),
            to: fromMilli(sum.countedMilli),
            delta: fromMilli(deltaMilli),
            isByPiece: isByPiece(sum.line),
            at,
            ...(seen && seen.sequence >= sequence ? { seen: { by: seen.by, at: seen.at } } : {}),
          },
        ];
      });
    })
    .sort(latestFirst);
}
