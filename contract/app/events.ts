import { adminEvents } from '#contract/admin/admin/admin';
import { moderationEvents } from '#contract/admin/moderation/moderation';
import { categoryEvents } from '#contract/catalogue/categories/categories';
import { productEvents } from '#contract/catalogue/products/products';
import { farmerEvents } from '#contract/farm/farmers/farmers';
import { memberEvents } from '#contract/farm/members/members';
import { messageEvents } from '#contract/farm/messages/messages';
import { openingEvents } from '#contract/farm/opening/opening';
import { placeEvents } from '#contract/farm/places/places';
import { slotEvents } from '#contract/farm/slots/slots';
import { orderEvents } from '#contract/ordering/orders/orders';
import { picklistEvents } from '#contract/ordering/picklist/picklist';
import { notificationEvents } from '#contract/people/notifications/notifications';
import { userEvents } from '#contract/people/users/users';
import {
  connectionEvents,
  type EventName,
  type EventRegistry,
  type LoggedEventName,
} from '#contract/platform/events/event';
import { type Envelope, EnvelopeHead } from '#contract/platform/events/socket';
import { marketEvents } from '#contract/platform/market/market';

/** Every event that the server sends. Each feature declares its own in its file of the contract. */
export const EVENTS = {
  ...orderEvents,
  ...memberEvents,
  ...picklistEvents,
  ...placeEvents,
  ...slotEvents,
  ...messageEvents,
  ...productEvents,
  ...categoryEvents,
  ...farmerEvents,
  ...openingEvents,
  ...marketEvents,
  ...notificationEvents,
  ...userEvents,
  ...adminEvents,
  ...moderationEvents,
  ...connectionEvents,
} satisfies EventRegistry;

export const LOGGED_EVENT_NAMES = (Object.keys(EVENTS) as EventName[]).filter(
  (name): name is LoggedEventName => EVENTS[name].isLogged,
);

/** Parses a received envelope. @throws ZodError when it does not match the contract */
export function parseEnvelope<Name extends EventName>(name: Name, input: unknown): Envelope<Name> {
  const head = EnvelopeHead.parse(input);
  return { ...head, name, data: EVENTS[name].data.parse(head.data) } as Envelope<Name>;
}
