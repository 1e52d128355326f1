import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './states.tsx';

/** Shows what a query has read, why it failed, or its skeleton. What is there stays, whatever a refetch does. */
export function Fetched<Data>({
  query: { data, error, refetch, isFetching },
  skeleton,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  /** Of the shape of what is read. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (data !== undefined) return children(data);
  if (error) return <ErrorState error={error} onRetry={refetch} pending={isFetching} />;
  return skeleton;
}
