import type { Calls } from '#contract/platform/http/constants';

export const PLACE_NAME_MAX = 120;
export const DIRECTIONS_MAX = 500;
/** Most pickup places of one farm. */
export const PLACES_MAX = 20;
/** Most ranges of hours in the week of one place. */
export const PLACE_HOURS_MAX = 70;
/** Most slots of one place on a day. */
export const SLOTS_PER_DAY_MAX = 96;
export const SLOT_MINUTES_MIN = 5;
export const SLOT_MINUTES_MAX = 720;

export const placesApi = {
  list: { method: 'GET', path: '/farm/places' },
  create: { method: 'POST', path: '/farm/places' },
  update: { method: 'PUT', path: '/farm/places/:id' },
  remove: { method: 'DELETE', path: '/farm/places/:id' },
} as const satisfies Calls;
