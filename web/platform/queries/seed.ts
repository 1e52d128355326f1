import type { QueryClient, QueryKey } from '@tanstack/react-query';

type Entity = { _id: string; version?: number | undefined };

/**
 * Returns an entity as the lists show it that are cached under `prefix`, the newest version of it; undefined if none
 * has it.
 */
export function findInLists<Item extends Entity>(
  cache: QueryClient,
  prefix: QueryKey,
  id: string,
): Item | undefined {
  let found: Item | undefined;
  for (const { state } of cache.getQueryCache().findAll({ queryKey: prefix })) {
    for (const item of rowsOf<Item>(state.data)) {
      if (item._id === id && (item.version ?? 0) >= (found?.version ?? 0)) found = item;
    }
  }
  return found;
}

/** Returns the rows of a list, of a page of one, or of all its pages; none for anything else. */
function rowsOf<Item>(data: unknown): readonly Item[] {
  if (Array.isArray(data)) return data;
  const { data: rows, pages } = (data ?? {}) as { data?: unknown; pages?: unknown };
  if (Array.isArray(pages)) return pages.flatMap((page) => rowsOf<Item>(page));
  return Array.isArray(rows) ? rows : [];
}
