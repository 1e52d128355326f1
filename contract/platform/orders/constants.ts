// What every wing knows of orders.

/** The states of an order; `ordering` has the rule of how they follow each other. */
export const ORDER_STATUSES = [
  'pending',
  'accepted',
  'rejected',
  'completed',
  'cancelled',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The statuses of orders that can still change. */
export const OPEN_STATUSES: readonly OrderStatus[] = ['pending', 'accepted'];

/** The statuses of orders that hold their goods, handed over or not. */
export const STANDING_STATUSES: readonly OrderStatus[] = [...OPEN_STATUSES, 'completed'];

/**
 * What the consumer wishes if the farm runs short of a line: be asked, get something similar that is not dearer, get
 * one product they named, or have the line left out.
 */
export const SHORTAGE_PREFERENCES = ['ask', 'similar', 'specific', 'leave_out'] as const;

export type ShortagePreference = (typeof SHORTAGE_PREFERENCES)[number];

/** The wishes that say enough for all of a consumer's lines. */
export const GENERAL_PREFERENCES = [
  'ask',
  'similar',
  'leave_out',
] as const satisfies readonly ShortagePreference[];

/** How many orders one call can give another status. */
export const STATUS_BATCH_MAX = 100;
/** Of the open orders that a change of a farm meets, so many are named. */
export const MET_ORDERS_SHOWN = 50;
export const LINES_MAX = 100;
export const NOTES_MAX = 1000;
export const REASON_MAX = 500;
/** How many of the newest orders a dashboard shows. */
export const RECENT_ORDERS_SHOWN = 5;
/** The largest total an order may have, in minor units, so that sums stay exact as JSON numbers. */
export const TOTAL_MAX_MINOR = 1_000_000_000_000;
