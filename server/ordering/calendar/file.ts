import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';

/** An appointment, or a whole day. */
export interface Entry {
  /** Stays the same when the entry changes, so that calendars replace it. */
  uid: string;
  title: string;
  description: string;
  location: string;
  startsAt: Date;
  endsAt: Date;
  /** Whole days, by whatever clock: both instants are midnights in UTC, the second after the last day. */
  isAllDay?: boolean;
  state: 'tentative' | 'confirmed' | 'cancelled';
  /** Grows with each change. */
  sequence: number;
  /** When it was last changed. */
  changedAt: Date;
}

const STATUSES: Record<Entry['state'], ICalEventStatus> = {
  tentative: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
};

/** How often a subscribed calendar is asked to look again, in seconds. */
const REFRESH_SECONDS = 15 * 60;

/**
 * Returns a calendar file. Its times are instants, which every calendar shows by its own reader's clock, or whole
 * days, which are the same by all clocks.
 * With a `name` it is one to subscribe to, else one to import.
 */
export function toCalendarFile(entries: readonly Entry[], name?: string): string {
  const calendar = ical({
    prodId: { company: 'Farmgate', product: 'Orders', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ...(name === undefined ? {} : { name, ttl: REFRESH_SECONDS }),
  });
  for (const entry of entries) {
    calendar.createEvent({
      id: entry.uid,
      summary: entry.title,
      description: entry.description,
      location: entry.location || null,
      start: entry.startsAt,
      end: entry.endsAt,
      allDay: entry.isAllDay ?? false,
      status: STATUSES[entry.state],
      sequence: entry.sequence,
      stamp: entry.changedAt,
    });
  }
  return calendar.toString();
}
