import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { scheduleKeys } from './keys.ts';

/** Keeps farms' days current: hours, cut-offs and closed days all change with the farm. */
export const scheduleReducers = {
  'farmer.updated': (cache, event) => {
    refetch(cache, scheduleKeys.days(event.data._id));
    // It may be one's own; whoever works for no farm has nothing to refetch.
    refetch(cache, scheduleKeys.own());
  },
  'farmer.deleted': (cache, event) => refetch(cache, scheduleKeys.days(event.data._id)),
  'farmer.listingChanged': (cache, event) => refetch(cache, scheduleKeys.days(event.data._id)),
} satisfies FeatureReducers;
