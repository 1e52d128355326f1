import { createHash, randomUUID } from 'node:crypto';
import type { Order, PlaceOrder } from '#contract/ordering/orders/orders';
import type { PickupInstead } from '#contract/ordering/orders/pickup';
import { IDEMPOTENCY_HOURS } from '#contract/platform/http/constants';
import { theMarket } from '#contract/platform/market/constants';
import { takenMilli } from '#contract/platform/quantities/constants/pieces';
import { sortByName } from '#contract/platform/text/constants/names';
import { msg } from '#contract/platform/text/constants/texts';
import { stockEvent } from '../../catalogue/stock/stock-events.ts';
import { farmPaused } from '../../farm/pause/policy.ts';
import { momentRefused } from '../../farm/schedule/rules.ts';
import { slotUpdated } from '../../farm/slots/present.ts';
import { slotRefused } from '../../farm/slots/read.ts';
import type { NewEvent } from '../../platform/events/event-log.ts';
import { AppError, invalid } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { currentCommandId, currentRequestId } from '../../platform/process/request-context.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { freeHandover, handoverIn } from '../model/handover.ts';
import { offers } from '../model/policy.ts';
import { type OrderRow, orderRooms, presentOrder } from '../model/present.ts';
import { goodsOf, NEW_LINE } from '../model/present-lines.ts';
import { lineRefusal, orderRefusal } from '../model/refusal.ts';
import {
  decidePlaceOrder,
  type FarmState,
  type PlacePlan,
  type PlacingState,
  slotIdOf,
  sumOf,
} from './decide-place.ts';
import { READ, type Run, retryOnConflict, runAlone, WRITE } from './statement.ts';

/**
 * Placing an order, like every command of an order, has three steps:
 *
 * 1. Read, in one statement and without locks, what the decision needs.
 * 2. Decide, in a pure function (`decide-place.ts`): a refusal, or a plan of what to write.
 * 3. Write the plan in one statement, which is a transaction of its own. It locks the rows in the order
 *    that every command keeps (people, farm, order, products by ascending id) and checks on the locked
 *    rows what the decision relied on. Where that no longer holds it writes nothing, and the command
 *    reads and decides again. So refusals always follow from what is committed, and are never partial.
 *
 * What is checked of products is conditions (enough stock, the same price, still on the market), not
 * versions: orders that take from the same stock at once do not make each other repeat. The farm's rules,
 * which orders do not change, are checked by their versions, and the cut-off by the database's clock as it
 * was when the statement began: an order at that very moment is taken or refused, never both.
 */

interface Request {
  input: PlaceOrder;
  consumerId: string;
  key: string | undefined;
  hash: string;
}

/**
 * Places an order: takes the stock of all lines or of none, however many buy at the same moment. With a key, a repeat
 * of the same request within {@link IDEMPOTENCY_HOURS} gets the first answer.
 * @throws 400 a past date or one too far ahead, a time that the clock skips, a product and size twice, a quantity in
 *   which it is not sold, no size of what is sold in sizes or too large a total, 403 EMAIL_NOT_VERIFIED where the
 *   market asks for it, 404 no such farm, 409 the farm takes no orders at present, does not offer it, is closed at that
 *   moment or its cut-off has passed, a product cannot be had, has another price or too little stock, or the key stands
 *   for another order, 503 too many others changed the same things at once
 */
export async function placeOrder(
  platform: Platform,
  consumer: SessionUser,
  input: PlaceOrder,
  key: string | undefined,
): Promise<Order> {
  const hash = createHash('sha256').update(JSON.stringify(input)).digest('base64url');
  const request = { input, consumerId: consumer.id, key, hash };
  const run = runAlone(platform.pool);
  return retryOnConflict(async () => {
    const state = await readState(run, request);
    const decision = decidePlaceOrder(state, input, hash);
    if ('refusal' in decision) {
      const { refusal } = decision;
      if (refusal === 'OUT_OF_AREA') throw await outOfArea(run, input.farmer, state.farm);
      throw orderRefusal(refusal);
    }
    if ('invalid' in decision) throw invalid(decision.invalid.message, [decision.invalid]);
    if ('pausedUntil' in decision) {
      throw farmPaused(decision.pausedUntil, decision.timeZone, state.now);
    }
    if ('moment' in decision) throw momentRefused(decision.moment, `${decision.way}Details`);
    if ('slotRefusal' in decision) {
      throw await slotRefused(run, {
        code: decision.slotRefusal,
        row: state.slot,
        farmId: input.farmer,
        timeZone: decision.timeZone,
        now: state.now,
        path: 'pickupDetails.slotId',
      });
    }
    if ('problems' in decision) throw lineRefusal(decision.problems);
    if ('repeat' in decision) return (decision.repeat.body as { data: Order }).data;
    return writePlan(run, decision.plan, request);
  });
}

async function readState(run: Run, { input, consumerId, key }: Request): Promise<PlacingState> {
  const [state] = await run<Omit<PlacingState, 'now'> & { now: string }>(READ, [
    consumerId,
    input.farmer,
    input.items.map((item) => item.product),
    key ?? null,
    IDEMPOTENCY_HOURS,
    slotIdOf(input) ?? null,
  ]);
  if (!state) throw new Error('A statement that reads one row has read none');
  return { ...state, now: new Date(state.now) };
}

/** @returns the order, or nothing when something the plan relies on is no longer so */
async function writePlan(
  run: Run,
  plan: PlacePlan,
  { input, key, hash }: Request,
): Promise<Order | undefined> {
  const row = toRow(plan, input);
  if (sumOf(plan.lines) !== plan.totalMinor) throw new Error('A total is not the sum of its lines');
  const order = presentOrder(row);
  const { consumer: _, farmer: __, lines, timeline: ___, proposals: ____, ...columns } = row;
  const appearances = new Map(plan.lines.map(({ product }) => [product.id, product.appearance]));
  const command = {
    key,
    requestHash: hash,
    status: 201,
    body: { success: true, data: order },
    validHours: IDEMPOTENCY_HOURS,
  };
  const placed = await run(WRITE, [
    JSON.stringify({
      ...columns,
      farmTerms: plan.farmTerms,
      ordersUntil: plan.ordersUntil,
      timerKey: plan.timer?.key,
      cutoffAt: plan.timer?.dueAt,
    }),
    JSON.stringify(
      lines.map((line) => ({
        ...line,
        appearance: appearances.get(line.productId ?? ''),
        takenMilli: line.takesStock ? takenMilli(line, line.quantityMilli) : 0,
      })),
    ),
    JSON.stringify(key === undefined ? [] : [command]),
    JSON.stringify(eventsOf(plan, row, order)),
    currentRequestId() ?? null,
    currentCommandId() ?? null,
  ]);
  return placed.length > 0 ? order : undefined;
}

/** The order as it will stand in the database. */
function toRow(
  { at, consumer, farmer, lines, totalMinor, startsAt, slot, isOwnPlace, isAreaOpen }: PlacePlan,
  input: PlaceOrder,
): OrderRow {
  return {
    id: randomUUID(),
    consumerId: consumer.id,
    farmerId: farmer.id,
    createdAt: at.toISOString(),
    status: 'pending',
    totalMinor,
    paymentMethod: input.paymentMethod,
    notes: input.notes,
    isPickup: input.pickupDetails !== undefined,
    ...(slot ? handoverIn(slot) : freeHandover(input, startsAt)),
    isAreaConfirmed: input.deliveryDetails?.isAreaConfirmed === true,
    isOwnPlace,
    isAreaOpen,
    version: 1,
    consumer,
    farmer,
    packing: 'none',
    crates: null,
    proposals: [],
    lines: lines.map(({ product, size, quantityMilli, onShort, preferredProductId }, index) => ({
      ...NEW_LINE,
      ...goodsOf(product, size),
      id: randomUUID(),
      position: index + 1,
      onShort,
      preferredProductId,
      quantityMilli,
    })),
    timeline: [
      {
        sequence: 1,
        kind: 'status',
        status: 'pending',
        at: at.toISOString(),
        reason: null,
        cause: null,
        by: consumer,
      },
    ],
  };
}

/** The order's event, the changes of stock by ascending id, then that of its slot. */
function eventsOf({ lines, slot }: PlacePlan, row: OrderRow, order: Order) {
  const created: NewEvent = { name: 'order.created', data: order, rooms: orderRooms(row) };
  const products = [...new Set(lines.map(({ product }) => product))].filter(
    ({ isAlways }) => !isAlways,
  );
  return [
    created,
    ...products
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .map((product) => ({ ...stockEvent(product), productId: product.id })),
    // The statement puts in how many orders it has then.
    ...(slot
      ? [
          {
            ...slotUpdated({
              id: slot.id,
              farmId: slot.farmId,
              taken: 0,
              capacity: null,
              state: 'open',
            }),
            slotId: slot.id,
          },
        ]
      : []),
  ].map((event) => ({ ...event, id: randomUUID() }));
}

// $1 the farm.
const PLACES = {
  name: 'read_pickup_places',
  text: `SELECT id AS "_id", name, json_build_object('street', street, 'city', city, 'state', state,
      'zipCode', zip_code) AS address
    FROM places WHERE farm_id = $1::uuid AND is_active AND removed_at IS NULL ORDER BY id`,
};

/**
 * Returns the answer to a delivery to where the farm does not deliver. The way out is another address, or pickup where
 * the farm offers it, at one of its places where it has some.
 */
async function outOfArea(run: Run, farmId: string, farm: FarmState | null): Promise<AppError> {
  const mayPickUp = offers(farm, 'pickup');
  const places = mayPickUp ? await run<PickupInstead['places'][number]>(PLACES, [farmId]) : [];
  const message = mayPickUp
    ? msg("This farm doesn't deliver to that address. Enter another one, or pick the order up.")
    : msg("This farm doesn't deliver to that address. Enter another one.");
  const data: PickupInstead = { places: sortByName(places, ({ name }) => name) };
  const part = theMarket().addressFormat.zipCode === null ? 'city' : 'zipCode';
  return new AppError(409, 'OUT_OF_AREA', message, {
    errors: [{ path: `deliveryDetails.address.${part}`, message }],
    data,
  });
}
