import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './states.tsx';

/** Shows what was fetched, its skeleton, or why it failed. What is there stays, whatever a later fetch does. */
export function Fetched<Data>({
  query: { data, error, refetch, isFetching },
  skeleton,
  errorClass,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  skeleton: ReactNode;
  errorClass?: string;
  children: (data: Data) => ReactNode;
}) {
  if (data !== undefined) return children(data);
  if (!error) return skeleton;
  return (
    <ErrorState
      error={error}
      onRetry={refetch}
      pending={isFetching}
      {...(errorClass && { className: errorClass })}
    />
  );
}
