import { authKeys } from '../../people/auth/queries.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** Keeps current who the signed-in person is, and what they may do for their farm. */
export const sessionReducers = {
  'account.changed': (cache) => refetch(cache, authKeys.all),
  'member.changed': (cache) => refetch(cache, authKeys.all),
} satisfies FeatureReducers;
