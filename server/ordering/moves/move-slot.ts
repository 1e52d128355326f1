import { group } from 'd3-array';
import { canBeHadOn } from '#contract/catalogue/products/constants/products';
import type { FarmSlot } from '#contract/farm/slots/slots';
import type { MoveDay, MovedDay, MoveOrder, MoveSlot } from '#contract/ordering/moves/moves';
import { isOpenStatus, partyTo } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { type Message, msg, writeMessage } from '#contract/platform/text/constants/texts';
import { DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { dayRulesOf } from '../../farm/farmers/present.ts';
import { refuseFarDay } from '../../farm/schedule/rules.ts';
import { refuseSlot } from '../../farm/slots/policy.ts';
import { presentFarmSlot, type SlotRow, slotUpdated } from '../../farm/slots/present.ts';
import {
  closingOf,
  lockSlots,
  offerOf,
  type SlotWithFarm,
  slotRefused,
} from '../../farm/slots/read.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict, invalidField, notFound, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';
import { changeOrder } from '../model/change-order.ts';
import { dayOf } from '../model/handover.ts';
import { readStock } from '../model/lock.ts';
import { IS_OPEN, lockOrdersWhere, readActor } from '../model/open-orders.ts';
import { type OrderRow, presentOrder, readOrders } from '../model/present.ts';
import { type LineProblem, lineRefusal } from '../model/refusal.ts';
import { runWithin } from '../place/statement.ts';
import { type SlotMove, slotMove, withNewTimes, writeSlotMoves } from './write-moves.ts';

/** Milliseconds; a slot may have thousands of orders. */
const MOVE_TIMES_MS = { maxWait: 15_000, timeout: 60_000 };

/**
 * Moves an order to another slot of its farm. Its consumer may until the cut-off of both, to a day on which all of its
 * goods can be had; the farm always. The slot that it has already changes nothing.
 * @throws 400 too far ahead for its consumer, 401 the account was just deleted, 404 not this user's order, 409 the
 * order is not open, is
 *   delivered or has another version than expected, it is too late, the slot takes no more orders, or a product cannot be had
 *   then
 */
export const moveOrderToSlot = (
  platform: Platform,
  user: SessionUser,
  id: string,
  { slotId, expectedVersion }: MoveOrder,
): Promise<Order> =>
  changeOrder(platform, user, id, async (tx, { order, by }) => {
    await requireVersion(expectedVersion, order.version, () => presentOrder(order));
    requireMovable(order);
    if (order.slotId === slotId) return { unchanged: order };

    const ids = order.slotId === null ? [slotId] : [order.slotId, slotId];
    const locked = await lockSlots(tx, ids);
    const found = locked.get(slotId);
    const target = found?.row.farmId === order.farmerId ? found : undefined;
    const isByFarm = partyTo(order, user) === 'farmer';
    if (!isByFarm) {
      requireBeforeCutoff(order, target ?? locked.get(order.slotId ?? ''));
      if (target) requireNear(target);
    }
    const asked = { farmId: order.farmerId, isByFarm, orders: 1, path: 'slotId' };
    const { row: to, now: at } = await requireRoom(tx, target, asked);
    if (!isByFarm) await requireAvailable(tx, order, to.date);
    const [plan] = await withNewTimes(tx, [slotMove(order, to, { by, at, reason: null })]);
    if (!plan) throw new Error('The order was not moved');
    return { plan };
  });

function requireMovable({ status, isPickup }: OrderRow): void {
  if (!isOpenStatus(status)) {
    throw conflict(
      'ORDER_NOT_OPEN',
      msg(
        "This order is {status, select, pending {pending} accepted {accepted} rejected {rejected} completed {completed} other {cancelled}}, so its pickup can't be moved.",
        { status },
      ),
    );
  }
  if (!isPickup) {
    throw conflict('NOT_PICKUP', msg('This order is delivered, so it has no pickup time.'));
  }
}

/** Refuses a consumer once the order's present time is closed. `any` slot of the farm has its rules. */
function requireBeforeCutoff(order: OrderRow, any: SlotWithFarm | undefined): void {
  if (!any || order.startsAt === null) return;
  const startsAt = new Date(order.startsAt).toISOString();
  const { closesAt } = closingOf(any.farm)({ date: dayOf(order), startsAt });
  if (closesAt > any.now) return;
  throw conflict(
    'CUTOFF_PASSED',
    msg(
      'It is too late to change the pickup time of this order. Write to the farm if you cannot come.',
    ),
  );
}

/** Refuses a consumer a slot that is further ahead than the farm takes orders. */
function requireNear({ row, farm, now }: SlotWithFarm): void {
  const message = refuseFarDay(dayRulesOf(farm), row.date, dayIn(farm.timeZone, now));
  if (message) throw invalidField('slotId', message);
}

/** Refuses a consumer another day after the last one of a product in the order. */
async function requireAvailable(tx: Transaction, order: OrderRow, date: string): Promise<void> {
  if (date === dayOf(order)) return;
  const products = await readStock(
    tx,
    order.lines.map(({ productId }) => productId),
  );
  const problems = order.lines.flatMap(({ productId, quantityMilli }, line): LineProblem[] => {
    const product = products.get(productId ?? '');
    if (!product || quantityMilli === 0 || canBeHadOn(product, date)) return [];
    return [{ line, code: 'NOT_AVAILABLE_THEN', product }];
  });
  if (problems.length > 0) throw lineRefusal(problems);
}

/** What is to go into a slot. */
interface Preference {
  farmId: string;
  isByFarm: boolean;
  orders: number;
  /** The field of the request that names the slot. */
  path: string;
}

/**
 * Returns the slot if it takes the orders.
 * @throws 409 with the nearest free slots
 */
async function requireRoom(
  tx: Transaction,
  target: SlotWithFarm | undefined,
  { farmId, isByFarm, orders, path }: Preference,
): Promise<SlotWithFarm> {
  const offer = target && offerOf(target.row, closingOf(target.farm)(target.row));
  const now = target?.now ?? (await readClock(tx));
  const code = refuseSlot(offer ?? null, now, { orders, isByFarm });
  if (target && !code) return target;
  throw await slotRefused(runWithin(tx), {
    code: code ?? 'SLOT_CLOSED',
    row: target?.row ?? null,
    farmId,
    timeZone: target?.farm.timeZone ?? DEFAULT_TIME_ZONE,
    now,
    orders,
    path,
  });
}

/**
 * Moves all open orders of a slot to another one of the farm, which has to have room for all of them.
 * @throws 400 the same slot, 401 the account was just deleted, 403 not within the caller's role, 404 not a
 *   slot of this farm, 409 the other slot does not take them
 */
export async function moveSlotOrders(
  platform: Platform,
  user: SessionUser,
  id: string,
  { toSlotId, reason }: MoveSlot,
): Promise<{ moved: number; slot: FarmSlot }> {
  const farmId = actingFarm(user);
  const work = async (tx: Transaction) => {
    await lockWorker(tx, user);
    const own = await tx.slot.findFirst({ where: { id, farmId }, select: { id: true } });
    if (!own) throw notFound(msg('Slot not found'));
    if (id === toSlotId) throw invalidField('toSlotId', msg('Choose another pickup time.'));
    const { orderIds, slots: locked } = await lockSlotsWithOrders(tx, [id], [toSlotId]);
    if (!locked.has(id)) throw notFound(msg('Slot not found'));
    const found = locked.get(toSlotId);
    const target = found?.row.farmId === farmId ? found : undefined;
    const asked = { farmId, isByFarm: true, orders: orderIds.length, path: 'toSlotId' };
    const { row: to, farm, now: at } = await requireRoom(tx, target, asked);
    const orders = await readOrders(tx, orderIds);
    const mover = { by: await readActor(tx, user.id), reason: reason || null, at };
    const { slots } = await writeSlotMoves(tx, locked, [{ orders, to }], mover);
    const after = slots.get(toSlotId) ?? to;
    return { moved: orders.length, slot: presentFarmSlot(after, closingOf(farm)(after)) };
  };
  return transact(platform.db, work, MOVE_TIMES_MS);
}

/**
 * Locks the open orders of the slots that they are to leave, then those slots and the ones that they may go to, as
 * every command does. Then it locks what came into the slots meanwhile: with the slots locked nothing more comes. For
 * these it waits for nobody, since slots are locked already; what somebody else is changing at that very moment is left
 * out.
 * @returns the ids of the orders, and the slots that exist
 */
async function lockSlotsWithOrders(
  tx: Transaction,
  leaving: readonly string[],
  arriving: readonly string[],
): Promise<{ orderIds: string[]; slots: Map<string, SlotWithFarm> }> {
  const isLeaving = `slot_id = ANY ($1::uuid[]) AND ${IS_OPEN}`;
  const first = await lockOrdersWhere(tx, isLeaving, leaving);
  const slots = await lockSlots(tx, [...leaving, ...arriving]);
  const late = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id FROM orders WHERE ${isLeaving} AND id <> ALL ($2::uuid[])
     ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
    leaving,
    first,
  );
  return { orderIds: [...first, ...late.map(({ id }) => id)], slots };
}

type StayCode = MovedDay['stayed'][number]['code'];

const STAYED: Record<StayCode, Message> = {
  NO_SUCH_TIME: msg('This place has no pickup at this time on the other day.'),
  DAY_CLOSED: msg('The farm is closed on the other day.'),
  CUTOFF_PASSED: msg('The time on the other day has begun already.'),
  SLOT_CLOSED: msg('The time on the other day is not offered.'),
  SLOT_FULL: msg('The time on the other day has no room for all of them.'),
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
    const arrivingIds = await slotsOn(tx, farmId, toDate);
    const { orderIds, slots } = await lockSlotsWithOrders(tx, ids, arrivingIds);
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
    const mover = { by: await readActor(tx, user.id), reason: reason || null, at };
    const written = await writeSlotMoves(tx, slots, moves, mover);
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
            message: writeMessage(STAYED[code]),
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
  return refusal ?? { orders, to: target.row };
}

/** Closes those of the slots that are open. @returns their ids */
async function closeSlots(tx: Transaction, slots: readonly SlotRow[]): Promise<Set<string>> {
  const open = slots.filter(({ state }) => state === 'open');
  const ids = open.map(({ id }) => id);
  await tx.slot.updateMany({ where: { id: { in: ids } }, data: { state: 'closed' } });
  await record(tx, ...open.map((slot) => slotUpdated({ ...slot, state: 'closed' })));
  return new Set(ids);
}
