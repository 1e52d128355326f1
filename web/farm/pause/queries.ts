import { queryOptions, useQuery } from '@tanstack/react-query';
import { pauseApi } from '#contract/farm/pause/constants';
import type { FarmPause } from '#contract/farm/pause/pause';
import { t } from '#contract/platform/text/constants/texts';
import { dayIn, wallClockIn } from '#contract/platform/time/constants';
import { call, dataOf } from '../../platform/api/api.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { formatMoment } from '../model/handoff.ts';

const OWN = ['pause'] as const;
const CLOCK_STEP_MS = 15_000;

/** Whether the signed-in person's farm takes orders. */
export const ownPauseQuery = () => queryOptions({ queryKey: OWN, queryFn: dataOf(pauseApi.read) });

/** Keeps it current: a user without a farm has nothing to refetch. */
export const pauseReducers = {
  'farmer.updated': (cache) => refetch(cache, OWN),
  // What it changes comes with `farmer.updated`.
  'farm.paused': () => {},
} satisfies FeatureReducers;

/** Returns the pause of the signed-in person's farm, with its end in words; undefined while it takes orders. */
export function useOwnPause(): (FarmPause & { end: string }) | undefined {
  const { data } = useQuery(ownPauseQuery());
  const now = useNow(CLOCK_STEP_MS);
  const until = Date.parse(data?.pausedUntil ?? '');
  if (!data || !(until > now)) return undefined;
  const { timeZone } = data;
  return { ...data, end: formatMoment(wallClockIn(timeZone, until), dayIn(timeZone, now)) };
}

/** Lets the farm take orders again. */
export const useResume = () =>
  useCommand(() => call(pauseApi.resume), {
    done: t('Your farm takes orders again. Customers see it at once.'),
    refetches: OWN,
  });
