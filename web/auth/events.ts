import { refetch } from '../realtime/in-flight.ts';
import type { FeatureReducers } from '../realtime/reducer.ts';
import { authKeys } from './keys.ts';

/** Keeps current what the signed-in person may do for their farm. */
export const authReducers = {
  'member.changed': (cache) => refetch(cache, authKeys.all),
} satisfies FeatureReducers;
