import { group } from 'd3-array';
import type { MoveDay, MovedDay } from '#contract/ordering/moves/moves';
import type { Transaction } from '../../../prisma/client.ts';
import { refuseSlot } from '../../farm/slots/policy.ts';
import { presentFarmSlot, type SlotRow, slotUpdated } from '../../farm/slots/present.ts';
import { closingOf, offerOf, type SlotWithFarm } from '../../farm/slots/read.ts';
import { record } from '../../platform/events/event-log.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';
import { type OrderRow, readOrders } from '../model/present.ts';
import { lockSlotsWithOrders, MOVE_TIMES_MS, readMover } from './move-slot.ts';
import { type SlotMove, writeSlotMoves } from './write-slot-moves.ts';

type StayCode = MovedDay['stayed'][number]['code'];

const STAYED: Record<StayCode, string> = {
  NO_SUCH_TIME: 'This place has no pickup at this time on the other day.',
  DAY_CLOSED: 'The farm is closed on the other day.',
  CUTOFF_PASSED: 'The time on the other day has begun already.',
  SLOT_CLOSED: 'The time on the other day is not offered.',
  SLOT_FULL: 'The time on the other day has no room for all of them.',
};

/**
 * Moves the open orders of a day to the same place and time of another day: all orders of a slot, or none
 * where that does not take them. Closes the slots of the day, if asked to.
 * @throws 401 the account was just deleted, 403 not within the caller's role
 */
export async function moveDay(
  platform: Platform,
  user: SessionUser,
  { date, toDate, reason, closesSlots }: MoveDay,
): Promise<MovedDay> {
  const farmId = actingFarm(user);
  const work = async (tx: Transaction): Promise<MovedDay> => {
    await lockWorker(tx, user);
    const ids = await slotsOn(tx, farmId, date);
    const { orderIds, slots } = await lockSlotsWithOrders(
      tx,
      ids,
      await slotsOn(tx, farmId, toDate),
    );
    const all = [...slots.values()];
    const leaving = all.filter(({ row }) => row.date === date);
    const arriving = all.filter(({ row }) => row.date === toDate);
    const orders = group(await readOrders(tx, orderIds), ({ slotId }) => slotId ?? '');

    const moves: SlotMove[] = [];
    const refused = new Map<string, StayCode>();
    for (const slot of leaving) {
      const own = orders.get(slot.row.id) ?? [];
      if (own.length === 0) continue;
      const decision = decideMove(slot, own, arriving, moves);
      if (typeof decision === 'string') refused.set(slot.row.id, decision);
      else moves.push(decision);
    }
    const at = leaving[0]?.now ?? (await readClock(tx));
    const by = await readMover(tx, user.id);
    const written = await writeSlotMoves(tx, moves, { by, reason: reason || null, at });
    const now = ({ row }: SlotWithFarm) => written.slots.get(row.id) ?? row;
    const closed = closesSlots ? await closeSlots(tx, leaving.map(now)) : new Set<string>();
    return {
      moved: written.orders.length,
      stayed: leaving.flatMap((slot) => {
        const code = refused.get(slot.row.id);
        if (!code) return [];
        const row = now(slot);
        const state = closed.has(row.id) ? ('closed' as const) : row.state;
        return [
          {
            slot: presentFarmSlot({ ...row, state }, closingOf(slot.farm)(row)),
            code,
            message: STAYED[code],
          },
        ];
      }),
    };
  };
  return transact(platform.db, work, MOVE_TIMES_MS);
}

async function slotsOn(tx: Transaction, farmId: string, date: string): Promise<string[]> {
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    'SELECT id FROM slots WHERE farm_id = $1::uuid AND date = $2::date',
    farmId,
    date,
  );
  return rows.map(({ id }) => id);
}

/** Decides where the orders of a slot go; `moves` are those decided before it. */
function decideMove(
  { row, now }: SlotWithFarm,
  orders: OrderRow[],
  arriving: readonly SlotWithFarm[],
  moves: readonly SlotMove[],
): SlotMove | StayCode {
  const same = arriving.filter(
    (other) => other.row.place.id === row.place.id && other.row.from === row.from,
  );
  const target = same.find((other) => other.row.to === row.to) ?? same[0];
  if (!target) return 'NO_SUCH_TIME';
  const coming = moves
    .filter(({ to }) => to.id === target.row.id)
    .reduce((sum, move) => sum + move.orders.length, 0);
  const offer = offerOf(target.row, closingOf(target.farm)(target.row));
  const refusal = refuseSlot(offer, now, { orders: orders.length + coming, isByFarm: true });
  return refusal ?? { orders, from: new Map([[row.id, row]]), to: target.row };
}

/** Closes those of the slots that are open. @returns their ids */
async function closeSlots(tx: Transaction, slots: readonly SlotRow[]): Promise<Set<string>> {
  const open = slots.filter(({ state }) => state === 'open');
  const ids = open.map(({ id }) => id);
  await tx.slot.updateMany({ where: { id: { in: ids } }, data: { state: 'closed' } });
  await record(tx, ...open.map((slot) => slotUpdated({ ...slot, state: 'closed' })));
  return new Set(ids);
}
