import type { SlotChange } from '#contract/ordering/orders/order-timeline';
import type { Transaction } from '../../../prisma/client.ts';
import { type SlotRow, slotUpdated } from '../../farm/slots/present.ts';
import type { PersonRow } from '../../people/users/present.ts';
import { record } from '../../platform/events/event-log.ts';
import { setTimers } from '../../platform/stores/timers.ts';
import { appointmentOf, dayOf, handoverIn } from '../model/handover.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import { orderRooms } from '../place/place.ts';
import { answeredInTime, cutoffTimersOf, writeAnswerTimes } from './move-times.ts';

/** Orders written by one statement, so that hundreds of them need neither long statements nor many. */
const ORDERS_PER_STATEMENT = 200;

// $1 the moves, each of an order that this transaction has locked.
const WRITE_ORDERS = `WITH move AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS (
      id uuid, version int, sequence int, "byId" uuid, detail jsonb, reason text, at timestamptz(3),
      date date, time text, "startsAt" timestamptz(3), "endsAt" timestamptz(3), "slotId" uuid,
      "endTime" text, "placeName" text, "placeDirections" text, "pickupLocation" text, street text,
      city text, state text, "zipCode" text)
  ), moved AS (
    UPDATE orders o SET version = move.version, updated_at = move.at, date = move.date,
      time = move.time, starts_at = move."startsAt", ends_at = move."endsAt", slot_id = move."slotId",
      end_time = move."endTime", place_name = move."placeName",
      place_directions = move."placeDirections", pickup_location = move."pickupLocation",
      street = move.street, city = move.city, state = move.state, zip_code = move."zipCode"
    FROM move WHERE o.id = move.id
  )
  INSERT INTO order_timeline (order_id, sequence, kind, detail, version, by_id, reason, at)
  SELECT id, sequence, 'slot', detail, version, "byId", reason, at FROM move`;

/** Orders that go to another slot. They and both slots are locked, and may go there. */
export interface SlotMove {
  orders: readonly OrderRow[];
  /** The slots that they leave, by id; an order that had none leaves none. */
  from: ReadonlyMap<string, SlotRow>;
  to: SlotRow;
}

/** Who moves orders, and why. */
export interface Mover {
  by: PersonRow;
  reason: string | null;
  at: Date;
}

/**
 * Moves orders to other slots: each gets a new version, an entry of the timeline and an event, and each slot
 * counts its orders again. What is to happen at a time of theirs happens at the new one.
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
  const moved = moves.flatMap(({ orders, from, to }) =>
    orders.map((before) => {
      const left = before.slotId === null ? undefined : from.get(before.slotId);
      if (left) count(left, -1);
      count(to, 1);
      return { before, ...afterSlotMove(before, to, mover) };
    }),
  );
  for (let start = 0; start < moved.length; start += ORDERS_PER_STATEMENT) {
    const slice = moved.slice(start, start + ORDERS_PER_STATEMENT);
    await tx.$executeRawUnsafe(WRITE_ORDERS, JSON.stringify(slice.map(({ columns }) => columns)));
    await setTimers(tx, [
      ...(await writeAnswerTimes(tx, slice, mover.at)),
      ...(await cutoffTimersOf(tx, slice, mover.at)),
    ]);
    await record(
      tx,
      ...slice.map(({ after, detail }) => ({
        name: 'order.updated' as const,
        data: { ...presentOrder(after), change: { kind: 'slot' as const, ...detail } },
        rooms: orderRooms(after),
      })),
    );
  }
  const changed = [...slots.values()];
  await tx.$executeRawUnsafe(
    `UPDATE slots s SET taken = counted.taken
     FROM json_to_recordset($1::json) AS counted (id uuid, taken int) WHERE s.id = counted.id`,
    JSON.stringify(changed.map(({ id, taken }) => ({ id, taken }))),
  );
  await record(tx, ...changed.map(slotUpdated));
  return { orders: moved.map(({ after }) => after), slots };
}

function afterSlotMove(before: OrderRow, to: SlotRow, { by, reason, at }: Mover) {
  const handover = handoverIn(to);
  const startsAt = new Date(handover.startsAt ?? at).toISOString();
  const detail: SlotChange = {
    from: new Date(before.startsAt ?? `${dayOf(before)}T${before.time}Z`).toISOString(),
    to: startsAt,
    before: appointmentOf(before),
    after: appointmentOf({ ...before, ...handover }),
  };
  const sequence = (before.timeline.at(-1)?.sequence ?? 0) + 1;
  const version = before.version + 1;
  const entry = {
    sequence,
    kind: 'slot' as const,
    status: null,
    detail,
    at: at.toISOString(),
    reason,
    by,
  };
  return {
    detail,
    columns: { id: before.id, version, sequence, byId: by.id, detail, reason, at, ...handover },
    after: answeredInTime(
      { ...before, ...handover, version, timeline: [...before.timeline, entry] },
      at,
    ),
  };
}
