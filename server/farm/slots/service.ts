import { SLOT_DAYS_AHEAD } from '#contract/farm/slots/constants';
import type { FarmSlot, UpdateSlot } from '#contract/farm/slots/slots';
import { room } from '#contract/platform/events/constants';
import { msg } from '#contract/platform/text/constants/texts';
import { addDays, dayIn } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { setTimer } from '../../platform/stores/timers.ts';
import { instantOf, readClock } from '../../platform/time/clock.ts';
import { type Hours, type SlotTimes, shownIn, slotsOf } from './policy.ts';
import { presentFarmSlot, slotUpdated } from './present.ts';
import { closingOf, lockSlots } from './read.ts';

// What other features use of slots.

/**
 * Changes how many orders a slot takes, or closes or opens it. A capacity below what is taken throws nobody
 * out.
 * @throws 401 the account was just deleted, 403 not within the caller's role, 404 not a slot of this farm,
 *   409 SLOT_OVER or SLOT_CANCELLED
 */
export async function updateSlot(
  platform: Platform,
  user: SessionUser,
  id: string,
  { capacity, state }: UpdateSlot,
): Promise<FarmSlot> {
  const farmId = actingFarm(user);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const found = (await lockSlots(tx, [id])).get(id);
    if (found?.row.farmId !== farmId) throw notFound(msg('Slot not found'));
    const { row, farm, now } = found;
    if (new Date(row.endsAt) <= now) {
      throw conflict('SLOT_OVER', msg("This pickup time is over, so it can't be changed."));
    }
    if (row.state === 'cancelled') {
      throw conflict(
        'SLOT_CANCELLED',
        msg("This time is no longer in the place's hours. Change the hours, or move its orders."),
      );
    }
    const changed = {
      ...row,
      capacity: capacity === undefined ? row.capacity : capacity,
      state: state ?? row.state,
    };
    if (changed.capacity !== row.capacity || changed.state !== row.state) {
      await tx.slot.update({
        where: { id },
        data: {
          state: changed.state,
          capacity: changed.capacity,
          ...(changed.capacity === row.capacity ? {} : { hasOwnCapacity: true }),
        },
        select: { id: true },
      });
      await record(tx, slotUpdated(changed));
    }
    return presentFarmSlot(changed, closingOf(farm)(row));
  });
}

/** Days after which slots that nobody ordered for are cleared. */
const KEPT_DAYS = 30;

/** The slots that hours make, as a parameter of the statements below. */
const WANTED = `wanted AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS (
      date date, "from" text, "to" text, "startsAt" timestamptz(3), "endsAt" timestamptz(3),
      capacity int))`;

const INSERT = `INSERT INTO slots (farm_id, place_id, date, from_time, to_time, starts_at, ends_at, capacity)
  SELECT place.farm_id, place.id, date, "from", "to", "startsAt", "endsAt", capacity
  FROM wanted, places place WHERE place.id = $1::uuid AND "startsAt" > now()
  ON CONFLICT (place_id, date, from_time, to_time) DO NOTHING`;

// $1 the place, $2 the slots that its hours make.
const ADD = `WITH ${WANTED} ${INSERT}`;

// All slots that have not begun, locked by ascending id, as orders lock them.
const LOCK = `SELECT count(*) FROM (
  SELECT FROM slots WHERE place_id = $1::uuid AND starts_at > now() ORDER BY id FOR UPDATE) AS locked`;

// What is wanted again is offered again; without orders it also gets the capacity of the hours, unless the
// farm gave it one of its own.
const KEEP = `WITH ${WANTED}
  UPDATE slots s
  SET state = CASE WHEN s.state = 'cancelled' THEN 'open' ELSE s.state END,
      capacity = CASE WHEN s.taken = 0 AND NOT s.has_own_capacity THEN wanted.capacity ELSE s.capacity END
  FROM wanted
  WHERE s.place_id = $1::uuid AND s.date = wanted.date AND s.from_time = wanted."from"
    AND s.to_time = wanted."to" AND s.starts_at > now()`;

// What is no longer wanted goes, unless an order refers to it: then it takes no more.
const DROP = `WITH ${WANTED}, unwanted AS MATERIALIZED (
    SELECT s.id, s.taken, s.state,
      EXISTS (SELECT FROM orders o WHERE o.slot_id = s.id) AS "hasOrders"
    FROM slots s
    WHERE s.place_id = $1::uuid AND s.starts_at > now() AND NOT EXISTS (
      SELECT FROM wanted WHERE wanted.date = s.date AND wanted."from" = s.from_time
        AND wanted."to" = s.to_time)
  ), kept AS (
    UPDATE slots s SET state = 'cancelled' FROM unwanted
    WHERE s.id = unwanted.id AND unwanted."hasOrders"
      AND NOT (unwanted.state = 'closed' AND unwanted.taken > 0)
  )
  DELETE FROM slots s USING unwanted WHERE s.id = unwanted.id AND NOT unwanted."hasOrders"`;

const READ_HOURS = `SELECT place.id,
    COALESCE(json_agg(json_build_object(
      'weekday', hours.weekday, 'from', hours.from_time, 'to', hours.to_time,
      'slotMinutes', hours.slot_minutes, 'capacity', hours.capacity
    ) ORDER BY hours.weekday, hours.from_time) FILTER (WHERE hours.id IS NOT NULL), '[]') AS hours
  FROM places place LEFT JOIN place_hours hours ON hours.place_id = place.id
  WHERE place.farm_id = $1::uuid AND place.removed_at IS NULL
  GROUP BY place.id ORDER BY place.id`;

/** Returns the event of a changed place. */
export const placeChanged = (farmId: string, placeId: string): NewEvent => ({
  name: 'place.changed',
  data: { _id: placeId, farmId },
  rooms: [room.farm(farmId), room.farmWatchers(farmId)],
});

async function wantedOf(tx: Transaction, hours: readonly Hours[], timeZone: string) {
  const first = dayIn(timeZone, await readClock(tx));
  const wanted: SlotTimes[] = slotsOf(hours, { first, days: SLOT_DAYS_AHEAD }, timeZone);
  return JSON.stringify(wanted);
}

/**
 * Rebuilds the slots of a place from its hours. Slots with orders stay as they are; those
 * that the hours no longer have take no more. Call it with the farm's row locked.
 */
export async function remakeSlots(
  tx: Transaction,
  place: { id: string; hours: readonly Hours[] },
  timeZone: string,
): Promise<void> {
  const wanted = await wantedOf(tx, place.hours, timeZone);
  await tx.$queryRawUnsafe(LOCK, place.id);
  await tx.$executeRawUnsafe(KEEP, place.id, wanted);
  await tx.$executeRawUnsafe(DROP, place.id, wanted);
  await tx.$executeRawUnsafe(ADD, place.id, wanted);
}

/** Sets the timer that makes the slots of the farm's next day, just after midnight there. */
export async function setNextDay(tx: Transaction, farmId: string, timeZone: string): Promise<void> {
  const date = addDays(dayIn(timeZone, await readClock(tx)), 1);
  await setTimer(tx, {
    kind: 'slots.nextDay',
    key: `slots.nextDay:${farmId}`,
    dueAt: instantOf({ date }, timeZone),
  });
}

/**
 * Makes the slots that a farm's places have come to lack as days go by, and clears old ones that nobody
 * ordered for. Each of its places that got new ones has an event. Changes nothing that is there.
 */
export async function addNextSlots(tx: Transaction, farmId: string): Promise<void> {
  // The places' hours stay as they are meanwhile; orders go on.
  const [farm] = await tx.$queryRawUnsafe<{ timeZone: string }[]>(
    `SELECT time_zone AS "timeZone" FROM farmer_profiles WHERE user_id = $1::uuid FOR SHARE`,
    farmId,
  );
  if (!farm) return;
  const places = await tx.$queryRawUnsafe<{ id: string; hours: Hours[] }[]>(READ_HOURS, farmId);
  for (const { id, hours } of places) {
    const added = await tx.$executeRawUnsafe(ADD, id, await wantedOf(tx, hours, farm.timeZone));
    if (added > 0) await record(tx, placeChanged(farmId, id));
  }
  await tx.$executeRaw`
    DELETE FROM slots s
    WHERE s.farm_id = ${farmId}::uuid AND s.ends_at < now() - make_interval(days => ${KEPT_DAYS})
      AND NOT EXISTS (SELECT FROM orders o WHERE o.slot_id = s.id)`;
  if (places.some(({ hours }) => hours.length > 0)) await setNextDay(tx, farmId, farm.timeZone);
}

interface FutureSlot {
  id: string;
  placeId: string;
  date: string;
  from: string;
  to: string;
}

const keyOf = ({ placeId, date, from, to }: Omit<FutureSlot, 'id'>): string =>
  [placeId, date, from, to].join(' ');

/**
 * Returns the slots as the clock of a new time zone shows them. One that it skips gets the times that it shows instead,
 * unless its place has such a slot: then it keeps its name, as one that is no longer offered.
 */
function movedTo(slots: readonly FutureSlot[], timeZone: string) {
  const keys = new Set(slots.map(keyOf));
  return slots.map(({ id, placeId, date, from, to }) => {
    const shown = shownIn(timeZone, { date, from, to });
    const named = { placeId, date: shown.date, from: shown.from, to: shown.to ?? to };
    const isFree = named.from < named.to && !keys.has(keyOf(named));
    if (isFree) keys.add(keyOf(named));
    const { startsAt, endsAt } = shown;
    return { id, startsAt, endsAt, ...(isFree ? named : { placeId, date, from, to }) };
  });
}

/**
 * Gives the slots to come of farms the instants that their dates and times have in a new time zone. Call it in
 * the transaction that changes the zone, with the farms' rows and their open orders locked.
 */
export async function moveSlots(
  tx: Transaction,
  farmIds: string | readonly string[],
  timeZone: string,
): Promise<void> {
  for (const farmId of [farmIds].flat()) {
    const slots = await tx.$queryRawUnsafe<FutureSlot[]>(
      `SELECT id, place_id AS "placeId", to_char(date, 'YYYY-MM-DD') AS date, from_time AS "from", to_time AS "to"
       FROM slots WHERE farm_id = $1::uuid AND ends_at > now() ORDER BY id FOR UPDATE`,
      farmId,
    );
    await tx.$executeRawUnsafe(
      `UPDATE slots s SET date = move.date, from_time = move."from", to_time = move."to",
         starts_at = move."startsAt", ends_at = move."endsAt"
       FROM json_to_recordset($1::json) AS move (
         id uuid, date date, "from" text, "to" text, "startsAt" timestamptz(3), "endsAt" timestamptz(3))
       WHERE s.id = move.id`,
      JSON.stringify(movedTo(slots, timeZone)),
    );
    const places = await tx.$queryRawUnsafe<{ id: string; hours: Hours[] }[]>(READ_HOURS, farmId);
    for (const place of places) {
      // The night that skips an hour is another one now.
      await remakeSlots(tx, place, timeZone);
      await record(tx, placeChanged(farmId, place.id));
    }
    if (places.length > 0) await setNextDay(tx, farmId, timeZone);
  }
}
