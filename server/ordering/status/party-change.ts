import type { OrderChange } from '#contract/ordering/orders/order-timeline';
import type { Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { lockOpenOrdersOf, type Side } from '../model/open-orders.ts';
import { presentOrder, readOrders } from '../model/present.ts';
import { orderRooms } from '../place/place.ts';

/** Orders read and recorded at once, so that hundreds of them need neither long statements nor many. */
const ORDERS_PER_STATEMENT = 200;

type PartyChange = Extract<OrderChange, { kind: 'party' }>['what'];

/**
 * Tells both sides of open orders, within the transaction that changes one of them, what has become of it. The orders get
 * a new version: what their customer may do follows from their farm, and a plan that relied on it is decided again.
 */
export async function recordPartyChange(
  tx: Transaction,
  userId: string,
  side: Side,
  what: PartyChange,
): Promise<void> {
  const ids = (await lockOpenOrdersOf(tx, userId, side)).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.$executeRaw`
    UPDATE orders SET version = version + 1, updated_at = clock_timestamp()
    WHERE id = ANY (${ids}::uuid[])`;
  for (let start = 0; start < ids.length; start += ORDERS_PER_STATEMENT) {
    const rows = await readOrders(tx, ids.slice(start, start + ORDERS_PER_STATEMENT));
    await record(
      tx,
      ...rows.map((row) => ({
        name: 'order.updated' as const,
        data: { ...presentOrder(row), change: { kind: 'party' as const, what } },
        rooms: orderRooms(row),
      })),
    );
  }
}
