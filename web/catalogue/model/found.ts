import type { CategoryNames } from '#contract/catalogue/categories/constants';
import { isFoundIn } from '#contract/platform/text/constants/names';

/** Returns whether a search finds goods: by their own name, by any name of their kind, or by what else is said of them. */
export const isProductFound = (
  { name, category }: { name: string; category?: CategoryNames | null | undefined },
  search: string,
  others: readonly string[] = [],
): boolean =>
  isFoundIn(
    [name, ...(category ? [category.name, ...Object.values(category.names ?? {})] : []), ...others],
    search,
  );
