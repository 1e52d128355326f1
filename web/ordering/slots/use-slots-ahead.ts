import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { SLOT_DAYS_AHEAD } from '#contract/farm/slots/constants';
import { type Days, daysAhead, laterDays } from './queries.ts';

/** The days beyond those that one call returns, while they are not known. */
export type LaterDays = { isPending: boolean; isFailed: boolean; load: () => void };

/**
 * Returns the slots of all days that have some. The later ones, beyond what one call returns, are asked for once they
 * are needed: when `needsLater` says so of the others, or by `later.load`. Both parts are kept current by the same
 * events.
 */
export function useSlotsAhead<Slot, Key extends QueryKey>({
  queryOf,
  today,
  needsLater,
  ahead = SLOT_DAYS_AHEAD,
  isEnabled = true,
}: {
  queryOf: (days: Days) => UseQueryOptions<Slot[], Error, Slot[], Key>;
  today: string;
  /** Whether these slots of the nearer days are not enough. */
  needsLater: (nearer: readonly Slot[]) => boolean;
  /** How many days ahead there may be slots to choose. */
  ahead?: number;
  isEnabled?: boolean;
}) {
  const [isAsked, setAsked] = useState(false);
  const nearer = useQuery({
    ...queryOf(daysAhead(today)),
    enabled: isEnabled,
    refetchOnMount: 'always',
  });
  const isNeeded = nearer.data !== undefined && needsLater(nearer.data);
  const isWanted = isEnabled && (isAsked || isNeeded);
  const later = useQuery({ ...queryOf(laterDays(today, ahead)), enabled: isWanted });
  const isWaiting = isNeeded && later.isPending && !later.isError;
  const all = useMemo(
    () => nearer.data && (later.data ? [...nearer.data, ...later.data] : nearer.data),
    [nearer.data, later.data],
  );
  const failed = nearer.data ? later : nearer;
  return {
    /** Undefined while they are loaded. */
    slots: isWaiting ? undefined : all,
    error: failed.error,
    isFetching: failed.isFetching,
    refetch: () => {
      void nearer.refetch();
      if (isWanted) void later.refetch();
    },
    later:
      later.data === undefined
        ? {
            isPending: isWanted && later.isFetching,
            isFailed: later.isError,
            load: () => {
              setAsked(true);
              if (later.isError) void later.refetch();
            },
          }
        : undefined,
  };
}
