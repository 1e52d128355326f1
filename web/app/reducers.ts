import { notifyManager, type QueryClient } from '@tanstack/react-query';
import type { Envelope, EventName } from '#contract/events';
import { adminReducers } from '../admin/events.ts';
import { categoryReducers } from '../categories/events.ts';
import { farmerReducers } from '../farmers/events.ts';
import { messageReducers } from '../messages/events.ts';
import { notificationReducers } from '../notifications/events.ts';
import { orderReducers } from '../orders/events.ts';
import { productReducers } from '../products/events.ts';
import { connectionReducers } from '../realtime/events.ts';
import { refetch } from '../realtime/in-flight.ts';
import type { FeatureReducers, Reducer } from '../realtime/reducer.ts';
import { userReducers } from '../users/events.ts';

/** The events that at least one of these features handles. */
type Handled<Features extends readonly FeatureReducers[]> = {
  [Index in keyof Features]: keyof Features[Index];
}[number];

/** The features themselves, or the names of the events that none of them handles. */
type Complete<Features extends readonly FeatureReducers[]> = [
  Exclude<EventName, Handled<Features>>,
] extends [never]
  ? Features
  : { 'no reducer for': Exclude<EventName, Handled<Features>> };

/** Takes the features' reducers; does not compile while an event has none. */
function complete<const Features extends readonly FeatureReducers[]>(
  features: Features & Complete<Features>,
): readonly FeatureReducers[] {
  return features;
}

const features = complete([
  connectionReducers,
  orderReducers,
  productReducers,
  categoryReducers,
  farmerReducers,
  messageReducers,
  notificationReducers,
  userReducers,
  adminReducers,
]);

/**
 * Applies an event to the query cache, feature by feature. A reducer that fails does not stop the
 * others; everything is refetched then.
 */
export function applyEvent(cache: QueryClient, event: Envelope): void {
  notifyManager.batch(() => {
    for (const feature of features) {
      try {
        (feature[event.name] as Reducer<EventName> | undefined)?.(cache, event);
      } catch (error) {
        console.error(`A reducer failed on ${event.name}; refetching.`, error);
        refetch(cache, []);
      }
    }
  });
}
