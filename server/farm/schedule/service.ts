import {
  CLOSED_DAYS_AHEAD_MAX,
  type Cutoff,
  type DayRules,
  POSSIBLE_DAYS_MAX,
  type SharedHours,
} from '#contract/farm/schedule/constants';
import type {
  FarmSchedule,
  PossibleDay,
  PossibleDaysQuery,
  UpdateFarmSchedule,
} from '#contract/farm/schedule/schedule';
import { room } from '#contract/platform/events/constants';
import type { FieldError } from '#contract/platform/http/http';
import { msg, t } from '#contract/platform/text/constants/texts';
import { addDays, dayIn, formatWallTime } from '#contract/platform/time/constants';
import type { FarmerProfile } from '../../../prisma/generated/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { invalid, notFound, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { defined, transact } from '../../platform/stores/postgres.ts';
import { daysAfter, readClock } from '../../platform/time/clock.ts';
import { maySeeOffer } from '../farmers/policy.ts';
import { dayRulesOf } from '../farmers/present.ts';
import { lockFarmProfile } from '../farmers/service.ts';
import { listPossibleDays, moveCutoffTimers } from './rules.ts';

const noFarm = () => notFound(msg('Farmer not found'));

/** Returns the schedule of the caller's farm. @throws 403 who works for no farm, 404 no such farm */
export async function readSchedule({ db }: Platform, user: SessionUser): Promise<FarmSchedule> {
  const row = await db.farmerProfile.findUnique({ where: { userId: actingFarm(user) } });
  if (!row) throw noFarm();
  return presentSchedule(row, dayIn(row.timeZone, await readClock(db)));
}

/**
 * Changes the given parts of the schedule of the caller's farm. The person who shows the farm or its products is
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

/** What a change makes of a farm's schedule. */
interface ScheduleChange {
  cutoff: Cutoff | null;
  /** From today on, in order. */
  closedDays: string[];
}

type ScheduleDecision = { change: ScheduleChange } | { refusal: FieldError[] };

/**
 * Decides what a change makes of a schedule. The rules: orders close before the farm does on at least one
 * day of the week; a closed day is neither over nor more than {@link CLOSED_DAYS_AHEAD_MAX} days ahead. A
 * day that was listed already and is over by now is taken off the list, not refused: midnight may come
 * while somebody edits. `today` is the farm's day.
 */
function decideSchedule(
  before: DayRules,
  { cutoff = before.cutoff, exceptions }: Pick<UpdateFarmSchedule, 'cutoff' | 'exceptions'>,
  today: string,
): ScheduleDecision {
  const refusal: FieldError[] = [];
  const closing = cutoff !== before.cutoff && cutoff && lastClosingBefore(cutoff, before.openings);
  if (closing) {
    const message = t(
      'By then the farm is closed: it closes at {time} at the latest. Choose an earlier time.',
      { time: formatWallTime(closing) },
    );
    refusal.push({ path: 'cutoff.time', message });
  }
  const last = addDays(today, CLOSED_DAYS_AHEAD_MAX);
  for (const [index, { date }] of (exceptions ?? []).entries()) {
    const path = `exceptions.${index}.date`;
    if (date < today && !before.closedDays.includes(date)) {
      refusal.push({ path, message: t('Choose a day that is not over.') });
    }
    if (date > last) refusal.push({ path, message: t('Choose a day within the next two years.') });
  }
  if (refusal.length > 0) return { refusal };
  const days = exceptions?.map(({ date }) => date) ?? before.closedDays;
  return { change: { cutoff, closedDays: days.filter((date) => date >= today).sort() } };
}

/** Returns the latest closing time of a farm that is always closed at the cut-off of the same day. */
function lastClosingBefore(
  { daysBefore, time }: Cutoff,
  openings: readonly SharedHours[],
): string | undefined {
  if (daysBefore > 0 || openings.some(({ open, close }) => close <= open)) return undefined;
  const latest = openings
    .map(({ close }) => close)
    .sort()
    .at(-1);
  return latest !== undefined && time > latest ? latest : undefined;
}

/** The columns of a farm's profile that make its schedule. */
type ScheduleRow = Pick<
  FarmerProfile,
  | 'businessHours'
  | 'cutoffDaysBefore'
  | 'cutoffTime'
  | 'closedDays'
  | 'atCutoff'
  | 'bookableDays'
  | 'timeZone'
  | 'scheduleVersion'
>;

/** Presents a farm's schedule without the closed days that are over. `today` is the farm's day. */
function presentSchedule(row: ScheduleRow, today: string): FarmSchedule {
  const { cutoff, closedDays } = dayRulesOf(row);
  return {
    mode: 'notice',
    cutoff,
    exceptions: closedDays
      .filter((date) => date >= today)
      .sort()
      .map((date) => ({ date, skip: true })),
    atCutoff: row.atCutoff,
    bookableDays: row.bookableDays,
    version: row.scheduleVersion,
  };
}
