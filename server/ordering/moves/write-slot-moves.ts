import type { SlotChange } from '#contract/ordering/orders/order-timeline';
import type { Transaction } from '../../../prisma/client.ts';
import type { SlotRow } from '../../farm/slots/present.ts';
import { appointmentOf, dayOf, handoverIn } from '../model/handover.ts';
import type { OrderRow } from '../model/present.ts';
import { type OrderPlan, writeOrders } from '../model/write.ts';
import { withNewTimes } from './move-times.ts';

/** Orders that go to another slot. They and both slots are locked, and may go there. */
export interface SlotMove {
  orders: readonly OrderRow[];
  /** The slots that they leave, by id; an order that had none leaves none. */
  from: ReadonlyMap<string, SlotRow>;
  to: SlotRow;
}

/** Who moves orders, and why. */
export type Mover = Pick<OrderPlan, 'by' | 'at'> & { reason: string | null };

/**
 * Moves orders to other slots. What is to happen at a time of theirs happens at the new one.
 * @returns the orders and the slots as they are after it
 */
export async function writeSlotMoves(
  tx: Transaction,
  moves: readonly SlotMove[],
  mover: Mover,
): Promise<{ orders: OrderRow[]; slots: Map<string, SlotRow> }> {
  const slots = new Map<string, SlotRow>();
  const count = (slot: SlotRow, change: number) => {
    const now = slots.get(slot.id) ?? slot;
    slots.set(slot.id, { ...now, taken: now.taken + change });
  };
  const plans = moves.flatMap(({ orders, from, to }) =>
    orders.map((before) => {
      const left = before.slotId === null ? undefined : from.get(before.slotId);
      if (left) count(left, -1);
      count(to, 1);
      return slotMove(before, to, mover);
    }),
  );
  const orders = await writeOrders(tx, await withNewTimes(tx, plans));
  return { orders, slots };
}

function slotMove(before: OrderRow, to: SlotRow, mover: Mover): OrderPlan {
  const handover = handoverIn(to);
  const detail: SlotChange = {
    from: new Date(before.startsAt ?? `${dayOf(before)}T${before.time}Z`).toISOString(),
    to: new Date(handover.startsAt ?? mover.at).toISOString(),
    before: appointmentOf(before),
    after: appointmentOf({ ...before, ...handover }),
  };
  return { ...mover, before, handover, change: { kind: 'slot', ...detail } };
}
