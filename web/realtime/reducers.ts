import { notifyManager, type QueryClient } from '@tanstack/react-query';
import type { Envelope, EventName } from '#contract/realtime';
import { adminReducers } from '../admin/events.ts';
import { categoryReducers } from '../categories/events.ts';
import { farmerReducers } from '../farmers/events.ts';
import { messageReducers } from '../messages/events.ts';
import { notificationReducers } from '../notifications/events.ts';
import { orderReducers } from '../orders/events.ts';
import { productReducers } from '../products/events.ts';
import { userReducers } from '../users/events.ts';
import { connectionReducers } from './events.ts';
import { refetch } from './in-flight.ts';
import type { FeatureReducers, Reducer } from './reducer.ts';

/** The events that at least one of these features cares for. */
type CaredFor<Features extends readonly FeatureReducers[]> = {
  [Index in keyof Features]: keyof Features[Index];
}[number];

/** The features as they are, or, where nobody cares for some event, the name of that event. */
type Complete<Features extends readonly FeatureReducers[]> = [
  Exclude<EventName, CaredFor<Features>>,
] extends [never]
  ? Features
  : { 'no reducer for': Exclude<EventName, CaredFor<Features>> };

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
 * Works one event into the cache, feature by feature. A reducer that fails stops no other; what it
 * left undone is read again.
 */
export function applyEvent(cache: QueryClient, event: Envelope): void {
  notifyManager.batch(() => {
    for (const feature of features) {
      try {
        (feature[event.name] as Reducer<EventName> | undefined)?.(cache, event);
      } catch (error) {
        console.error(`The event ${event.name} could not be worked in.`, error);
        refetch(cache, []);
      }
    }
  });
}
