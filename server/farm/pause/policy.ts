import type { Handoff } from '#contract/farm/farmers/farmers';
import { PAUSE_DAYS_MAX, PAUSE_HOURS } from '#contract/farm/pause/constants';
import type { PauseFarm } from '#contract/farm/pause/pause';
import { openingsOn } from '#contract/farm/schedule/constants';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import {
  addDays,
  clockMs,
  DAY_MS,
  dayIn,
  formatDay,
  formatWallTime,
  wallClockIn,
} from '#contract/platform/time/constants';
import { AppError } from '../../platform/http/errors.ts';
import { instantOf } from '../../platform/time/clock.ts';
import { refuseSkipped } from '../schedule/rules.ts';

/** The columns of a farm's profile that say whether it takes orders; JSON has the time as text. */
export interface PauseRow {
  pausedUntil: Date | string | null;
  pauseNote: string | null;
}

/** Returns until when a farm takes no orders; null while it takes them. A pause is over at its end, cleared or not. */
export function pausedUntilOf(
  farm: Pick<PauseRow, 'pausedUntil'> | null | undefined,
  now: Date | number = clockMs(),
): Date | null {
  const until = farm?.pausedUntil ? new Date(farm.pausedUntil) : null;
  return until && until.getTime() > Number(now) ? until : null;
}

/** Presents what everyone sees of a pause. */
export function presentPause(farm: PauseRow | null): {
  pausedUntil: string | null;
  pauseNote: string | null;
} {
  const until = pausedUntilOf(farm);
  return until
    ? { pausedUntil: until.toISOString(), pauseNote: farm?.pauseNote ?? null }
    : { pausedUntil: null, pauseNote: null };
}

/** 409: the farm takes no orders until then. `now` says which year it is. */
export function farmPaused(until: Date, timeZone: string, now: Date): AppError {
  const { date, time } = wallClockIn(timeZone, until);
  const message = msg(
    'This farm takes no orders just now. It takes them again from {day}, {time}.',
    {
      day: formatDay(date, dayIn(timeZone, now)),
      time: formatWallTime(time),
    },
  );
  return new AppError(409, 'FARM_PAUSED', message, { data: { until: until.toISOString() } });
}

/** What the end of a pause follows from: when the farm is open, at its places or by itself, and its clock. */
export type PausingFarm = Pick<Handoff, 'openings' | 'closedDays'> & { timeZone: string };

/**
 * Returns the instant at which a farm opens next; undefined where none comes within {@link PAUSE_DAYS_MAX} days. Hours
 * of all day begin at midnight.
 */
function nextOpening({ openings, closedDays = [], timeZone }: PausingFarm, now: Date) {
  const today = dayIn(timeZone, now);
  for (let ahead = 0; ahead <= PAUSE_DAYS_MAX; ahead++) {
    const date = addDays(today, ahead);
    if (closedDays.includes(date)) continue;
    const next = openingsOn(openings, date)
      .map(({ open, close }) =>
        instantOf({ date, time: open === close ? '00:00' : open }, timeZone),
      )
      .filter((at) => at > now)
      .sort((one, other) => Number(one) - Number(other))[0];
    if (next) return next;
  }
  return undefined;
}

/**
 * Decides until when a farm is paused. The rules: what is asked for lies ahead, at most {@link PAUSE_DAYS_MAX} days, and
 * the farm's clock shows it; a pause without an end ends when the farm opens next, or after {@link PAUSE_HOURS} hours
 * where it lists no hours.
 */
export function decideEnd(
  farm: PausingFarm,
  until: PauseFarm['until'],
  now: Date,
): { until: Date } | { refusal: Message } {
  const last = lastEnd(farm.timeZone, now);
  if (!until) return { until: defaultEnd(farm, now, last) };
  if (typeof until !== 'string' && until.time) {
    const skipped = refuseSkipped(farm.timeZone, { ...until, time: until.time });
    if (skipped) return { refusal: skipped };
  }
  const end = instantAsked(until, farm.timeZone);
  if (end <= now) return { refusal: msg('That time is over. Choose a later one.') };
  if (end <= last) return { until: end };
  const { date, time } = wallClockIn(farm.timeZone, last);
  return {
    refusal: msg('A farm can pause for at most {days} days. Choose a time until {day}, {time}.', {
      days: PAUSE_DAYS_MAX,
      day: formatDay(date, dayIn(farm.timeZone, now)),
      time: formatWallTime(time),
    }),
  };
}

/** Returns the last end of a pause: after so many days, also by the farm's clock where that goes back meanwhile. */
function lastEnd(timeZone: string, now: Date): Date {
  const { date, time } = wallClockIn(timeZone, now);
  const byClock = instantOf({ date: addDays(date, PAUSE_DAYS_MAX), time }, timeZone);
  return new Date(Math.max(now.getTime() + PAUSE_DAYS_MAX * DAY_MS, byClock.getTime()));
}

const instantAsked = (until: NonNullable<PauseFarm['until']>, timeZone: string): Date => {
  if (typeof until === 'string') return new Date(until);
  const { date, time } = until;
  return instantOf(time === undefined ? { date } : { date, time }, timeZone);
};

function defaultEnd(farm: PausingFarm, now: Date, last: Date): Date {
  if (farm.openings.length === 0) return new Date(now.getTime() + PAUSE_HOURS * 3_600_000);
  const next = nextOpening(farm, now);
  return next && next < last ? next : last;
}
