import { expect } from 'vitest';
import {
  lineMinor,
  returnsToStock,
  type SHORT_REASONS,
} from '#contract/ordering/changes/constants';
import { takenMilli } from '#contract/platform/quantities/constants/pieces';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import type { OrderedSize } from '#contract/platform/quantities/quantity';
import type { Platform } from '../../../platform/http/platform.ts';
import { itemsOf, type ProposalItemRow, type ProposalRow } from '../../model/present-lines.ts';

/** The stock with which every product begins. */
export const STOCK_AT_START = 400;

/** What the farm added to the stock and took off them by hand, by product, in thousandths. */
export type Ledger = Map<string, number>;

export const add = (ledger: Ledger, productId: string, milli: number): void => {
  ledger.set(productId, (ledger.get(productId) ?? 0) + milli);
};

/** What so many of a line are of its product's stock, in thousandths. */
const contentOf = (size: OrderedSize | undefined, milli: number): number =>
  takenMilli({ contentMilli: size && toMilli(size.content) }, milli);

/** Adds up what was written off: by answers, by ends without one, and by the consumers' wishes. */
async function readWrittenOff({ db, pool }: Platform): Promise<Ledger> {
  const writtenOff: Ledger = new Map();
  const ended = await db.orderProposal.findMany({
    where: { status: { in: ['accepted', 'answered', 'declined', 'expired'] } },
  });
  for (const item of ended.flatMap((row) => itemsOf(row as unknown as ProposalRow))) {
    const { product, size, reason, quantityMilli, newQuantityMilli = 0 } = item;
    if (reason && !returnsToStock(reason)) {
      add(writtenOff, product._id ?? '', contentOf(size, quantityMilli - newQuantityMilli));
    }
  }
  const { rows } = await pool.query<{
    detail: {
      differences: { product: { _id: string }; size?: OrderedSize; from: number; to: number }[];
    };
    reason: (typeof SHORT_REASONS)[number];
  }>(
    `SELECT entry.detail, known.reason FROM order_timeline entry
     JOIN order_timeline known USING (order_id, version)
     WHERE entry.kind = 'lines' AND entry.detail ->> 'cause' = 'shortage' AND known.kind IN ('lines', 'proposal')
       AND known.reason IS NOT NULL`,
  );
  for (const { detail, reason } of rows) {
    if (returnsToStock(reason)) continue;
    for (const { product, size, from, to } of detail.differences) {
      if (to < from) add(writtenOff, product._id, contentOf(size, toMilli(from) - toMilli(to)));
    }
  }
  return writtenOff;
}

/** Checks that no goods appeared or vanished, and that every order costs what its lines do. */
export async function expectConserved(
  platform: Platform,
  products: readonly string[],
  ledger: Ledger,
): Promise<void> {
  const { db } = platform;
  const writtenOff = await readWrittenOff(platform);
  const open = await db.orderProposal.findMany({ where: { status: 'open' } });
  const reserved = open
    .flatMap(({ items }) => items as unknown as ProposalItemRow[])
    .flatMap(({ substitute }) => substitute ?? []);
  for (const productId of products) {
    const row = await db.product.findUniqueOrThrow({ where: { id: productId } });
    const lines = await db.orderLine.findMany({
      where: { productId, order: { status: { in: ['pending', 'accepted', 'completed'] } } },
    });
    const held = {
      shelf: Number(row.stockMilli),
      orders: lines.reduce((sum, line) => sum + takenMilli(line, line.quantityMilli), 0),
      reserved: reserved
        .filter((each) => each.productId === productId)
        .reduce((sum, each) => sum + takenMilli(each, each.quantityMilli), 0),
      writtenOff: writtenOff.get(productId) ?? 0,
    };
    expect(held.shelf).toBeGreaterThanOrEqual(0);
    const inUse = await db.orderLine.count({
      where: {
        productId,
        quantityMilli: { gt: 0 },
        unit: { not: row.unit },
        order: { status: { in: ['pending', 'accepted'] } },
      },
    });
    expect(inUse, `${row.name} in ${row.unit}`).toBe(0);
    const sum = Object.values(held).reduce((total, each) => total + each, 0);
    const expected = toMilli(STOCK_AT_START) + (ledger.get(productId) ?? 0);
    expect(sum, `${row.name}: ${JSON.stringify(held)}`).toBe(expected);
  }
  for (const { id, totalMinor, lines } of await db.order.findMany({ include: { lines: true } })) {
    const sum = lines.reduce(
      (total, { finalMinor, ...line }) =>
        total + lineMinor({ ...line, finalMinor: finalMinor === null ? null : Number(finalMinor) }),
      0,
    );
    expect(Number(totalMinor), id).toBe(sum);
  }
}
