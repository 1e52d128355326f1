// Days and clocks of time zones, on the server and in the browser alike. Both use Intl, so that they agree
// on the day it is at a farm. Only the server computes an instant from a wall clock.

/** The zone of a market that names none, and of a farm without a profile. */
export const DEFAULT_TIME_ZONE = 'UTC';

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
  instant: Date | number = Date.now(),
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
export const dayIn = (timeZone: string | undefined, instant: Date | number = Date.now()): string =>
  wallClockIn(timeZone, instant).date;
