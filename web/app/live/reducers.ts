import type { EventName } from '#contract/platform/events/event';
import { adminReducers } from '../../admin/admin/events.ts';
import { followReducers } from '../../catalogue/follows/queries.ts';
import { importReducers } from '../../catalogue/imports/queries.ts';
import { memberReducers } from '../../farm/members/queries.ts';
import { messageReducers } from '../../farm/messages/events.ts';
import { openingReducers } from '../../farm/opening/queries.ts';
import { pauseReducers } from '../../farm/pause/queries.ts';
import { scheduleReducers } from '../../farm/schedule/queries.ts';
import { paymentReducers } from '../../money/payment/events.ts';
import { attentionReducers } from '../../ordering/attention/events.ts';
import { cartReducers } from '../../ordering/cart/checkout/attempt.ts';
import { lotReducers } from '../../ordering/lots/queries.ts';
import { orderNoticeReducers } from '../../ordering/news/events.ts';
import { orderReducers } from '../../ordering/orders/events.ts';
import { picklistReducers } from '../../ordering/picklist/events.ts';
import { addressReducers } from '../../people/addresses/queries.ts';
import { authKeys } from '../../people/auth/queries.ts';
import { notificationReducers } from '../../people/notifications/events.ts';
import { userReducers } from '../../people/users/queries.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { liveConnection } from '../../platform/realtime/live.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { eventsFor, visitorReducers } from './live.ts';

/** Keeps current who the signed-in person is, and what they may do for their farm. */
const sessionReducers = {
  'account.changed': (cache) => refetch(cache, authKeys.all),
  'member.changed': (cache) => refetch(cache, authKeys.all),
} satisfies FeatureReducers;

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

const events = eventsFor(
  complete([
    ...visitorReducers,
    orderReducers,
    sessionReducers,
    addressReducers,
    attentionReducers,
    cartReducers,
    lotReducers,
    memberReducers,
    messageReducers,
    notificationReducers,
    orderNoticeReducers,
    openingReducers,
    pauseReducers,
    paymentReducers,
    picklistReducers,
    scheduleReducers,
    followReducers,
    importReducers,
    userReducers,
    adminReducers,
  ]),
);

/** Applies any event to the query cache. */
export const applyEvent = events.apply;

/** Opens the live connection of a signed-in user, with the reducers of all features. */
export const openLiveConnection = liveConnection(events);
