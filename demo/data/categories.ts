import { READY_CATEGORIES, type ReadyCategoryKey } from '#contract/admin/setup/constants';

/** The categories of the demo market: all that a new market can begin with. */
export const categories = READY_CATEGORIES;

/** The key of a category. */
export type CategoryKey = ReadyCategoryKey;
