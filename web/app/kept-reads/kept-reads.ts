import { categoriesKeys } from '../../catalogue/categories/queries.ts';
import { productsKeys } from '../../catalogue/products/queries.ts';
import { farmersKeys } from '../../farm/farmers/queries.ts';
import { indexedDbStore } from '../../platform/offline/indexed-db.ts';
import type { KeepReads } from '../../platform/offline/KeptReads.tsx';
import { keepReads as keep } from '../../platform/offline/persister.ts';
import type { KeptGroup } from '../../platform/offline/records.ts';

/**
 * What is kept of the market. No event keeps it true while nobody looks at it: changes of products reach only those
 * who watch them.
 */
export const marketGroups: readonly KeptGroup[] = [
  { name: 'products', prefix: productsKeys.details(), max: 60, isCovered: false },
  { name: 'markets', prefix: productsKeys.markets(), max: 4, isCovered: false },
  { name: 'featured', prefix: productsKeys.featured(), max: 1, isCovered: false },
  { name: 'farms', prefix: farmersKeys.all, max: 24, isCovered: false },
  { name: 'categories', prefix: categoriesKeys.list(), max: 1, isCovered: false },
];

/** The format of what is kept, which the build derives from the contract and the queries. */
const KEPT_FORMAT: string = import.meta.env.KEPT_FORMAT ?? 'development';

/** Returns what keeps the reads of these groups. */
export const keeping =
  (groups: readonly KeptGroup[]): KeepReads =>
  (cache, reader) =>
    keep(cache, { store: indexedDbStore, groups, format: KEPT_FORMAT, reader });

/** Keeps a visitor's reads. Loaded after the first paint, which does not wait for it. */
export const keepReads = keeping(marketGroups);
