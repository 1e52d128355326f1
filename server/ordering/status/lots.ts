import type { PackingState } from '#contract/ordering/changes/constants';
import type { PackOrder } from '#contract/ordering/picklist/picklist';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { presentDate } from '../../catalogue/products/present.ts';
import { invalidField } from '../../platform/http/errors.ts';
import type { OrderRow } from '../model/present.ts';
import type { LineRow } from '../model/present-lines.ts';

/** What a packer says of an order. */
interface Packed {
  packing: PackingState;
  lots?: PackOrder['lots'];
}

/**
 * Returns the lines of an order with their lots once it is packed, undefined where none has another one: what is named
 * has the lot that is said, and what is packed without one that of its harvest.
 * @throws 400 for a line that the order does not have
 */
export async function lotsAfter(
  tx: Transaction,
  { lines, packing }: Pick<OrderRow, 'lines' | 'packing'>,
  packed: Packed,
): Promise<LineRow[] | undefined> {
  // What is packed already has none because somebody said so.
  const isNewlyPacked = packed.packing === 'packed' && packing !== 'packed';
  const lotless = isNewlyPacked ? lines.filter(({ lot }) => lot === null) : [];
  const harvests = await tx.product.findMany({
    where: { id: { in: lotless.flatMap(({ productId }) => productId ?? []) } },
    select: { id: true, harvestDate: true },
  });
  const days = new Map(harvests.map(({ id, harvestDate }) => [id, presentDate(harvestDate)]));
  return linesWithLots(lines, packed, days);
}

/** Decides {@link lotsAfter}, by the days on which products were harvested. */
export function linesWithLots(
  lines: readonly LineRow[],
  { packing, lots = [] }: Packed,
  harvestDays: ReadonlyMap<string, string | null>,
): LineRow[] | undefined {
  const unknown = lots.findIndex(({ line }) => lines.every(({ id }) => id !== line));
  if (unknown >= 0) {
    throw invalidField(`lots.${unknown}.line`, msg('The order does not have this line.'));
  }
  const named = new Map(lots.map(({ line, lot }) => [line, lot || null]));
  const lotOf = ({ id, lot, productId, quantityMilli }: LineRow): string | null => {
    const said = named.get(id);
    if (said !== undefined) return said;
    if (lot !== null || packing !== 'packed' || quantityMilli === 0 || productId === null)
      return lot;
    return harvestDays.get(productId) ?? null;
  };
  const after = lines.map((line) => ({ ...line, lot: lotOf(line) }));
  return after.some(({ lot }, index) => lot !== lines[index]?.lot) ? after : undefined;
}
