import { formatMoney } from '#contract/constants/money';
import { formatQuantityOf } from '#contract/constants/pieces';
import type { LineDifference, LinesChange, Order, ProposalChange } from '#contract/orders';
import type { Database, Transaction } from '../../prisma/client.ts';
import type { MailTable } from './compose.ts';
import { nameInText } from './wording.ts';

const LINES_IN_TEXT_MAX = 3;

type Differences = Pick<LinesChange | ProposalChange, 'differences' | 'totalBefore' | 'totalAfter'>;

const quantityOf = (line: LineDifference, quantity: number): string =>
  quantity === 0 ? '–' : formatQuantityOf(line, quantity);

const nameOf = ({ product }: LineDifference): string => nameInText(product.name, 'A product');

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
  { differences, totalBefore, totalAfter }: Differences,
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
      ['Total', formatMoney(totalBefore), formatMoney(totalAfter)],
    ],
  };
}

/** The last part of keys of notifications about an entry of an order's timeline. */
export const entryKey = (kind: string, { _id }: Pick<Order, '_id'>, sequence: number): string =>
  `${kind}:${_id}:${sequence}`;

/**
 * Returns a reader of the lines that a notification tells of, by its key of {@link entryKey}; a key of another form
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
    const detail = entry?.detail as unknown as Differences | null | undefined;
    return detail && detail.differences.length > 0 ? tableOf(detail, heads) : undefined;
  };
