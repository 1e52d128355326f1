import { createHash } from 'node:crypto';
import { orderName } from '#contract/people/notifications/constants/written';
import type { ClosingQuery, OrdersMet } from '#contract/platform/orders/closing';
import type { OrderStatus } from '#contract/platform/orders/constants';
import { MET_ORDERS_SHOWN } from '#contract/platform/orders/constants';
import { msg, t } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { dayRulesOf } from '../../farm/farmers/present.ts';
import { lockFarmProfile } from '../../farm/farmers/service.ts';
import { moveCutoffTimers } from '../../farm/schedule/rules.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transactTogether } from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';
import { changeInSlices, IS_OPEN, lockOrdersWhere, readActor } from '../model/open-orders.ts';
import { RESERVED_PRODUCT, RESERVED_SOURCE } from '../model/present-lines.ts';
import { type Agreed, type HandoverTerms, ordersMet } from './decide-closing.ts';

/** Milliseconds; a farm may have thousands of open orders, and a place of slots. */
export const CLOSING_TIMES_MS = { maxWait: 15_000, timeout: 60_000 };

/** An open order of a farm whose handover is not over. */
interface AheadOrder extends Agreed {
  id: string;
  status: OrderStatus;
  customer: string;
  slotId: string | null;
}

/**
 * Makes a change of a farm or of one of its products, by which the farm may no longer take orders that it has. A
 * preview answers with the open orders that it meets, as {@link ordersMet}, and writes nothing: it makes the change and
 * takes it back, so it refuses whatever saving would. A change that keeps these orders also tells their customers so,
 * in the same transaction. Without either it is made as it is.
 * @throws 409 ORDERS_MET the change meets other orders than the preview showed, and whatever `change` throws
 */
export async function meetingOrders<Data>(
  { db }: Platform,
  user: SessionUser,
  { preview, keeps, productId }: ClosingQuery & { productId?: string },
  change: () => Promise<Data>,
): Promise<Data> {
  const isTried = preview === 'true';
  const farmId = await farmOf(db, user, productId);
  if (farmId === undefined || (!isTried && keeps === undefined)) return change();
  const work = async (tx: Transaction): Promise<Data> => {
    if (!isTried) await lockAhead(tx, user, farmId);
    const before = await readTerms(tx, farmId);
    const orders = await readAhead(tx, farmId);
    const data = await change();
    const met = ordersMet(before, await readTerms(tx, farmId), orders);
    // The contract types the answer by the change.
    if (isTried) return present(met) as Data;
    if (met.length > 0 && keyOf(met) !== keeps) throw otherOrders(present(met));
    await tellKept(tx, user, met);
    return data;
  };
  return transactTogether(db, work, { ...CLOSING_TIMES_MS, isTried });
}

/** Returns the farm whose orders a change may meet; undefined where there is no such product. */
async function farmOf(
  db: Database,
  { membership }: SessionUser,
  productId: string | undefined,
): Promise<string | undefined> {
  if (membership) return membership.farmId;
  const product = productId && (await db.product.findUnique({ where: { id: productId } }));
  return product ? product.farmerId : undefined;
}

/** The condition of the orders of the farm `$1` that are open and not over, for {@link lockOrdersWhere}. */
const IS_AHEAD = `farmer_id = $1::uuid AND ${IS_OPEN} AND COALESCE(ends_at, starts_at) > now()`;

/** Locks a farm and its open orders in the order of every command: what `change` locks is there already, or follows. */
async function lockAhead(tx: Transaction, user: SessionUser, farmId: string): Promise<void> {
  await lockWorker(tx, user);
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${farmId}::uuid FOR NO KEY UPDATE`;
  await lockFarmProfile(tx, farmId);
  // A new cut-off or zone moves them, and they come before orders.
  await moveCutoffTimers(tx, farmId);
  await lockOrdersWhere(tx, IS_AHEAD, farmId);
}

async function readTerms(tx: Transaction, farmId: string): Promise<HandoverTerms> {
  const farm = await tx.farmerProfile.findUnique({ where: { userId: farmId } });
  const places = await tx.place.findMany({
    where: { farmId, removedAt: null, isActive: true },
    include: { hours: true },
  });
  const products = await tx.product.findMany({
    where: { farmerId: farmId, availableUntil: { not: null } },
    select: { id: true, availableUntil: true },
  });
  return {
    rules: dayRulesOf(farm),
    acceptsPickup: farm?.acceptsPickup ?? true,
    acceptsDelivery: farm?.acceptsDelivery ?? false,
    places: new Map(places.map(({ id, hours }) => [id, hours])),
    lastDays: new Map(
      products.flatMap(({ id, availableUntil }) =>
        availableUntil ? [[id, availableUntil.toISOString().slice(0, 10)]] : [],
      ),
    ),
  };
}

// $1 the farm.
const READ_AHEAD = `SELECT o.id, o.status, o.date::text AS date, o.time, o.end_time AS "endTime",
    o.is_pickup AS "isPickup", o.place_id AS "placeId", o.slot_id AS "slotId",
    o.slot_id IS NOT NULL AS "hasSlot", consumer.name AS customer,
    (SELECT COALESCE(json_agg(goods.id), '[]') FROM (
      SELECT line.product_id AS id FROM order_lines line
      WHERE line.order_id = o.id AND line.product_id IS NOT NULL AND line.quantity_milli > 0
      UNION
      SELECT ${RESERVED_PRODUCT} FROM ${RESERVED_SOURCE}
      WHERE proposal.order_id = o.id AND ${RESERVED_PRODUCT} IS NOT NULL) AS goods) AS products
  FROM (SELECT * FROM orders WHERE ${IS_AHEAD}) o JOIN users consumer ON consumer.id = o.consumer_id
  ORDER BY o.date, o.time, o.id`;

const readAhead = (tx: Transaction, farmId: string): Promise<AheadOrder[]> =>
  tx.$queryRawUnsafe<AheadOrder[]>(READ_AHEAD, farmId);

const present = (met: readonly AheadOrder[]): OrdersMet => ({
  orders: met.slice(0, MET_ORDERS_SHOWN).map(({ id, customer, endTime, slotId, ...order }) => ({
    _id: id,
    title: t('{customer}, {order}', { customer, order: orderName(id) }),
    date: order.date,
    time: order.time,
    ...(endTime !== null && { endTime }),
    isDelivery: !order.isPickup,
    ...(slotId !== null && { slotId }),
    status: order.status,
  })),
  count: met.length,
  key: keyOf(met),
});

/** Returns what stands for orders at their times, in any order. */
const keyOf = (met: readonly AheadOrder[]): string =>
  createHash('sha256')
    .update(JSON.stringify(met.map(({ id, date, time }) => [id, date, time]).sort()))
    .digest('base64url');

const otherOrders = (data: OrdersMet) =>
  new AppError(
    409,
    'ORDERS_MET',
    msg('Orders have come, gone or moved since you looked. Look through them again, then save.'),
    { data },
  );

/** Tells the customers of locked orders that these stay as agreed. */
async function tellKept(
  tx: Transaction,
  user: SessionUser,
  met: readonly AheadOrder[],
): Promise<void> {
  if (met.length === 0) return;
  const by = await readActor(tx, user.id);
  const at = await readClock(tx);
  await changeInSlices(
    tx,
    met.map(({ id }) => id),
    (orders) => orders.map((before) => ({ at, by, before, change: { kind: 'kept' } })),
  );
}
