import { WEEKDAYS, type Weekday } from '#contract/farm/farmers/constants';
import type { Opening, PickupSpot, PublicPlace } from '#contract/farm/farmers/farmers';
import type { Place } from '#contract/farm/places/places';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { PlaceHours as PlaceHoursRow, Prisma } from '../../../prisma/generated/client.ts';
import { presentAddress } from '../../people/users/present.ts';
import { openingsOf, type PositionRow, presentPosition } from '../farmers/present.ts';

/** What {@link presentPlace} needs. */
export const placeInclude = {
  hours: { orderBy: [{ weekday: 'asc' }, { from: 'asc' }] },
} as const satisfies Prisma.PlaceInclude;

export type PlaceRow = Prisma.PlaceGetPayload<{ include: typeof placeInclude }>;

/** Presents a pickup place with its hours. */
export const presentPlace = (row: PlaceRow): Place => ({
  _id: row.id,
  name: row.name,
  address: presentAddress(row),
  directions: row.directions,
  phone: row.phone,
  position: presentPosition(row),
  isActive: row.isActive,
  hours: row.hours.map(({ weekday, from, to, slotMinutes, capacity }) => ({
    weekday: WEEKDAYS[weekday] ?? 'monday',
    from,
    to,
    slotMinutes,
    capacity,
  })),
  version: row.version,
});

/** Reads the places of a farm at which one can pick up, by name. */
export const readOfferedPlaces = (
  db: Database | Transaction,
  farmId: string,
): Promise<PlaceRow[]> =>
  db.place.findMany({
    where: { farmId, removedAt: null, isActive: true, hours: { some: {} } },
    include: placeInclude,
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });

/** A place as far as cards show it. */
type SpotRow = PositionRow & { city: string; hours: readonly Range[] };

const presentSpot = ({ city, hours, ...row }: SpotRow): PickupSpot => {
  const position = presentPosition(row);
  return { town: city, openings: pickupOpenings(hours), ...(position && { position }) };
};

/** Returns what the row of a farm keeps of the places at which one can pick up. */
export const placeColumnsOf = (offered: readonly SpotRow[]) => ({
  hasSlots: offered.length > 0,
  pickupOpenings: pickupOpenings(offered.flatMap(({ hours }) => hours)),
  pickupPlaces: offered.map(presentSpot),
});

/** Presents a place for everyone. */
export const presentPublicPlace = (row: PlaceRow): PublicPlace => ({
  _id: row.id,
  name: row.name,
  address: presentAddress(row),
  directions: row.directions,
  phone: row.phone,
  position: presentPosition(row),
  openings: pickupOpenings(row.hours),
});

/** Returns how a farm's hours say the end of hours at a place: as the next day's midnight. */
const closingOf = (end: string): string => (end === '24:00' ? '00:00' : end);

type Range = Pick<PlaceHoursRow, 'weekday' | 'from' | 'to'>;

const byStart = (one: Range, other: Range): number =>
  one.weekday - other.weekday || (one.from < other.from ? -1 : 1);

/**
 * Returns when one can pick up at any of a farm's places, from the hours of those that are active. Hours that overlap
 * or touch are one range, whichever place they are of.
 */
export function pickupOpenings(hours: readonly Range[]): Opening[] {
  const ranges: { day: Weekday; open: string; close: string }[] = [];
  for (const { weekday, from, to } of [...hours].sort(byStart)) {
    const day = WEEKDAYS[weekday] ?? 'monday';
    const last = ranges.at(-1);
    if (last?.day !== day || from > last.close) ranges.push({ day, open: from, close: to });
    else if (to > last.close) last.close = to;
  }
  return openingsOf(ranges.map((range) => ({ ...range, close: closingOf(range.close) })));
}
