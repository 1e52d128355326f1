import type { EventName } from '#contract/platform/events/event';
import { adminReducers } from '../../admin/admin/events.ts';
import { stockAlertReducers } from '../../catalogue/stock-alerts/queries.ts';
import { memberReducers } from '../../farm/members/queries.ts';
import { messageReducers } from '../../farm/messages/events.ts';
import { openingReducers } from '../../farm/opening/queries.ts';
import { scheduleReducers } from '../../farm/schedule/queries.ts';
import { paymentReducers } from '../../money/payment/events.ts';
import { cartReducers } from '../../ordering/cart/events.ts';
import { orderNewsReducers } from '../../ordering/news/events.ts';
import { orderReducers } from '../../ordering/orders/events.ts';
import { picklistReducers } from '../../ordering/picklist/events.ts';
import { addressReducers } from '../../people/addresses/queries.ts';
import { notificationReducers } from '../../people/notifications/events.ts';
import { userReducers } from '../../people/users/queries.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { eventsFor } from './apply-event.ts';
import { sessionReducers } from './session-events.ts';
import { visitorReducers } from './visitor-reducers.ts';

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
  ...visitorReducers,
  orderReducers,
  sessionReducers,
  addressReducers,
  cartReducers,
  memberReducers,
  messageReducers,
  notificationReducers,
  orderNewsReducers,
  openingReducers,
  paymentReducers,
  picklistReducers,
  scheduleReducers,
  stockAlertReducers,
  userReducers,
  adminReducers,
]);

/** Applies any event to the query cache. */
export const events = eventsFor(features);
export const applyEvent = events.apply;
