import { slotOf } from '#contract/farm/slots/constants';
import type { LinesChange, ProposalChange } from '#contract/ordering/changes/order-lines';
import type { TimelineEntry, TimelineKind } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import type { ParamsOf } from '#contract/people/notifications/constants/words';
import {
  type Changed,
  type Cost,
  type Handover,
  productOf,
  type Why,
} from '#contract/people/notifications/constants/written';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import {
  formatExpected,
  formatMoney,
  fromMinor,
  toMinor,
} from '#contract/platform/money/constants';
import { formatGoodsQuantity } from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { presentOrderedSize, presentUnitLabel } from '../../../server/catalogue/products/sizes.ts';
import type { ProposalItemRow } from '../../../server/ordering/model/present-lines.ts';
import type { MailTable } from '../engine/compose.ts';
import { type Effect, settle, type UnsolicitedKind } from '../engine/definition.ts';

/** Returns what an order costs, as an estimate while something in it is not weighed. */
export const costOf = ({
  totalAmount,
  isTotalFinal,
}: Pick<Order, 'totalAmount' | 'isTotalFinal'>): Cost => toCost(totalAmount, !isTotalFinal);

/** Returns an amount for the words of a notification. */
export const toCost = (amount: number, isEstimate = false): Cost => ({
  minor: toMinor(amount),
  ...(isEstimate && { isEstimate }),
});

/** Returns the path of an order's page. */
export const orderLink = (order: Pick<Order, '_id'>): string => `/orders/${order._id}`;

type Asked = NonNullable<Extract<Effect, { do: 'notify' }>['asks']>;

/** Notifies one side of an order, with a link to it. */
export const noticeTo = <Kind extends Exclude<NotificationKind, UnsolicitedKind>>(
  side: 'consumer' | 'farmer',
  order: Order,
  notice: { kind: Kind; key: string; params: ParamsOf<Kind>; asks?: Asked },
): Effect =>
  ({ do: 'notify', userId: order[side]._id, link: orderLink(order), ...notice }) as Effect;

/** Marks what one side was notified of about an order as read. */
export const settleFor = (
  side: 'consumer' | 'farmer',
  order: Order,
  ...kinds: NotificationKind[]
): Effect => settle(order[side]._id, orderLink(order), ...kinds);

/** Returns the last entry of a kind in the timeline of an order. */
export const lastEntry = <Kind extends TimelineKind>({ timeline }: Order, kind: Kind) =>
  timeline.findLast(
    (entry): entry is Extract<TimelineEntry, { kind: Kind }> => entry.kind === kind,
  );

/** Returns why something happened to an order. */
export const whyOf = (entry: Pick<TimelineEntry, 'reason' | 'cause'> | undefined): Why => ({
  reason: entry?.reason,
  cause: entry?.cause,
});

/** Returns when and how an order is handed over. */
export function handoverOf(
  order: Parameters<typeof slotOf>[0] & Pick<Order, 'createdAt'>,
): Handover {
  const { date, time, endTime, isDelivery } = slotOf(order);
  return { date, time, ...(endTime && { endTime }), isDelivery, orderedAt: order.createdAt };
}

/** Changed lines that a notification names; the others it counts. */
const LINES_IN_TEXT_MAX = 3;

type Totals = Omit<LinesChange, 'cause' | 'differences'>;
type Differences = Totals & Pick<LinesChange | ProposalChange, 'differences'>;

type Goods = Parameters<typeof formatGoodsQuantity>[0];

const quantityOf = (line: Goods, quantity: number): string =>
  quantity === 0 ? '–' : formatGoodsQuantity(line, quantity);

/** The row of the totals, the last one of a table. */
const totalRow = ({ totalBefore, totalAfter, isBeforeEstimate, isAfterEstimate }: Totals) => [
  t('Total'),
  formatExpected(totalBefore, isBeforeEstimate),
  formatExpected(totalAfter, isAfterEstimate),
];

const nameOf = ({ product }: { product: { name: string } }): string => productOf(product);

/** Returns goods for the words of a notification. */
export const goodsOf = ({
  product: { name, unit, unitLabel },
  size,
  isByPiece,
}: Goods & { product: { name: string } }) => ({
  ...{ name, unit },
  ...(unitLabel && { unitLabel }),
  ...(size && { size: { label: size.label } }),
  ...(isByPiece && { isByPiece: true as const }),
});

/** Returns the first of the lines that changed, and how many more there are. */
export function changedOf({ differences }: Pick<Differences, 'differences'>): Changed {
  const lines = differences.slice(0, LINES_IN_TEXT_MAX).map(({ from, to, ...line }) => ({
    ...goodsOf(line),
    fromMilli: toMilli(from),
    toMilli: toMilli(to),
  }));
  return { lines, more: differences.length - lines.length };
}

/** Returns the key of notifications about an entry of an order's timeline. */
export const entryKey = (kind: string, { _id }: Pick<Order, '_id'>, sequence: number): string =>
  `${kind}:${_id}:${sequence}`;

/** Reads what the entry of a key of {@link entryKey} says; undefined for a key of another form. */
export async function detailByKey(db: Database | Transaction, key: string): Promise<unknown> {
  const [, orderId = '', sequence] = key.split(':');
  if (!Number.isInteger(Number(sequence))) return undefined;
  const entry = await db.orderTimelineEntry.findUnique({
    where: { orderId_sequence: { orderId, sequence: Number(sequence) } },
    select: { detail: true },
  });
  return entry?.detail;
}

/** Returns the lines that a notification is about, by its key, with the old beside the new ones. */
export async function tableByKey(
  db: Database | Transaction,
  key: string,
): Promise<MailTable | undefined> {
  // Of a status it says something else.
  const detail = (await detailByKey(db, key)) as Partial<Differences> | null | undefined;
  const { differences = [], ...totals } = detail ?? {};
  if (differences.length === 0) return undefined;
  const rows = differences.map((line) => [
    nameOf(line),
    quantityOf(line, line.from),
    quantityOf(line, line.to),
  ]);
  return { head: ['', t('Before'), t('Now')], rows: [...rows, totalRow(totals as Totals)] };
}

/** Returns a line that a proposal asks for, and below it what would come in its place. */
function proposedRows(item: ProposalItemRow, isByPiece: boolean): string[][] {
  const { product, size, substitute, packedMilli } = item;
  const goods = { product, size, isByPiece };
  const was = quantityOf(goods, fromMilli(item.quantityMilli));
  const row = (now: string) => [nameOf(item), was, now];
  if (packedMilli !== undefined) {
    const weight = formatQuantity(fromMilli(packedMilli), product.unit);
    return [row(listOf([weight, formatMoney(fromMinor(item.afterMinor))], 'unit'))];
  }
  const now = quantityOf(goods, fromMilli(item.newQuantityMilli ?? 0));
  if (!substitute) return [row(now)];
  const comes = quantityOf(
    {
      product: { unit: substitute.unit, ...presentUnitLabel(substitute) },
      ...presentOrderedSize(substitute),
      isByPiece: substitute.pieceMilli !== null,
    },
    fromMilli(substitute.quantityMilli),
  );
  return [row(now), [nameOf({ product: substitute }), '–', comes]];
}

/** Returns what a proposal asks for, for a mail: the lines beside what they would become. */
export async function tableOfProposal(
  db: Database | Transaction,
  id: string | undefined,
): Promise<MailTable | undefined> {
  if (!id) return undefined;
  const proposal = await db.orderProposal.findUnique({
    where: { id },
    include: { order: { select: { lines: { select: { id: true, pieceMilli: true } } } } },
  });
  if (!proposal) return undefined;
  // Its first entry is the question itself, and says which of the totals were estimates then.
  const asked = await db.orderTimelineEntry.findFirst({
    where: { orderId: proposal.orderId, detail: { path: ['proposal'], equals: id } },
    orderBy: { sequence: 'asc' },
    select: { detail: true },
  });
  if (!asked) return undefined;
  const items = proposal.items as unknown as ProposalItemRow[];
  const ofPieces = new Set(
    proposal.order.lines.flatMap((line) => (line.pieceMilli === null ? [] : [line.id])),
  );
  // Its first total is that of the weights that may be charged anyway, which nobody has ordered.
  const isOfWeights = items.every(({ action }) => action === 'overweight');
  return {
    head: ['', isOfWeights ? t('Before') : t('Ordered'), t('Proposed')],
    rows: [
      ...items.flatMap((item) => proposedRows(item, ofPieces.has(item.lineId))),
      totalRow(asked.detail as unknown as Totals),
    ],
  };
}
