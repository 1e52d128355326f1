import { POSSIBLE_DAYS_MAX } from '#contract/farm/schedule/constants';
import type {
  FarmSchedule,
  PossibleDay,
  PossibleDaysQuery,
  UpdateFarmSchedule,
} from '#contract/farm/schedule/schedule';
import { room } from '#contract/platform/events/constants';
import { dayIn } from '#contract/platform/time/constants';
import { record } from '../../platform/events/event-log.ts';
import { invalid, notFound, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { defined } from '../../platform/process/defined.ts';
import { actingFarm } from '../../platform/sessions/acting-farm.ts';
import { lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';
import { daysAfter } from '../../platform/time/wall-clock.ts';
import { maySeeOffer } from '../farmers/policy.ts';
import { dayRulesOf } from '../farmers/present.ts';
import { lockFarmProfile } from '../farmers/service.ts';
import { moveCutoffTimers } from './cutoff-timers.ts';
import { decideSchedule } from './decide-schedule.ts';
import { presentSchedule } from './present.ts';
import { listPossibleDays } from './rules.ts';

const noFarm = () => notFound('Farmer not found');

/** Returns the schedule of the caller's farm. @throws 403 who works for no farm, 404 no such farm */
export async function readSchedule({ db }: Platform, user: SessionUser): Promise<FarmSchedule> {
  const row = await db.farmerProfile.findUnique({ where: { userId: actingFarm(user) } });
  if (!row) throw noFarm();
  return presentSchedule(row, dayIn(row.timeZone, await readClock(db)));
}

/**
 * Changes the given parts of the schedule of the caller's farm. Whoever shows the farm or its products is
 * notified as of any change of the farm.
 * @throws 400 a cut-off after closing time, or a closed day that is over or too far ahead; 401 the account
 *   was just deleted; 403 not within the caller's role; 404 no such farm; 409 VERSION_CONFLICT
 */
export async function updateSchedule(
  platform: Platform,
  user: SessionUser,
  { expectedVersion, ...input }: UpdateFarmSchedule,
): Promise<FarmSchedule> {
  const farmId = actingFarm(user);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const before = await lockFarmProfile(tx, farmId);
    const today = dayIn(before.timeZone, await readClock(tx));
    await requireVersion(expectedVersion, before.scheduleVersion, () =>
      presentSchedule(before, today),
    );
    const decision = decideSchedule(dayRulesOf(before), input, today);
    if ('refusal' in decision) {
      throw invalid(decision.refusal.map(({ message }) => message).join(' '), decision.refusal);
    }
    const { cutoff, closedDays } = decision.change;
    const updated = await tx.farmerProfile.update({
      where: { userId: farmId },
      data: {
        cutoffDaysBefore: cutoff?.daysBefore ?? null,
        cutoffTime: cutoff?.time ?? null,
        closedDays: closedDays.map((date) => new Date(date)),
        ...defined({ atCutoff: input.atCutoff, bookableDays: input.bookableDays }),
        scheduleVersion: { increment: 1 },
      },
    });
    await moveCutoffTimers(tx, farmId);
    await record(tx, { name: 'farmer.updated', data: { _id: farmId }, rooms: [room.everyone] });
    return presentSchedule(updated, today);
  });
}

/**
 * Returns the days for which one can order from a farm now. It is not cached: a cut-off passes without an
 * event.
 * @throws 404 no such farm, or its days are not this user's to see
 */
export async function readPossibleDays(
  { db }: Platform,
  farmId: string,
  query: PossibleDaysQuery,
  user: SessionUser | null,
): Promise<PossibleDay[]> {
  const row = await db.user.findUnique({
    where: { id: farmId, role: 'farmer', deletedAt: null },
    select: { farm: true, suspendedAt: true },
  });
  if (!row?.farm || !maySeeOffer(user, { ...row.farm, suspendedAt: row.suspendedAt })) {
    throw noFarm();
  }
  const { timeZone } = row.farm;
  const now = await readClock(db);
  const length = POSSIBLE_DAYS_MAX - 1;
  const from = query.from ?? (query.to ? daysAfter(query.to, -length) : dayIn(timeZone, now));
  const range = { from, to: query.to ?? daysAfter(from, length) };
  return listPossibleDays(dayRulesOf(row.farm), timeZone, now, range);
}
