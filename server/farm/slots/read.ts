import { isBookable } from '#contract/farm/schedule/constants';
import {
  byNearness,
  NEAREST_SLOTS_SHOWN,
  SLOT_RANGE_MAX_DAYS,
} from '#contract/farm/slots/constants';
import type { FarmSlot, NearestSlots, OfferedSlot, SlotsQuery } from '#contract/farm/slots/slots';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import { dayIn, formatDay, wallClockIn } from '#contract/platform/time/constants';
import { formatWallTimes } from '#contract/platform/time/constants/clock';
import type { Transaction } from '../../../prisma/client.ts';
import { AppError, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { type FarmStateRow, maySeeOffer } from '../farmers/policy.ts';
import { type DayRulesRow, dayRulesFields, dayRulesOf } from '../farmers/present.ts';
import { isClosedDay, ordersUntil } from '../schedule/rules.ts';
import { refuseSlot, type SlotOffer, type SlotRefusal } from './policy.ts';
import {
  type Closing,
  presentFarmSlot,
  presentOffered,
  SLOT_ROW,
  SLOT_SOURCE,
  type SlotRow,
} from './present.ts';

/** What of a farm says until when its slots can be ordered for, as {@link CLOSING_ROW} reads it. */
interface ClosingFarm extends DayRulesRow {
  timeZone: string;
}

/** A {@link ClosingFarm} as one JSON value; `farm` names a row of `farmer_profiles`. */
const CLOSING_ROW = `json_build_object('timeZone', farm.time_zone, ${dayRulesFields('farm')})`;

/**
 * Returns a function that says until when a farm's slot can be ordered for, and whether the farm's schedule
 * closes its day. Slots follow the hours of their place, not those of the farm.
 */
export function closingOf(
  farm: ClosingFarm,
): (slot: Pick<SlotRow, 'date' | 'startsAt'>) => Closing {
  const rules = dayRulesOf(farm);
  return ({ date, startsAt }) => {
    const start = new Date(startsAt);
    return {
      closesAt: ordersUntil(rules, date, farm.timeZone, start) ?? start,
      isDayClosed: isClosedDay(rules, date),
    };
  };
}

/** Returns what the rules of a slot decide on. */
export const offerOf = (row: SlotRow, closing: Closing): SlotOffer => ({
  taken: row.taken,
  capacity: row.capacity,
  state: row.state,
  isPlaceActive: row.place.isActive,
  startsAt: new Date(row.startsAt),
  ...closing,
});

/** What was asked for when a slot was refused. */
interface RefusedSlot {
  code: SlotRefusal;
  /** The slot; null when the farm has none of this id. */
  row: SlotRow | null;
  farmId: string;
  timeZone: string;
  now: Date;
  /** How many orders were to go into it. */
  orders?: number;
  /** The field of the request that names the slot. */
  path: string;
}

/** Returns why orders cannot go into a slot, with the nearest free slots to choose from. */
export async function slotRefused(read: ReadStatement, refused: RefusedSlot): Promise<AppError> {
  const { code, row, farmId, orders, path } = refused;
  const near = row ? { startsAt: new Date(row.startsAt), placeId: row.place.id } : undefined;
  const nearest = await nearestSlots(read, farmId, near, orders);
  const reason = reasonOf(refused);
  const data: NearestSlots = { nearest };
  const message = msg('{reason} {advice}', { reason, advice: adviceOf(nearest[0], refused) });
  return new AppError(409, code, message, { errors: [{ path, message: reason }], data });
}

function reasonOf({ code, row, now, timeZone, orders = 1 }: RefusedSlot): Message {
  const day = row ? formatDay(row.date, wallClockIn(timeZone, now).date) : '';
  switch (code) {
    case 'DAY_CLOSED':
      return msg('The farm is closed on {day}.', { day });
    case 'CUTOFF_PASSED':
      return row && new Date(row.startsAt) <= now
        ? msg('This pickup time has begun already.')
        : msg('Orders for {day} are closed.', { day });
    case 'SLOT_CLOSED':
      return msg('This pickup time is no longer offered.');
    case 'SLOT_FULL':
      return msg(
        '{orders, plural, =1 {This pickup time is full.} other {This pickup time has no room for # orders.}}',
        { orders },
      );
  }
}

function adviceOf(nearest: OfferedSlot | undefined, { row, now, timeZone }: RefusedSlot): Message {
  if (!nearest) return msg('Choose another one, or ask the farm.');
  const day = formatDay(nearest.date, wallClockIn(timeZone, now).date);
  const times = formatWallTimes(nearest.from, nearest.to);
  const isElsewhere = row !== null && nearest.place._id !== row.place.id;
  return isElsewhere
    ? msg('The nearest free one is {day}, {times}, at {place}.', {
        day,
        times,
        place: nearest.place.name,
      })
    : msg('The nearest free one is {day}, {times}.', { day, times });
}

/** Slots with room that are looked at for the nearest free ones, on each side. */
const NEAREST_CANDIDATES_MAX = 200;

/** Runs a statement that only reads, alone or within a transaction. */
type ReadStatement = <Row extends object>(
  statement: { name: string; text: string },
  values: readonly unknown[],
) => Promise<Row[]>;

interface FarmAndSlots extends FarmStateRow {
  now: string;
  farm: ClosingFarm;
  slots: SlotRow[];
}

/** Selects a farm's clock, rules and slots; `$1` is the farm. */
const readSlots = (name: string, condition: string) => ({
  name,
  text: `SELECT to_json(now()) AS now, ${CLOSING_ROW} AS farm, farm.approved_at AS "approvedAt",
      farmer.suspended_at AS "suspendedAt",
      COALESCE((SELECT json_agg(slot.row ORDER BY slot.date, slot.from_time, slot.name COLLATE "by_name", slot.id)
        FROM (
          SELECT s.date, s.from_time, place.name, s.id, ${SLOT_ROW} AS row FROM ${SLOT_SOURCE}
          WHERE s.farm_id = $1::uuid AND ${condition}
        ) AS slot), '[]') AS slots
    FROM farmer_profiles farm JOIN users farmer ON farmer.id = farm.user_id
    WHERE farm.user_id = $1::uuid AND farmer.deleted_at IS NULL`,
});

const AFTER_FIRST = SLOT_RANGE_MAX_DAYS - 1;
const FIRST = `COALESCE($2::date, $3::date - ${AFTER_FIRST}, (now() AT TIME ZONE farm.time_zone)::date)`;
/** The days $2 to $3, as many as one call may ask for where they are not given. */
const ON_DAYS = `s.date BETWEEN ${FIRST} AND COALESCE($3::date, ${FIRST} + ${AFTER_FIRST})`;

const IS_OFFERED = `place.is_active AND place.removed_at IS NULL AND s.state <> 'cancelled'`;

const OFFERED = readSlots(
  'read_offered_slots',
  `${ON_DAYS} AND s.starts_at > now() AND ${IS_OFFERED}`,
);

// What is no longer offered is shown for the orders that it has.
const OWN = readSlots('read_farm_slots', `${ON_DAYS} AND (${IS_OFFERED} OR s.taken > 0)`);

/**
 * Lists the slots that a farm offers on some days and that have not begun; days on which the farm is closed, and those
 * further ahead than it takes orders, have none.
 * @throws 404 no such farm, or its slots are not this user's to see
 */
export async function listOfferedSlots(
  { pool }: Platform,
  farmId: string,
  { from, to }: SlotsQuery,
  user: SessionUser | null,
): Promise<OfferedSlot[]> {
  const { rows } = await pool.query<FarmAndSlots>({
    ...OFFERED,
    values: [farmId, from ?? null, to ?? null],
  });
  const [found] = rows;
  if (!found || !maySeeOffer(user, { ...found, userId: farmId })) {
    throw notFound(msg('Farmer not found'));
  }
  const closing = closingOf(found.farm);
  return found.slots.flatMap((row) => {
    const { closesAt, isDayClosed } = closing(row);
    const isOffered = !isDayClosed && isNear(found, row);
    return isOffered ? [presentOffered(row, { closesAt, isDayClosed })] : [];
  });
}

/** Returns whether a slot is no further ahead than its farm takes orders. */
const isNear = ({ now, farm }: Pick<FarmAndSlots, 'now' | 'farm'>, { date }: SlotRow): boolean =>
  isBookable(dayRulesOf(farm), date, dayIn(farm.timeZone, new Date(now)));

/** Lists all slots of a farm on some days, with what is taken. @throws 404 no such farm */
export async function listFarmSlots(
  { pool }: Platform,
  farmId: string,
  { from, to }: SlotsQuery,
): Promise<FarmSlot[]> {
  const { rows } = await pool.query<FarmAndSlots>({
    ...OWN,
    values: [farmId, from ?? null, to ?? null],
  });
  const [found] = rows;
  if (!found) throw notFound(msg('Farmer not found'));
  const closing = closingOf(found.farm);
  return found.slots.map((row) => presentFarmSlot(row, closing(row)));
}

/** Those of `near` and its `place` that most likely take $3 more orders; {@link refuseSlot} decides. */
const HAS_ROOM = `near.farm_id = $1::uuid AND near.starts_at > now() AND near.state = 'open'
  AND place.is_active AND place.removed_at IS NULL
  AND (near.capacity IS NULL OR near.taken + $3::int <= near.capacity)
  AND near.date <> ALL (farm.closed_days)
  AND COALESCE((near.date - farm.cutoff_days_before + farm.cutoff_time::time)
    AT TIME ZONE farm.time_zone > now(), true)`;
const NEAR = 'SELECT near.id FROM slots near JOIN places place ON place.id = near.place_id';

// $1 the farm, $2 the instant that the slots are to be near, null for now, $3 how many orders they are for, $4 the
// place.
const NEAREST = readSlots(
  'read_nearest_slots',
  `s.id IN (
      (${NEAR} WHERE ${HAS_ROOM} AND near.starts_at >= COALESCE($2::timestamptz, now())
         ORDER BY near.place_id IS DISTINCT FROM $4::uuid, near.starts_at LIMIT ${NEAREST_CANDIDATES_MAX})
      UNION ALL
      (${NEAR} WHERE ${HAS_ROOM} AND near.starts_at < COALESCE($2::timestamptz, now())
         ORDER BY near.place_id IS DISTINCT FROM $4::uuid, near.starts_at DESC LIMIT ${NEAREST_CANDIDATES_MAX}))
    AND ${IS_OFFERED}`,
);

/**
 * Returns the free slots of a farm that are nearest to another one, as {@link byNearness} has it.
 * @param near what to be near to; now, at any place, without it
 */
async function nearestSlots(
  read: ReadStatement,
  farmId: string,
  near: { startsAt: Date; placeId: string } | undefined,
  orders = 1,
): Promise<OfferedSlot[]> {
  const values = [farmId, near?.startsAt.toISOString() ?? null, orders, near?.placeId ?? null];
  const [found] = await read<FarmAndSlots>(NEAREST, values);
  if (!found) return [];
  const startsAt = near?.startsAt.toISOString() ?? found.now;
  const closing = closingOf(found.farm);
  const now = new Date(found.now);
  return found.slots
    .filter((row) => isNear(found, row) && !refuseSlot(offerOf(row, closing(row)), now, { orders }))
    .map((row) => presentOffered(row, closing(row)))
    .sort(byNearness({ startsAt, place: near && { _id: near.placeId } }))
    .slice(0, NEAREST_SLOTS_SHOWN);
}

/** A slot with what of its farm says until when it can be ordered for. */
export interface SlotWithFarm {
  row: SlotRow;
  farm: ClosingFarm;
  now: Date;
}

/**
 * Locks slots by ascending id until the transaction ends, and reads them. Call it after orders and products
 * are locked.
 * @returns those that exist, by id
 */
export async function lockSlots(
  tx: Transaction,
  ids: readonly string[],
): Promise<Map<string, SlotWithFarm>> {
  await tx.$queryRawUnsafe(
    'SELECT id FROM slots WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE',
    [...new Set(ids)],
  );
  // A separate statement, so that it sees what was committed while waiting for the locks.
  const rows = await tx.$queryRawUnsafe<{ row: SlotRow; farm: ClosingFarm; now: Date }[]>(
    `SELECT ${SLOT_ROW} AS row, ${CLOSING_ROW} AS farm, clock_timestamp() AS now
     FROM ${SLOT_SOURCE} JOIN farmer_profiles farm ON farm.user_id = s.farm_id
     WHERE s.id = ANY ($1::uuid[])`,
    [...new Set(ids)],
  );
  return new Map(rows.map((each) => [each.row.id, each]));
}
