import { changesOf, countOf } from '#contract/ordering/picklist/pick-summary';
import type { PickChange } from '#contract/ordering/picklist/picklist';
import type { Transaction } from '../../../prisma/client.ts';
import { readIndex, readOrdersOf } from './orders.ts';
import { byInclude, presentPrint } from './present.ts';

/** Changes of one list that nobody has seen. */
export interface UnseenChanges {
  farmId: string;
  date: string;
  place: string | null;
  placeName: string | null;
  print: { id: string; number: number };
  /** The latest first. */
  changes: PickChange[];
}

/**
 * Reads what nobody has seen of the lists that an order is on, or was when they were last printed. A list whose last
 * handover is over is left out.
 */
export async function readUnseen(tx: Transaction, orderId: string): Promise<UnseenChanges[]> {
  const ids = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT DISTINCT ON (print.date, print.place_id) print.id
     FROM pick_prints print JOIN orders o ON o.farmer_id = print.farm_id
     WHERE o.id = $1::uuid AND (
       (print.date = o.date AND (print.place_id IS NULL OR print.place_id = o.place_id))
       OR EXISTS (
         SELECT FROM pick_prints any_print
         JOIN pick_print_lines printed ON printed.print_id = any_print.id
         JOIN order_lines line ON line.id = printed.line_id
         WHERE any_print.farm_id = print.farm_id AND any_print.date = print.date
           AND any_print.place_id IS NOT DISTINCT FROM print.place_id AND line.order_id = o.id))
       AND print.date >= (clock_timestamp() - interval '1 day')::date
     ORDER BY print.date, print.place_id, print.number DESC`,
    orderId,
  );
  const lists: UnseenChanges[] = [];
  for (const { id } of ids) {
    const print = await tx.pickPrint.findUniqueOrThrow({
      where: { id },
      include: { ...byInclude, place: { select: { name: true } } },
    });
    const scope = {
      farmId: print.farmId,
      date: print.date.toISOString().slice(0, 10),
      place: print.placeId,
    };
    const index = await readIndex(tx, scope, print);
    const changed = index.filter((order) => {
      const counts = countOf(order, scope) === 'counted';
      return order.lines.some(({ quantity, printed }) => (counts ? quantity : 0) !== printed);
    });
    const orders = await readOrdersOf(
      tx,
      scope,
      print,
      changed.map(({ _id }) => _id),
    );
    const changes = changesOf(orders, scope).filter(({ seen }) => !seen);
    if (changes.length > 0) {
      const { number } = presentPrint(print);
      lists.push({
        ...scope,
        placeName: print.place?.name ?? null,
        print: { id, number },
        changes,
      });
    }
  }
  return lists;
}
