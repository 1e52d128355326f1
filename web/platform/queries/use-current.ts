import {
  type DefaultError,
  hashKey,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { useState } from 'react';

/**
 * Fetches what is going to be edited. There are no `data` until the server has answered this page: not what another
 * page read, nor what an earlier visit kept, which also counts as fetched when it is put into the cache meanwhile.
 * From then on the data are live.
 */
export function useCurrent<Data, Key extends QueryKey>(
  options: UseQueryOptions<Data, DefaultError, Data, Key>,
): UseQueryResult<Data> {
  const query = useQuery({ ...options, refetchOnMount: 'always' });
  const hash = hashKey(options.queryKey);
  const [current, setCurrent] = useState<string>();
  const isAnswered = query.isFetchedAfterMount && query.isSuccess && query.fetchStatus === 'idle';
  if (isAnswered && current !== hash) setCurrent(hash);
  if (isAnswered || current === hash) return query;
  return { ...query, data: undefined } as UseQueryResult<Data>;
}
