import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { membersKeys } from './keys.ts';

/** Keeps the people of the farm current. The event has no names and addresses, so they are fetched again. */
export const memberReducers = {
  'member.changed': (cache) => refetch(cache, membersKeys.list()),
} satisfies FeatureReducers;
