import { WEEKDAYS } from '#contract/farm/farmers/constants';
import type { Place, PlaceHours } from '#contract/farm/places/places';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { presentAddress } from '../../people/users/present.ts';

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

/** Returns hours as they are stored, by weekday and time. */
export const hoursToRows = (hours: readonly PlaceHours[]) =>
  hours
    .map(({ weekday, ...rest }) => ({ weekday: WEEKDAYS.indexOf(weekday), ...rest }))
    .sort((one, other) => one.weekday - other.weekday || (one.from < other.from ? -1 : 1));
