// Apart from what else is known of orders, because carts need no more of it.

/** How many orders one call can give another status. */
export const STATUS_BATCH_MAX = 100;
export const LINES_MAX = 100;
export const NOTES_MAX = 1000;
export const REASON_MAX = 500;
/** How many of the newest orders a dashboard shows. */
export const RECENT_ORDERS_SHOWN = 5;
/** The largest total an order may have, in minor units, so that sums stay exact as JSON numbers. */
export const TOTAL_MAX_MINOR = 1_000_000_000_000;
