import { atom } from 'jotai';
import type { Counts } from './frame/navigation.ts';

/** The badge numbers of the navigation items, by path, and the number of a farmer's pending orders. */
export type NavigationCounts = { places: Counts; pendingOrders: number };

/** The counts of whoever is not signed in. */
export const NO_COUNTS: NavigationCounts = { places: {}, pendingOrders: 0 };

/** The counts that are shown. What fetches them is loaded for people who are signed in, `use-counts.ts`. */
export const countsAtom = atom(NO_COUNTS);
