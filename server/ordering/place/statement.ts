import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Transaction } from '../../../prisma/client.ts';
import { PRODUCT_HASH, SHELF_ROW } from '../../catalogue/stock/stock-events.ts';
import { dayRulesFields } from '../../farm/farmers/present.ts';
import { CUTOFF_TIMER } from '../../farm/schedule/rules.ts';
import { SLOT_ROW, SLOT_SOURCE, slotLoad } from '../../farm/slots/present.ts';
import { unavailable } from '../../platform/http/errors.ts';
import { retryConflicts } from '../../platform/stores/postgres.ts';
import { HANDOVER_COLUMNS, LINE_COLUMNS } from '../model/columns.ts';
import { contactRow, FARMER_ROW } from '../model/present.ts';

/** A statement whose plan each connection keeps under its name. */
interface Statement {
  name: string;
  text: string;
}

/** Runs one statement, alone or within a transaction. */
export type Run = <Row extends object>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<Row[]>;

/** Runs each statement as a transaction of its own, again when it lost against another one. */
export const runAlone =
  (pool: pg.Pool): Run =>
  <Row extends object>(statement: Statement, values: readonly unknown[]) =>
    retryConflicts(async () => (await pool.query<Row>({ ...statement, values: [...values] })).rows);

/** Runs statements within a transaction of Prisma's. */
export const runWithin =
  (tx: Transaction): Run =>
  ({ text }, values) =>
    tx.$queryRawUnsafe(text, ...values);

const ATTEMPTS_MAX = 8;
const PAUSE_MS = 15;

/**
 * Asks `attempt` (reading, deciding and writing once) until it has an outcome. It has none when what it
 * had read was no longer true when it wrote; then nothing was written.
 * @throws 503 when others were quicker every time
 */
export async function retryOnConflict<Outcome extends object>(
  attempt: (tries: number) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  for (let tries = 1; tries <= ATTEMPTS_MAX; tries++) {
    const outcome = await attempt(tries);
    if (outcome) return outcome;
    if (tries > 1) await sleep(Math.random() * PAUSE_MS * 2 ** tries);
  }
  throw unavailable();
}

/** A hash of everything that the decision relies on of a farm's profile (`farm`) and its places. */
const FARM_RULES_HASH = `md5(ROW(farm.accepts_pickup, farm.accepts_delivery, farm.delivery_areas,
  farm.time_zone, farm.business_hours, farm.cutoff_days_before, farm.cutoff_time, farm.closed_days,
  farm.bookable_days, farm.places_version, farm.approved_at IS NULL, farm.paused_until)::text)`;

const BUYER_ROW = contactRow(
  'consumer',
  `, 'suspendedAt', consumer.suspended_at, 'emailVerifiedAt', consumer.email_verified_at,
    'onShortDefault', consumer.on_short_default`,
);

// The ids come out of a sub-select: of a parameter Postgres would count the entries, and make a plan of
// its own for every order because of it.
export const READ = {
  name: 'read_for_placing',
  text: `SELECT
    to_json(clock_timestamp()) AS now,
    (SELECT ${BUYER_ROW} FROM users consumer WHERE consumer.id = $1::uuid) AS consumer,
    (SELECT json_build_object('requestHash', request_hash, 'body', body) FROM commands
      WHERE user_id = $1::uuid AND key = $4
        AND created_at >= now() - make_interval(hours => $5::int)) AS command,
    seller.row AS farmer,
    seller.farm AS farm,
    (SELECT COALESCE(json_agg(${SHELF_ROW}), '[]')
      FROM products p WHERE p.id = ANY (ARRAY(SELECT unnest($3::uuid[])))) AS products,
    (SELECT ${SLOT_ROW} FROM ${SLOT_SOURCE} WHERE s.id = $6::uuid AND s.farm_id = $2::uuid) AS slot
  FROM (VALUES (true)) AS one
  LEFT JOIN LATERAL (
    SELECT ${FARMER_ROW} AS row,
           CASE WHEN farm.user_id IS NOT NULL THEN json_build_object(
             'acceptsPickup', farm.accepts_pickup, 'acceptsDelivery', farm.accepts_delivery,
             'deliveryAreas', farm.delivery_areas, 'timeZone', farm.time_zone,
             'address', json_build_object('street', farmer.street, 'city', farmer.city, 'state', farmer.state,
               'zipCode', farmer.zip_code), 'farmName', farm.farm_name,
             'hasSlots', farm.has_slots, 'approvedAt', farm.approved_at,
             'pausedUntil', farm.paused_until, 'terms', ${FARM_RULES_HASH}, ${dayRulesFields('farm')}
           ) END AS farm
    FROM users farmer LEFT JOIN farmer_profiles farm ON farm.user_id = farmer.id
    WHERE farmer.id = $2::uuid
  ) AS seller ON true`,
};

// $1 the order, $2 its lines, $3 the command (or none), $4 the events, with `productId` where it puts in the stock that
// the order leaves, and `slotId` where the room, $5 the request's id, $6 the command's id. The timer of the day's
// cut-off is held in shared mode: orders do not wait for each other, and the worker that runs it sees this order, or
// the order finds it done and sets it again. Each step is bound to the one before it by a condition, so that locks are
// taken in this order. Without a row in `go` nothing is written. The key is claimed last: who holds it waits for no
// other lock. What many orders change at once, products and slots, is locked and changed by functions:
// `prisma/sql/changed_rows.sql` says why. What they are called with comes from the steps before them, so that none is
// called too early; their rows are counted in the end, so that none is left out.
export const WRITE = {
  name: 'write_placed_order',
  text: `WITH new_order AS MATERIALIZED (
    SELECT * FROM json_to_record($1::json) AS (
      id uuid, "consumerId" uuid, "farmerId" uuid, "totalMinor" bigint, "paymentMethod" "PaymentMethod",
      notes text, "isPickup" boolean, "isAreaConfirmed" boolean,
      "isOwnPlace" boolean, "isAreaOpen" boolean, "createdAt" timestamptz(3),
      "farmTerms" text, "ordersUntil" timestamptz(3), "cutoffAt" timestamptz(3), "timerKey" text,
      ${HANDOVER_COLUMNS.types})
  ), new_line AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS (${LINE_COLUMNS.types}, appearance text, "takenMilli" bigint)
  ), wanted AS MATERIALIZED (
    SELECT "productId" AS id, appearance, sum("takenMilli") AS milli FROM new_line GROUP BY 1, 2
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
    SELECT ${FARM_RULES_HASH} AS terms FROM farmer_profiles farm
    WHERE user_id = (SELECT "farmerId" FROM new_order) AND (SELECT count(*) FROM farmer) = 1
    FOR SHARE
  ), timer AS MATERIALIZED (
    SELECT timers.key FROM timers
    WHERE timers.key = (SELECT "timerKey" FROM new_order) AND timers.done_at IS NULL
      AND timers.due_at = (SELECT "cutoffAt" FROM new_order) AND (SELECT count(*) FROM farm) = 1
    FOR SHARE
  ), shelf AS MATERIALIZED (
    SELECT p.id, p.stock_milli, ${PRODUCT_HASH} AS appearance
    FROM lock_products(ARRAY(
      SELECT "productId" FROM new_line
      WHERE (SELECT count(*) FROM farmer) = 1 AND (SELECT count(*) FROM timer) <= 1
        AND (SELECT (SELECT terms FROM farm) IS NOT DISTINCT FROM "farmTerms"
               AND COALESCE(statement_timestamp() < "ordersUntil", true) FROM new_order))) AS p
  ), guard AS MATERIALIZED (
    SELECT count(*) = (SELECT count(DISTINCT "productId") FROM new_line)
       AND (SELECT count(DISTINCT ("productId", "sizeId")) = count(*)
              AND sum(line_cost_minor("priceMinor", COALESCE(
                "pieceMilli"::bigint * "quantityMilli" / 1000, "quantityMilli"))) =
                (SELECT "totalMinor" FROM new_order)
            FROM new_line) AS holds
    FROM wanted
    JOIN shelf ON shelf.id = wanted.id AND shelf.appearance = wanted.appearance
      AND shelf.stock_milli >= wanted.milli
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
    FROM go, wanted, LATERAL change_stock(wanted.id, -wanted.milli::bigint, go.at) AS p
    WHERE wanted.milli > 0
  ), filled AS MATERIALIZED (
    SELECT s.id, s.taken, s.capacity, s.state FROM change_taken((SELECT slot.id FROM go, slot), 1) AS s
  ), placed AS (
    INSERT INTO orders (id, consumer_id, farmer_id, total_minor, payment_method, notes, is_pickup,
      is_area_confirmed, is_own_place, is_area_open, created_at, updated_at, ${HANDOVER_COLUMNS.names})
    SELECT id, "consumerId", "farmerId", "totalMinor", "paymentMethod", notes, "isPickup",
      "isAreaConfirmed", "isOwnPlace", "isAreaOpen", "createdAt", "createdAt", ${HANDOVER_COLUMNS.fields('new_order')}
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
    SELECT event.id, event.name, CASE
      WHEN moved.id IS NOT NULL THEN (event.data::jsonb || jsonb_build_object(
        'quantityAvailable', wire_quantity(moved.stock_milli), 'version', moved.version))::json
      WHEN filled.id IS NOT NULL THEN (event.data::jsonb || ${slotLoad('filled')})::json
      ELSE event.data
    END, event.rooms, $5, $6::uuid, new_order."createdAt"
    FROM go, new_order, ROWS FROM (json_to_recordset($4::json) AS (
      id uuid, name text, data json, rooms text[], "productId" uuid, "slotId" uuid
    )) WITH ORDINALITY AS event (id, name, data, rooms, "productId", "slotId", place)
    LEFT JOIN moved ON moved.id = event."productId" LEFT JOIN filled ON filled.id = event."slotId"
    ORDER BY event.place
  )
  SELECT id, (SELECT count(*) FROM moved) AS products, (SELECT count(*) FROM filled) AS slots
  FROM placed`,
};
