import type { Calls } from '#contract/platform/http/constants/http';

/** The most orders that a limited slot can be given room for. */
export const SLOT_CAPACITY_MAX = 10_000;
/** What a field for the orders of a slot takes. */
export const CAPACITY_LIMITS = { decimals: 0, min: 1, max: SLOT_CAPACITY_MAX };
/** Up to this many free places are shown exactly; beyond it nobody learns how busy a farm is. */
export const REMAINING_SHOWN_MAX = 5;
/** Days for which slots are made from the hours of a place, from today on: however few of them customers can order for. */
export const SLOT_DAYS_AHEAD = 92;
/** Most days that one call can ask the slots of. */
export const SLOT_RANGE_MAX_DAYS = 31;

/**
 * The states of a slot: `open` takes orders; `closed` was closed by the farm; `cancelled` is no longer in
 * the hours of its place, and stays because of its orders.
 */
export const SLOT_STATES = ['open', 'closed', 'cancelled'] as const;
export type SlotState = (typeof SLOT_STATES)[number];

/** Method and path of each call; `#contract/farm/slots/slots` has the endpoints with their schemas. */
export const slotsApi = {
  offered: { method: 'GET', path: '/users/farmers/:id/slots' },
  list: { method: 'GET', path: '/farm/slots' },
  update: { method: 'PUT', path: '/farm/slots/:id' },
} as const satisfies Calls;
