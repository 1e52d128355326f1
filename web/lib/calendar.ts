/** An appointment at a place, by the clock of that place. */
export type CalendarEntry = {
  /** Identifies the entry, so that a second download replaces the first. */
  uid: string;
  title: string;
  description: string;
  location: string;
  /** The wall-clock day, `YYYY-MM-DD`. */
  date: string;
  /** The wall-clock time, `HH:mm`. */
  time: string;
  /** The instant of both, if known. */
  startsAt?: string | undefined;
  durationMinutes: number;
  isConfirmed: boolean;
  /** Grows with each change of the entry. */
  sequence: number;
};

/** Lines end after this many octets (RFC 5545, 3.1). */
const LINE_MAX_OCTETS = 75;
const MINUTE_MS = 60_000;

/** Escapes a text value (RFC 5545, 3.3.11). */
const escapeText = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    // Other control characters are not allowed in an entry.
    .replace(/[\p{Cc}]/gu, '');

/** Folds a content line: it goes on after a line break and a space. Never splits a character. */
function fold(line: string): string {
  const encoder = new TextEncoder();
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > LINE_MAX_OCTETS) {
      lines.push(current);
      // The space counts as well.
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...lines, current].join('\r\n');
}

/** Formats an instant as the UTC form of iCalendar: `20261128T101500Z`. */
const utcStamp = (instant: Date): string => `${instant.toISOString().replace(/[-:]|\.\d+/g, '')}`;

/** Formats a wall-clock day and time plus some minutes as floating local time: `20261128T101500`. */
function floating(date: string, time: string, minutes: number): string {
  const start = new Date(`${date}T${time}:00Z`).getTime();
  return utcStamp(new Date(start + minutes * MINUTE_MS)).slice(0, -1);
}

/**
 * Returns an iCalendar file (RFC 5545) with one entry, at its instant: a calendar in another time zone
 * shows its own clock. Where the instant is unknown, the time is floating and the same in every zone.
 * `now` is the time of creation.
 *
 * @throws RangeError if date and time are none
 */
export function toCalendarFile(entry: CalendarEntry, now: Date = new Date()): string {
  const { date, time, startsAt, durationMinutes } = entry;
  const after = (minutes: number): string =>
    startsAt === undefined
      ? floating(date, time, minutes)
      : utcStamp(new Date(Date.parse(startsAt) + minutes * MINUTE_MS));
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Farmgate//Orders//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${escapeText(entry.uid)}`,
    `DTSTAMP:${utcStamp(now)}`,
    `DTSTART:${after(0)}`,
    `DTEND:${after(durationMinutes)}`,
    `SEQUENCE:${entry.sequence}`,
    `STATUS:${entry.isConfirmed ? 'CONFIRMED' : 'TENTATIVE'}`,
    `SUMMARY:${escapeText(entry.title)}`,
    `LOCATION:${escapeText(entry.location)}`,
    `DESCRIPTION:${escapeText(entry.description)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}

/** Offers a text as a file to download. */
export function downloadText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Browsers read the address after the click.
  setTimeout(() => URL.revokeObjectURL(url), MINUTE_MS);
}
