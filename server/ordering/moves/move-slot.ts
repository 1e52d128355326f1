import { canBeHadOn } from '#contract/catalogue/products/constants/products';
import type { FarmSlot } from '#contract/farm/slots/slots';
import type { MoveOrder, MoveSlot } from '#contract/ordering/moves/moves';
import { isOpenStatus, partyTo } from '#contract/ordering/orders/constants/orders';
import type { Order } from '#contract/ordering/orders/orders';
import { OPEN_STATUSES } from '#contract/platform/orders/constants';
import { DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants/time';
import type { Transaction } from '../../../prisma/client.ts';
import { dayRulesOf } from '../../farm/farmers/present.ts';
import { refuseFarDay } from '../../farm/schedule/rules.ts';
import { refuseSlot } from '../../farm/slots/policy.ts';
import { presentFarmSlot } from '../../farm/slots/present.ts';
import {
  closingOf,
  lockSlots,
  offerOf,
  type SlotWithFarm,
  slotRefused,
} from '../../farm/slots/read.ts';
import type { PersonRow } from '../../people/users/present.ts';
import { conflict, invalidField, notFound, versionConflict } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { readClock } from '../../platform/time/clock.ts';
import { dayOf } from '../model/handover.ts';
import { readShelf } from '../model/lock.ts';
import { canReadOrder } from '../model/policy.ts';
import { type OrderRow, presentOrder, readOrders } from '../model/present.ts';
import { type LineProblem, lineRefusal } from '../model/refusal.ts';
import { runWithin } from '../place/statement.ts';
import { writeSlotMoves } from './write-slot-moves.ts';

/** Milliseconds; a slot may have thousands of orders. */
export const MOVE_TIMES_MS = { maxWait: 15_000, timeout: 60_000 };

/** Returns whoever moves orders, as the timeline names them. */
export const readMover = (tx: Transaction, id: string): Promise<PersonRow> =>
  tx.user.findUniqueOrThrow({
    where: { id },
    select: { id: true, name: true, role: true, deletedAt: true },
  });

/**
 * Moves an order to another slot of its farm. Its buyer may until the cut-off of both, to a day on which
 * all of its goods can be had; the farm always. The slot that it has already changes nothing.
 * @throws 400 too far ahead for its buyer, 401 the account was just deleted, 404 not this user's order, 409 the order is not open, is
 *   delivered or has another version than expected, it is too late, the slot takes no more orders, or a product cannot be had
 *   then
 */
export async function moveOrderToSlot(
  platform: Platform,
  user: SessionUser,
  id: string,
  { slotId, expectedVersion }: MoveOrder,
): Promise<Order> {
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    await tx.$queryRaw`SELECT 1 FROM orders WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const [order] = await readOrders(tx, [id]);
    if (!order || !canReadOrder(user, order)) throw notFound('Order not found');
    if (expectedVersion !== undefined && expectedVersion !== order.version) {
      throw versionConflict(presentOrder(order));
    }
    requireMovable(order);
    if (order.slotId === slotId) return presentOrder(order);

    const locked = await lockSlots(
      tx,
      [order.slotId, slotId].flatMap((each) => each ?? []),
    );
    const found = locked.get(slotId);
    const target = found?.row.farmId === order.farmerId ? found : undefined;
    const isByFarm = partyTo(order, user) === 'farmer';
    if (!isByFarm) {
      requireBeforeCutoff(order, target ?? locked.get(order.slotId ?? ''));
      if (target) requireNear(target);
    }
    const { row: to, now: at } = await requireRoom(tx, target, {
      farmId: order.farmerId,
      isByFarm,
      path: 'slotId',
    });
    if (!isByFarm) await requireAvailable(tx, order, to.date);
    const left = locked.get(order.slotId ?? '');
    const { orders } = await writeSlotMoves(
      tx,
      [
        {
          orders: [order],
          from: new Map(left ? [[left.row.id, left.row]] : []),
          to,
        },
      ],
      { by: await readMover(tx, user.id), reason: null, at },
    );
    const [after] = orders;
    if (!after) throw new Error('The order was not moved');
    return presentOrder(after);
  });
}

function requireMovable({ status, isPickup }: OrderRow): void {
  if (!isOpenStatus(status)) {
    throw conflict('ORDER_NOT_OPEN', `This order is ${status}, so its pickup can't be moved.`);
  }
  if (!isPickup) {
    throw conflict('NOT_PICKUP', 'This order is delivered, so it has no pickup time.');
  }
}

/** Refuses a buyer once the order's present time is closed. `any` slot of the farm has its rules. */
function requireBeforeCutoff(order: OrderRow, any: SlotWithFarm | undefined): void {
  if (!any || order.startsAt === null) return;
  const startsAt = new Date(order.startsAt).toISOString();
  const { closesAt } = closingOf(any.farm)({ date: dayOf(order), startsAt });
  if (closesAt > any.now) return;
  throw conflict(
    'CUTOFF_PASSED',
    'It is too late to change the pickup time of this order. Write to the farm if you cannot come.',
  );
}

/** Refuses a buyer a slot that is further ahead than the farm takes orders. */
function requireNear({ row, farm, now }: SlotWithFarm): void {
  const message = refuseFarDay(dayRulesOf(farm), row.date, dayIn(farm.timeZone, now));
  if (message) throw invalidField('slotId', message);
}

/** Refuses a buyer another day after the last one of a product in the order. */
async function requireAvailable(tx: Transaction, order: OrderRow, date: string): Promise<void> {
  if (date === dayOf(order)) return;
  const products = await readShelf(
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
interface Wish {
  farmId: string;
  isByFarm: boolean;
  orders?: number;
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
  { farmId, isByFarm, orders = 1, path }: Wish,
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
    if (!own) throw notFound('Slot not found');
    if (id === toSlotId) throw invalidField('toSlotId', 'Choose another pickup time.');
    const { orderIds, slots: locked } = await lockSlotsWithOrders(tx, [id], [toSlotId]);
    const [left, found] = [locked.get(id), locked.get(toSlotId)];
    if (!left) throw notFound('Slot not found');
    const target = found?.row.farmId === farmId ? found : undefined;
    const {
      row: to,
      farm,
      now: at,
    } = await requireRoom(tx, target, {
      farmId,
      isByFarm: true,
      orders: orderIds.length,
      path: 'toSlotId',
    });
    const orders = await readOrders(tx, orderIds);
    const { slots } = await writeSlotMoves(tx, [{ orders, from: new Map([[id, left.row]]), to }], {
      by: await readMover(tx, user.id),
      reason: reason || null,
      at,
    });
    const after = slots.get(toSlotId) ?? to;
    return { moved: orders.length, slot: presentFarmSlot(after, closingOf(farm)(after)) };
  };
  return transact(platform.db, work, MOVE_TIMES_MS);
}

/**
 * Locks the open orders of the slots that they are to leave, then those slots and the ones that they may go to, as every
 * command does. Then it locks what came into the slots meanwhile: with the slots locked nothing more comes. For these it
 * waits for nobody, since slots are locked already; what somebody else is changing at that very moment is left out.
 * @returns the ids of the orders, and the slots that exist
 */
export async function lockSlotsWithOrders(
  tx: Transaction,
  leaving: readonly string[],
  arriving: readonly string[],
): Promise<{ orderIds: string[]; slots: Map<string, SlotWithFarm> }> {
  const lockOpen = async (known: readonly string[], waiting: '' | 'SKIP LOCKED') =>
    tx.$queryRawUnsafe<{ id: string }[]>(
      `SELECT id FROM orders
       WHERE slot_id = ANY ($1::uuid[]) AND status IN (${sqlList(OPEN_STATUSES)}) AND id <> ALL ($2::uuid[])
       ORDER BY id FOR NO KEY UPDATE ${waiting}`,
      leaving,
      known,
    );
  const first = (await lockOpen([], '')).map(({ id }) => id);
  const slots = await lockSlots(tx, [...leaving, ...arriving]);
  const late = (await lockOpen(first, 'SKIP LOCKED')).map(({ id }) => id);
  return { orderIds: [...first, ...late], slots };
}
