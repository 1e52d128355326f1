import { LIST_LIMIT } from '#contract/platform/http/constants/http';

/** How many products a socket may watch at once, and how many people. */
export const WATCH_MAX = LIST_LIMIT.max;
/** Most farms whose slots one connection can watch. */
export const FARMS_WATCH_MAX = 20;
