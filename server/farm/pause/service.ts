import type { FarmPause, PauseFarm } from '#contract/farm/pause/pause';
import { room } from '#contract/platform/events/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { FarmerProfile } from '../../../prisma/generated/client.ts';
import { personSelect, presentPerson } from '../../people/users/present.ts';
import { record } from '../../platform/events/event-log.ts';
import { invalidField, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { setTimer } from '../../platform/stores/timers.ts';
import { readClock } from '../../platform/time/clock.ts';
import { presentHandoff } from '../farmers/present.ts';
import { lockFarmProfile } from '../farmers/service.ts';
import { decideEnd, type PausingFarm, pausedUntilOf } from './policy.ts';

/** The kind of the timers that end pauses. */
const RESUME_TIMER = 'farm.resume';

/** Returns whether the caller's farm takes orders. @throws 403 who works for no farm, 404 no such farm */
export const readPause = ({ db }: Platform, user: SessionUser): Promise<FarmPause> =>
  readPauseOf(db, actingFarm(user));

/**
 * Lets the caller's farm take no orders for a while. Paused again, it gets the new end and note.
 * @throws 400 an end that is over, too far ahead or skipped by the farm's clock; 401 the account was just deleted;
 *   403 not within the caller's role; 404 no such farm
 */
export async function pauseFarm(
  platform: Platform,
  user: SessionUser,
  { until, note }: PauseFarm,
): Promise<FarmPause> {
  const farmId = actingFarm(user);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const farm = await lockFarmProfile(tx, farmId);
    const now = await readClock(tx);
    const decision = decideEnd(pausingOf(farm), until, now);
    if ('refusal' in decision) throw invalidField('until', decision.refusal);
    const pause = { until: decision.until, note: note || null, byId: user.id };
    if (!isSame(farm, pause, now)) await writePause(tx, farm, pause, now);
    return readPauseOf(tx, farmId);
  });
}

/**
 * Lets the caller's farm take orders again; one that takes them stays as it is.
 * @throws 401 the account was just deleted, 403 not within the caller's role, 404 no such farm
 */
export async function resumeFarm(platform: Platform, user: SessionUser): Promise<FarmPause> {
  const farmId = actingFarm(user);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const farm = await lockFarmProfile(tx, farmId);
    if (farm.pausedUntil) await clearPause(tx, farmId);
    return readPauseOf(tx, farmId);
  });
}

/**
 * Pauses a farm on behalf of the market until it opens next, because nobody there answers. Does nothing where it is
 * paused. It locks the farm, which commands lock before orders: a caller that holds locks of orders may be retried.
 * @returns whether it was paused by this
 */
export async function pauseByItself(tx: Transaction, farmId: string): Promise<boolean> {
  const farm = await lockFarmProfile(tx, farmId);
  const now = await readClock(tx);
  if (pausedUntilOf(farm, now)) return false;
  const decision = decideEnd(pausingOf(farm), undefined, now);
  if ('refusal' in decision) throw new Error('A pause without an end was refused');
  const { until } = decision;
  await writePause(tx, farm, { until, note: null, byId: null }, now);
  await record(tx, {
    name: 'farm.paused',
    data: { _id: farmId, until: until.toISOString(), timeZone: farm.timeZone },
    rooms: [room.farm(farmId), room.admins],
  });
  return true;
}

/**
 * Ends the pause of a farm whose timer is due, in the transaction that has taken the timer. One that was made longer
 * since has another time, and is not over yet.
 */
export async function endPause(tx: Transaction, key: string): Promise<void> {
  const farmId = key.slice(RESUME_TIMER.length + 1);
  const known = await tx.farmerProfile.findUnique({
    where: { userId: farmId },
    select: { userId: true },
  });
  if (!known) return;
  const { pausedUntil } = await lockFarmProfile(tx, farmId);
  if (pausedUntil && pausedUntil <= (await readClock(tx))) await clearPause(tx, farmId);
}

/** Returns what the end of a farm's pause follows from. */
const pausingOf = (farm: FarmerProfile): PausingFarm => ({
  ...presentHandoff(farm),
  timeZone: farm.timeZone,
});

interface Pause {
  until: Date;
  note: string | null;
  /** Null for the market itself. */
  byId: string | null;
}

const isSame = (farm: FarmerProfile, { until, note }: Pause, now: Date): boolean =>
  Number(pausedUntilOf(farm, now)) === until.getTime() && farm.pauseNote === note;

async function writePause(
  tx: Transaction,
  farm: FarmerProfile,
  { until, note, byId }: Pause,
  now: Date,
): Promise<void> {
  await tx.farmerProfile.update({
    where: { userId: farm.userId },
    data: {
      pausedUntil: until,
      pauseNote: note,
      pausedById: byId,
      pausedAt: pausedUntilOf(farm, now) ? farm.pausedAt : now,
      version: { increment: 1 },
    },
  });
  await setTimer(tx, {
    kind: RESUME_TIMER,
    key: `${RESUME_TIMER}:${farm.userId}`,
    dueAt: until,
  });
  await recordUpdate(tx, farm.userId);
}

/** Since when and by whom it was paused stays: the admins' feed shows the last pause by the market. */
async function clearPause(tx: Transaction, farmId: string): Promise<void> {
  await tx.farmerProfile.update({
    where: { userId: farmId },
    data: { pausedUntil: null, pauseNote: null, version: { increment: 1 } },
  });
  await recordUpdate(tx, farmId);
}

const recordUpdate = (tx: Transaction, farmId: string): Promise<void> =>
  record(tx, { name: 'farmer.updated', data: { _id: farmId }, rooms: [room.everyone] });

async function readPauseOf(db: Database | Transaction, farmId: string): Promise<FarmPause> {
  const row = await db.farmerProfile.findUnique({
    where: { userId: farmId },
    select: {
      pausedUntil: true,
      pauseNote: true,
      pausedAt: true,
      timeZone: true,
      pausedBy: { select: personSelect },
    },
  });
  if (!row) throw notFound(msg('Farmer not found'));
  const until = pausedUntilOf(row, await readClock(db));
  const { timeZone } = row;
  return until
    ? {
        pausedUntil: until.toISOString(),
        pauseNote: row.pauseNote,
        pausedAt: row.pausedAt?.toISOString() ?? null,
        pausedBy: row.pausedBy && presentPerson(row.pausedBy),
        timeZone,
      }
    : { pausedUntil: null, pauseNote: null, pausedAt: null, pausedBy: null, timeZone };
}
