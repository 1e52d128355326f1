import {
  type QueryKey,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { findInLists } from './seed.ts';

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
