import type { OrderChange } from '#contract/ordering/orders/order-timeline';
import type { Transaction } from '../../../prisma/client.ts';
import { readClock } from '../../platform/time/clock.ts';
import { lockOpenOrdersOf, type Side } from '../model/open-orders.ts';
import { readOrders } from '../model/present.ts';
import { writeOrders } from '../model/write.ts';

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
  const at = await readClock(tx);
  for (let start = 0; start < ids.length; start += ORDERS_PER_STATEMENT) {
    const orders = await readOrders(tx, ids.slice(start, start + ORDERS_PER_STATEMENT));
    await writeOrders(
      tx,
      orders.map((before) => ({ at, by: before.farmer, before, change: { kind: 'party', what } })),
    );
  }
}
