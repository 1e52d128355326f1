import { authKeys } from '../auth/keys.ts';
import { refetch } from '../realtime/in-flight.ts';
import type { FeatureReducers } from '../realtime/reducer.ts';

/** Keeps current what the signed-in person may do for their farm. */
export const sessionReducers = {
  'member.changed': (cache) => refetch(cache, authKeys.all),
} satisfies FeatureReducers;
