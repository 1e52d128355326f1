import {
  type QueryClient,
  type QueryKey,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';

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

/**
 * Like `useQuery` for one entity, which is shown as the lists under `lists` know it until its own answer is there, and
 * instead of it while there is no line.
 */
export function useSeededQuery<
  Data extends { _id: string; version?: number },
  Key extends QueryKey,
>(
  options: UseQueryOptions<Data, Error, Data, Key>,
  { lists, id }: { lists: QueryKey; id: string },
) {
  const cache = useQueryClient();
  const seed = () => findInLists<Data>(cache, lists, id);
  // Cast, because the library's type excludes functions as data, which entities are not.
  const placeholderData = seed as NonNullable<typeof options.placeholderData>;
  const query = useQuery({ ...options, placeholderData });
  const isAway = query.error instanceof ApiError && query.error.isTemporary;
  return { ...query, data: query.data ?? (isAway ? seed() : undefined) };
}
