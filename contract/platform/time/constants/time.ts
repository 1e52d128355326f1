// Days and clocks of time zones, on the server and in the browser alike. Both use Intl, so that they agree
// on the day it is at a farm. Only the server computes an instant from a wall clock.

/** The zone of a market that names none, and of a farm without a profile. */
export const DEFAULT_TIME_ZONE = 'UTC';

/** A clock is taken as right that differs by no more, in milliseconds: an answer names the whole second alone. */
const CLOCK_TOLERANCE_MS = 2000;

let behindMs = 0;

/**
 * Takes over the time of the clock that decides: the database's on the server, the server's in a browser. A machine's own
 * may be wrong by hours.
 * @param atMs what the other clock showed between these two times of this one
 * @returns how many milliseconds this machine's clock is ahead; 0 as far as that may be the way of the answer
 */
export function noteClock(atMs: number, askedMs: number, answeredMs: number): number {
  const aheadMs = askedMs > atMs ? askedMs - atMs : Math.min(0, answeredMs - atMs);
  behindMs = Math.abs(aheadMs) > CLOCK_TOLERANCE_MS ? -aheadMs : 0;
  return aheadMs;
}

/** Returns whether this machine's clock is wrong, as far as is known. */
export const isClockWrong = (): boolean => behindMs !== 0;

/** Returns the present time in milliseconds, by the clock that decides. Durations are measured by `Date.now()`. */
export const clockMs = (): number => Date.now() + behindMs;

const formats = new Map<string, Intl.DateTimeFormat>();

const makeFormat = (timeZone: string | undefined): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    ...(timeZone === undefined ? {} : { timeZone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });

/** Returns the format of a zone, or undefined if it is not known here: an old browser does not know the newest ones. */
function makeFormatIfKnown(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return makeFormat(timeZone);
  } catch {
    return undefined;
  }
}

/** Returns whether a zone of this name is known here. */
export const knowsTimeZone = (name: string): boolean => makeFormatIfKnown(name) !== undefined;

/** Returns the format of a zone; making one takes far longer than using it. */
function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  // The reader's own zone may change while a page is open, as on a journey.
  if (timeZone === undefined) return makeFormat(undefined);
  let format = formats.get(timeZone);
  if (!format) {
    format = makeFormatIfKnown(timeZone) ?? makeFormat(DEFAULT_TIME_ZONE);
    formats.set(timeZone, format);
  }
  return format;
}

/**
 * Returns what calendar and clock show in a time zone at an instant: day `YYYY-MM-DD` and time `HH:mm`.
 * Without a zone it is the reader's; in one that is not known here it is UTC's.
 * @throws RangeError for an invalid instant
 */
export function wallClockIn(
  timeZone: string | undefined,
  instant: Date | number = clockMs(),
): { date: string; time: string } {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return {
    date: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  };
}

const DAY_MS = 86_400_000;

/** Returns whether the clock of a time zone shows a time on a day: some nights skip an hour, or half of one, and what is no time
 * it never shows. */
export function clockShows(
  timeZone: string,
  { date, time }: { date: string; time: string },
): boolean {
  const wallMs = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wallMs)) return false;
  // Whatever changes that night, the clock differs from UTC as it does a day before, or as it does a day after.
  return [wallMs - DAY_MS, wallMs + DAY_MS].some((near) => {
    const there = wallClockIn(timeZone, near);
    const aheadMs = Date.parse(`${there.date}T${there.time}Z`) - near;
    const shown = wallClockIn(timeZone, wallMs - aheadMs);
    return shown.date === date && shown.time === time;
  });
}

/**
 * Returns the day `YYYY-MM-DD` that it is in a time zone, the reader's without one. It is the one function
 * that says which day is today.
 * @throws RangeError for an invalid instant
 */
export const dayIn = (timeZone: string | undefined, instant: Date | number = clockMs()): string =>
  wallClockIn(timeZone, instant).date;
