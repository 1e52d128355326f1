import { isDeepStrictEqual } from 'node:util';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { PLACES_MAX } from '#contract/farm/places/constants';
import type { CreatePlace, Place, PlaceHours, UpdatePlace } from '#contract/farm/places/places';
import { room } from '#contract/platform/events/constants';
import { OPEN_STATUSES } from '#contract/platform/orders/constants';
import { sortByName } from '#contract/platform/text/constants/names';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { FarmerProfile } from '../../../prisma/generated/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict, notFound, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { defined, transact } from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';
import { toPositionRow } from '../farmers/present.ts';
import { lockFarmProfile } from '../farmers/service.ts';
import { placeChanged, remakeSlots, setNextDay } from '../slots/service.ts';
import {
  type PlaceRow,
  placeColumnsOf,
  placeInclude,
  presentPlace,
  presentPublicPlace,
  readOfferedPlaces,
} from './present.ts';

/** Milliseconds; a place with short slots has thousands of them. */
const TIMES_MS = { maxWait: 15_000, timeout: 30_000 };

/** Lists the pickup places of the caller's farm, by name. @throws 403 who works for no farm */
export async function listPlaces({ db }: Platform, user: SessionUser): Promise<Place[]> {
  const rows = await db.place.findMany({
    where: { farmId: actingFarm(user), removedAt: null },
    include: placeInclude,
    orderBy: { id: 'asc' },
  });
  return sortByName(rows.map(presentPlace), ({ name }) => name);
}

/**
 * Adds a pickup place, and the slots that its hours make.
 * @throws 401 the account was just deleted, 403 not within the caller's role, 404 no such farm, 409
 *   PLACE_LIMIT_REACHED
 */
export async function createPlace(
  platform: Platform,
  user: SessionUser,
  { address, hours, position, ...fields }: CreatePlace,
): Promise<Place> {
  return changing(platform, user, async (tx, farm) => {
    const count = await tx.place.count({ where: { farmId: farm.userId, removedAt: null } });
    if (count >= PLACES_MAX) {
      throw conflict(
        'PLACE_LIMIT_REACHED',
        msg('A farm can have at most {max} pickup places. Remove one first.', { max: PLACES_MAX }),
      );
    }
    const row = await tx.place.create({
      data: {
        farmId: farm.userId,
        ...fields,
        ...address,
        ...toPositionRow(position),
        hours: { create: hoursToRows(hours) },
      },
      include: placeInclude,
    });
    await remakeSlots(tx, row, farm.timeZone);
    return row;
  });
}

/**
 * Changes the given fields of a pickup place. New hours rebuild its slots; slots with orders stay.
 * @throws 401 the account was just deleted, 403 not within the caller's role, 404 not a place of this farm,
 *   409 VERSION_CONFLICT
 */
export async function updatePlace(
  platform: Platform,
  user: SessionUser,
  id: string,
  { address, hours, position, expectedVersion, ...fields }: UpdatePlace,
): Promise<Place> {
  return changing(platform, user, async (tx, farm) => {
    const before = await findPlace(tx, farm.userId, id);
    await requireVersion(expectedVersion, before.version, () => presentPlace(before));
    const rows = hours && hoursToRows(hours);
    const row = await tx.place.update({
      where: { id },
      data: {
        ...defined(fields),
        ...address,
        ...toPositionRow(position),
        version: { increment: 1 },
        ...(rows ? { hours: { deleteMany: {}, create: rows } } : {}),
      },
      include: placeInclude,
    });
    const isSame = isDeepStrictEqual(rows, hoursToRows(presentPlace(before).hours));
    if (rows && !isSame) await remakeSlots(tx, row, farm.timeZone);
    return row;
  });
}

/**
 * Removes a pickup place. Its slots of past orders stay.
 * @throws 401 the account was just deleted, 403 not within the caller's role, 404 not a place of this farm,
 *   409 PLACE_HAS_ORDERS open orders are still to be picked up there
 */
export async function removePlace(
  platform: Platform,
  user: SessionUser,
  id: string,
): Promise<void> {
  await changing(platform, user, async (tx, farm) => {
    await findPlace(tx, farm.userId, id);
    // Without hours it has no slots but those of orders. The farm's row keeps new orders away.
    await tx.placeHours.deleteMany({ where: { placeId: id } });
    await remakeSlots(tx, { id, hours: [] }, farm.timeZone);
    const open = await countOpenOrders(tx, id);
    if (open > 0) {
      throw conflict(
        'PLACE_HAS_ORDERS',
        msg(
          '{count, plural, one {One open order is to be picked up here. Move it to another time first.} other {# open orders are to be picked up here. Move them to another time first.}}',
          { count: open },
        ),
      );
    }
    return tx.place.update({
      where: { id },
      data: { removedAt: await readClock(tx), isActive: false, version: { increment: 1 } },
      include: placeInclude,
    });
  });
}

/**
 * Makes one change of a farm's places with the farm's row locked, so that no order relies on places that
 * change, and records its event.
 */
async function changing(
  platform: Platform,
  user: SessionUser,
  change: (tx: Transaction, farm: FarmerProfile) => Promise<PlaceRow>,
): Promise<Place> {
  const farmId = actingFarm(user);
  const work = async (tx: Transaction) => {
    await lockWorker(tx, user);
    const farm = await lockFarmProfile(tx, farmId);
    const before = await readOfferedPlaces(tx, farmId);
    const row = await change(tx, farm);
    const offered = await readOfferedPlaces(tx, farmId);
    await tx.farmerProfile.update({
      where: { userId: farmId },
      data: { ...placeColumnsOf(offered), placesVersion: { increment: 1 } },
      select: { userId: true },
    });
    if (row.hours.length > 0) await setNextDay(tx, farmId, farm.timeZone);
    await record(tx, placeChanged(farmId, row.id));
    // Its page shows them, and all cards and products where and when one can pick up.
    const isSame = isDeepStrictEqual(
      before.map(presentPublicPlace),
      offered.map(presentPublicPlace),
    );
    if (!isSame) {
      await record(tx, { name: 'farmer.updated', data: { _id: farmId }, rooms: [room.everyone] });
    }
    return presentPlace(row);
  };
  return transact(platform.db, work, TIMES_MS);
}

async function findPlace(tx: Transaction, farmId: string, id: string): Promise<PlaceRow> {
  const row = await tx.place.findFirst({
    where: { id, farmId, removedAt: null },
    include: placeInclude,
  });
  if (!row) throw notFound(msg('Place not found'));
  return row;
}

async function countOpenOrders(tx: Transaction, placeId: string): Promise<number> {
  return tx.order.count({
    where: {
      status: { in: [...OPEN_STATUSES] },
      slot: { placeId, endsAt: { gt: await readClock(tx) } },
    },
  });
}

/** Returns hours as they are stored, by weekday and time. */
const hoursToRows = (hours: readonly PlaceHours[]) =>
  hours
    .map(({ weekday, ...rest }) => ({ weekday: WEEKDAYS.indexOf(weekday), ...rest }))
    .sort((one, other) => one.weekday - other.weekday || (one.from < other.from ? -1 : 1));
