import { createHash, randomUUID } from 'node:crypto';
import type { Order, PlaceOrder } from '#contract/ordering/orders/orders';
import { IDEMPOTENCY_HOURS } from '#contract/platform/http/constants/http';
import { APPEARANCE, SHELF_ROW } from '../../catalogue/stock/stock-events.ts';
import { dayRulesFields } from '../../farm/farmers/present.ts';
import { CUTOFF_TIMER, momentRefused } from '../../farm/schedule/rules.ts';
import { SLOT_ROW, SLOT_SOURCE } from '../../farm/slots/present.ts';
import { slotRefused } from '../../farm/slots/read.ts';
import type { NewEvent } from '../../platform/events/event-log.ts';
import { invalid } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { currentCommandId, currentRequestId } from '../../platform/process/request-context.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { HANDOVER_COLUMNS, LINE_COLUMNS } from '../model/columns.ts';
import { freeHandover, handoverIn } from '../model/handover.ts';
import {
  CONSUMER_ROW,
  FARMER_ROW,
  type OrderRow,
  orderRooms,
  presentOrder,
} from '../model/present.ts';
import { NEW_LINE } from '../model/present-lines.ts';
import { lineRefusal, orderRefusal } from '../model/refusal.ts';
import {
  decidePlaceOrder,
  type PlacePlan,
  type PlacingState,
  slotIdOf,
  sumOf,
} from './decide-place.ts';
import { outOfArea } from './out-of-area.ts';
import {
  eventData,
  eventsIn,
  leftOverJoins,
  type Run,
  roomEvents,
  runAlone,
  stockEvents,
  untilDecided,
} from './statement.ts';

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
 * versions: orders that take from the same shelf at once do not make each other repeat. The farm's rules,
 * which orders do not change, are checked by their versions, and the cut-off by the database's clock as it
 * was when the statement began: an order at that very moment is taken or refused, never both.
 */

/** A hash of everything that the decision relies on of a farm's profile (`farm`) and its places. */
const FARM_TERMS = `md5(ROW(farm.accepts_pickup, farm.accepts_delivery, farm.delivery_areas,
  farm.time_zone, farm.business_hours, farm.cutoff_days_before, farm.cutoff_time, farm.closed_days,
  farm.bookable_days, farm.places_version, farm.approved_at IS NULL)::text)`;

// The ids come out of a sub-select: of a parameter Postgres would count the entries, and make a plan of
// its own for every order because of it.
const READ = {
  name: 'read_for_placing',
  text: `SELECT
    to_json(clock_timestamp()) AS now,
    (SELECT ${CONSUMER_ROW} FROM users consumer WHERE consumer.id = $1::uuid) AS consumer,
    (SELECT suspended_at IS NOT NULL FROM users WHERE id = $1::uuid) AS "isConsumerSuspended",
    (SELECT email_verified_at IS NOT NULL FROM users WHERE id = $1::uuid) AS "isEmailVerified",
    (SELECT on_short_default FROM users WHERE id = $1::uuid) AS "onShortDefault",
    (SELECT json_build_object('requestHash', request_hash, 'body', body) FROM commands
      WHERE user_id = $1::uuid AND key = $4
        AND created_at >= now() - make_interval(hours => $5::int)) AS command,
    seller.row AS farmer,
    seller.suspended AS "isFarmSuspended",
    seller.farm AS farm,
    (SELECT COALESCE(json_agg(${SHELF_ROW}), '[]')
      FROM products p WHERE p.id = ANY (ARRAY(SELECT unnest($3::uuid[])))) AS products,
    (SELECT ${SLOT_ROW} FROM ${SLOT_SOURCE} WHERE s.id = $6::uuid AND s.farm_id = $2::uuid) AS slot
  FROM (VALUES (true)) AS one
  LEFT JOIN LATERAL (
    SELECT ${FARMER_ROW} AS row, farmer.suspended_at IS NOT NULL AS suspended,
           CASE WHEN farm.user_id IS NOT NULL THEN json_build_object(
             'acceptsPickup', farm.accepts_pickup, 'acceptsDelivery', farm.accepts_delivery,
             'deliveryAreas', farm.delivery_areas, 'timeZone', farm.time_zone,
             'hasSlots', farm.has_slots, 'approvedAt', farm.approved_at, 'terms', ${FARM_TERMS}, ${dayRulesFields('farm')}
           ) END AS farm
    FROM users farmer LEFT JOIN farmer_profiles farm ON farm.user_id = farmer.id
    WHERE farmer.id = $2::uuid
  ) AS seller ON true`,
};

// $1 the order, $2 its lines, $3 the command (or none), $4 the events, $5 the request's id, $6 the
// command's id.
// The timer of the day's cut-off is held in shared mode: orders do not wait for each other, and the worker
// that runs it sees this order, or the order finds it done and sets it again.
// Each step is bound to the one before it by a condition, so that locks are taken in this order. Without
// a row in `go` nothing is written. The key is claimed last: who holds it waits for no other lock.
// What many orders change at once, products and slots, is locked and changed by functions: `prisma/sql/changed_rows.sql`
// says why. What they are called with comes from the steps before them, so that none is called too early; their rows
// are counted in the end, so that none is left out.
const WRITE = {
  name: 'write_placed_order',
  text: `WITH new_order AS MATERIALIZED (
    SELECT * FROM json_to_record($1::json) AS (
      id uuid, "consumerId" uuid, "farmerId" uuid, "totalMinor" bigint, "paymentMethod" "PaymentMethod",
      notes text, "isPickup" boolean, "isAreaConfirmed" boolean, "createdAt" timestamptz(3),
      "farmTerms" text, "ordersUntil" timestamptz(3), "cutoffAt" timestamptz(3), "timerKey" text,
      ${HANDOVER_COLUMNS.types})
  ), new_line AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS (${LINE_COLUMNS.types}, appearance text)
  ), command AS MATERIALIZED (
    SELECT * FROM json_to_recordset($3::json) AS (
      key text, "requestHash" text, status smallint, body json, "validHours" int)
  ), consumer AS MATERIALIZED (
    SELECT id FROM users
    WHERE id = (SELECT "consumerId" FROM new_order) AND deleted_at IS NULL AND suspended_at IS NULL
    FOR SHARE
  ), farmer AS MATERIALIZED (
    SELECT id FROM users
    WHERE id = (SELECT "farmerId" FROM new_order) AND role = 'farmer' AND deleted_at IS NULL
      AND suspended_at IS NULL
      AND (SELECT count(*) FROM consumer) = 1
    FOR KEY SHARE
  ), farm AS MATERIALIZED (
    SELECT ${FARM_TERMS} AS terms FROM farmer_profiles farm
    WHERE user_id = (SELECT "farmerId" FROM new_order) AND (SELECT count(*) FROM farmer) = 1
    FOR SHARE
  ), timer AS MATERIALIZED (
    SELECT timers.key FROM timers
    WHERE timers.key = (SELECT "timerKey" FROM new_order) AND timers.done_at IS NULL
      AND timers.due_at = (SELECT "cutoffAt" FROM new_order) AND (SELECT count(*) FROM farm) = 1
    FOR SHARE
  ), shelf AS MATERIALIZED (
    SELECT p.id, p.stock_milli, ${APPEARANCE} AS appearance
    FROM lock_products(ARRAY(
      SELECT "productId" FROM new_line
      WHERE (SELECT count(*) FROM farmer) = 1 AND (SELECT count(*) FROM timer) <= 1
        AND (SELECT (SELECT terms FROM farm) IS NOT DISTINCT FROM "farmTerms"
               AND COALESCE(statement_timestamp() < "ordersUntil", true) FROM new_order))) AS p
  ), guard AS MATERIALIZED (
    SELECT count(*) = (SELECT count(*) FROM new_line)
       AND count(DISTINCT line."productId") = count(*)
       AND sum(line_cost_minor(line."priceMinor", COALESCE(
             line."pieceMilli"::bigint * line."quantityMilli" / 1000, line."quantityMilli"))) = (SELECT "totalMinor" FROM new_order) AS holds
    FROM new_line line
    JOIN shelf ON shelf.id = line."productId" AND shelf.appearance = line.appearance
      AND shelf.stock_milli >= line."quantityMilli"
  ), slot AS MATERIALIZED (
    SELECT s.id FROM lock_slot((SELECT "slotId" FROM new_order, guard WHERE guard.holds)) AS s
    WHERE s.state = 'open' AND (s.capacity IS NULL OR s.taken < s.capacity)
      AND s.starts_at = (SELECT "startsAt" FROM new_order)
  ), room AS MATERIALIZED (
    SELECT holds AND (SELECT count(*) FROM slot) = (SELECT count("slotId") FROM new_order) AS holds
    FROM guard
  ), claimed AS (
    INSERT INTO commands AS known (user_id, key, request_hash, status, body)
    SELECT consumer.id, key, "requestHash", status, body
    FROM command, consumer, room WHERE room.holds
    ON CONFLICT (user_id, key) DO UPDATE
      SET request_hash = EXCLUDED.request_hash, status = EXCLUDED.status, body = EXCLUDED.body,
          created_at = now()
      WHERE known.created_at < now() - make_interval(hours => (SELECT "validHours" FROM command))
    RETURNING known.user_id
  ), go AS MATERIALIZED (
    SELECT "createdAt" AS at FROM room, new_order
    WHERE holds AND (SELECT count(*) FROM claimed) = (SELECT count(*) FROM command)
  ), moved AS MATERIALIZED (
    SELECT p.id, p.stock_milli, p.version
    FROM go, new_line line, LATERAL change_stock(line."productId", -line."quantityMilli", go.at) AS p
  ), filled AS MATERIALIZED (
    SELECT s.id, s.taken, s.capacity, s.state FROM change_taken((SELECT slot.id FROM go, slot), 1) AS s
  ), placed AS (
    INSERT INTO orders (id, consumer_id, farmer_id, total_minor, payment_method, notes, is_pickup,
      is_area_confirmed, created_at, updated_at, ${HANDOVER_COLUMNS.names})
    SELECT id, "consumerId", "farmerId", "totalMinor", "paymentMethod", notes, "isPickup",
      "isAreaConfirmed", "createdAt", "createdAt", ${HANDOVER_COLUMNS.fields('new_order')}
    FROM new_order, go
    RETURNING id
  ), lines AS (
    INSERT INTO order_lines (order_id, ${LINE_COLUMNS.names})
    SELECT new_order.id, ${LINE_COLUMNS.fields('line')} FROM new_line line, new_order, go
  ), entry AS (
    INSERT INTO order_timeline (order_id, sequence, kind, status, version, by_id, at)
    SELECT id, 1, 'status', 'pending', 1, "consumerId", "createdAt" FROM new_order, go
  ), timed AS (
    INSERT INTO timers (key, kind, due_at, request_id)
    SELECT "timerKey", '${CUTOFF_TIMER}', "cutoffAt", $5 FROM new_order, go
    WHERE "timerKey" IS NOT NULL AND NOT EXISTS (SELECT FROM timer)
    ON CONFLICT (key) DO UPDATE SET kind = EXCLUDED.kind, due_at = EXCLUDED.due_at, done_at = NULL,
      attempts = 0, error = NULL, request_id = EXCLUDED.request_id
  ), events AS (
    INSERT INTO event_outbox (id, name, data, rooms, request_id, command_id, at)
    SELECT event.id, event.name, ${eventData('filled')}, event.rooms, $5, $6::uuid,
           new_order."createdAt"
    FROM go, new_order, ${eventsIn('$4')} ${leftOverJoins('filled')}
    ORDER BY event.place
  )
  SELECT id, (SELECT count(*) FROM moved) AS products, (SELECT count(*) FROM filled) AS slots
  FROM placed`,
};

interface Request {
  input: PlaceOrder;
  consumerId: string;
  key: string | undefined;
  hash: string;
}

/**
 * Places an order: takes the stock of all lines or of none, whoever else buys at the same moment.
 * With a key, a repeat of the same request within {@link IDEMPOTENCY_HOURS} gets the first answer.
 * @throws 400 a past date or one too far ahead, a time that the clock skips, a product twice, a quantity in which it is not sold or too large a total, 403
 *   EMAIL_NOT_VERIFIED where the market asks for it, 404 no
 *   such farm, 409 the farm does not offer it, is closed at that moment or its cut-off has passed, a product
 *   cannot be had, has another price or too little stock, or the key stands for
 *   another order, 503 too many others changed the same things at once
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
  return untilDecided(async () => {
    const state = await readState(run, request);
    const decision = decidePlaceOrder(state, input, hash);
    if ('refusal' in decision) {
      const { refusal } = decision;
      if (refusal === 'OUT_OF_AREA') throw await outOfArea(run, input.farmer, state.farm);
      throw orderRefusal(refusal);
    }
    if ('invalid' in decision) throw invalid(decision.invalid.message, [decision.invalid]);
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
  { at, consumer, farmer, lines, totalMinor, startsAt, slot }: PlacePlan,
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
    version: 1,
    consumer,
    farmer,
    packing: 'none',
    crates: null,
    proposals: [],
    lines: lines.map(({ product, quantityMilli, onShort, preferredProductId }, index) => ({
      ...NEW_LINE,
      id: randomUUID(),
      position: index + 1,
      onShort,
      preferredProductId,
      productId: product.id,
      name: product.name,
      image: product.images[0] ?? null,
      unit: product.unit,
      priceMinor: product.priceMinor,
      quantityMilli,
      // What was ordered is priced by these, whatever becomes of the product.
      pieceMilli: product.pieceMilli,
      pieceMinMilli: product.pieceMinMilli,
      pieceMaxMilli: product.pieceMaxMilli,
    })),
    timeline: [
      {
        sequence: 1,
        kind: 'status',
        status: 'pending',
        at: at.toISOString(),
        reason: null,
        by: consumer,
      },
    ],
  };
}

/** The order's event, the changes of stock by ascending id, then that of its slot. */
function eventsOf(plan: PlacePlan, row: OrderRow, order: Order) {
  const created: NewEvent = { name: 'order.created', data: order, rooms: orderRooms(row) };
  return [
    { ...created, id: randomUUID() },
    ...stockEvents(plan.lines.map(({ product }) => product)),
    ...roomEvents(plan.slot ? [{ slotId: plan.slot.id, farmId: plan.slot.farmId }] : []),
  ];
}
