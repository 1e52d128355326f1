import type { LinesChange, ProposalChange } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import { formatExpected, formatMoney, fromMinor } from '#contract/platform/money/constants';
import { formatGoodsQuantity } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity, fromMilli } from '#contract/platform/quantities/constants/quantities';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { ProposalItemRow } from '../../../server/ordering/model/present.ts';
import type { MailTable } from '../engine/compose.ts';
import { nameInText } from '../engine/wording.ts';

const LINES_IN_TEXT_MAX = 3;

type Totals = Omit<LinesChange, 'cause' | 'differences'>;
type Differences = Totals & Pick<LinesChange | ProposalChange, 'differences'>;

type Goods = Parameters<typeof formatGoodsQuantity>[0];

const quantityOf = (line: Goods, quantity: number): string =>
  quantity === 0 ? '–' : formatGoodsQuantity(line, quantity);

/** The row of the totals, the last one of a table. */
const totalRow = ({ totalBefore, totalAfter, isBeforeEstimate, isAfterEstimate }: Totals) => [
  'Total',
  formatExpected(totalBefore, isBeforeEstimate),
  formatExpected(totalAfter, isAfterEstimate),
];

const nameOf = ({ product }: { product: { name: string } }): string =>
  nameInText(product.name, 'A product');

/** Returns changed lines in a few words: 'Carrots 10 lb → 4 lb, Kale left out, Beets 2 lb added'. */
export function differencesInText({ differences }: Pick<Differences, 'differences'>): string {
  const parts = differences.slice(0, LINES_IN_TEXT_MAX).map((line) => {
    if (line.to === 0) return `${nameOf(line)} left out`;
    if (line.from === 0) return `${nameOf(line)} ${quantityOf(line, line.to)} added`;
    return `${nameOf(line)} ${quantityOf(line, line.from)} → ${quantityOf(line, line.to)}`;
  });
  const more = differences.length - parts.length;
  return [...parts, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Returns changed lines with the old beside the new ones, for a mail. */
function tableOf(
  { differences, ...totals }: Differences,
  [before, after]: readonly [string, string],
): MailTable {
  return {
    head: ['', before, after],
    rows: [
      ...differences.map((line) => [
        nameOf(line),
        quantityOf(line, line.from),
        quantityOf(line, line.to),
      ]),
      totalRow(totals),
    ],
  };
}

/** The last part of keys of notifications about an entry of an order's timeline. */
export const entryKey = (kind: string, { _id }: Pick<Order, '_id'>, sequence: number): string =>
  `${kind}:${_id}:${sequence}`;

/**
 * Returns a reader of the lines that a notification is about, by its key of {@link entryKey}; a key of another form
 * has none.
 */
export const tableByKey =
  (heads: readonly [string, string]) =>
  async (db: Database | Transaction, key: string): Promise<MailTable | undefined> => {
    const [, orderId, sequence] = key.split(':');
    if (!orderId || !Number.isInteger(Number(sequence))) return undefined;
    const entry = await db.orderTimelineEntry.findUnique({
      where: { orderId_sequence: { orderId, sequence: Number(sequence) } },
      select: { detail: true },
    });
    // Of a status it says something else.
    const detail = entry?.detail as unknown as Differences | { differences?: undefined } | null;
    return detail?.differences?.length ? tableOf(detail, heads) : undefined;
  };

/** Returns a line that a proposal asks for, and below it what would come in its place. */
function proposedRows(item: ProposalItemRow, isByPiece: boolean): string[][] {
  const { product, substitute, packedMilli } = item;
  const was = quantityOf({ product, isByPiece }, fromMilli(item.quantityMilli));
  const row = (now: string) => [nameOf(item), was, now];
  if (packedMilli !== undefined) {
    const weight = formatQuantity(fromMilli(packedMilli), product.unit);
    return [row(`${weight}, ${formatMoney(fromMinor(item.afterMinor))}`)];
  }
  const now = quantityOf({ product, isByPiece }, fromMilli(item.newQuantityMilli ?? 0));
  if (!substitute) return [row(now)];
  const comes = quantityOf(
    { product: substitute, isByPiece: substitute.pieceMilli !== null },
    fromMilli(substitute.quantityMilli),
  );
  return [row(now), [nameOf({ product: substitute }), '–', comes]];
}

/** Returns what a proposal asks for, for a mail: the lines beside what they would become. */
export async function tableOfProposal(
  db: Database | Transaction,
  id: string,
): Promise<MailTable | undefined> {
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
    head: ['', isOfWeights ? 'Before' : 'Ordered', 'Proposed'],
    rows: [
      ...items.flatMap((item) => proposedRows(item, ofPieces.has(item.lineId))),
      totalRow(asked.detail as unknown as Totals),
    ],
  };
}
