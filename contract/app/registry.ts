import type { accountExportApi } from '#contract/admin/account-export/account-export';
import { type adminApi, adminEvents } from '#contract/admin/admin/admin';
import type { healthApi } from '#contract/admin/health/health';
import type { marketPagesApi } from '#contract/admin/market-pages/market-pages';
import { type moderationApi, moderationEvents } from '#contract/admin/moderation/moderation';
import type { setupApi } from '#contract/admin/setup/setup';
import { type categoriesApi, categoryEvents } from '#contract/catalogue/categories/categories';
import type { followsApi } from '#contract/catalogue/follows/follows';
import { importEvents, type importsApi } from '#contract/catalogue/imports/imports';
import { productEvents, type productsApi } from '#contract/catalogue/products/products';
import type { stockAlertsApi } from '#contract/catalogue/stock-alerts/stock-alerts';
import type { certificateApi } from '#contract/farm/certificate/certificate';
import { farmerEvents, type farmersApi } from '#contract/farm/farmers/farmers';
import { memberEvents, type membersApi } from '#contract/farm/members/members';
import { messageEvents, type messagesApi } from '#contract/farm/messages/messages';
import { type openingApi, openingEvents } from '#contract/farm/opening/opening';
import { type pauseApi, pauseEvents } from '#contract/farm/pause/pause';
import { placeEvents, type placesApi } from '#contract/farm/places/places';
import type { scheduleApi } from '#contract/farm/schedule/schedule';
import { slotEvents, type slotsApi } from '#contract/farm/slots/slots';
import type { paymentApi } from '#contract/money/payment/payment';
import { type attentionApi, attentionEvents } from '#contract/ordering/attention/attention';
import type { calendarApi } from '#contract/ordering/calendar/calendar';
import type { orderChangesApi } from '#contract/ordering/changes/order-changes';
import type { lotsApi } from '#contract/ordering/lots/lots';
import type { movesApi } from '#contract/ordering/moves/moves';
import { orderEvents, type ordersApi } from '#contract/ordering/orders/orders';
import { type picklistApi, picklistEvents } from '#contract/ordering/picklist/picklist';
import type { weightsApi } from '#contract/ordering/weights/weights';
import type { addressesApi } from '#contract/people/addresses/addresses';
import type { authApi } from '#contract/people/auth/auth';
import {
  notificationEvents,
  type notificationsApi,
} from '#contract/people/notifications/notifications';
import type { phoneApi } from '#contract/people/phone/phone';
import type { secondFactorApi } from '#contract/people/second-factor/second-factor';
import { userEvents, type usersApi } from '#contract/people/users/users';
import type { clientErrorsApi } from '#contract/platform/client-errors/client-errors';
import {
  connectionEvents,
  type EventName,
  type LoggedEventName,
} from '#contract/platform/events/event';
import type { eventsApi } from '#contract/platform/events/log';
import { type Envelope, EnvelopeHead } from '#contract/platform/events/socket';
import { type marketApi, marketEvents } from '#contract/platform/market/market';
import type { uploadsApi } from '#contract/platform/uploads/uploads';

/** Every event that the server sends. Each feature declares its own in its file of the contract. */
export const EVENTS = {
  ...orderEvents,
  ...attentionEvents,
  ...memberEvents,
  ...picklistEvents,
  ...placeEvents,
  ...slotEvents,
  ...messageEvents,
  ...productEvents,
  ...importEvents,
  ...categoryEvents,
  ...farmerEvents,
  ...openingEvents,
  ...pauseEvents,
  ...marketEvents,
  ...notificationEvents,
  ...userEvents,
  ...adminEvents,
  ...moderationEvents,
  ...connectionEvents,
};

type Events = typeof EVENTS;

declare module '#contract/platform/events/event' {
  interface EventRegistry extends Events {}
}

declare module '#contract/platform/http/endpoint' {
  /** Every call. Each feature declares its own in its file of the contract. */
  interface ApiRegistry {
    accountExport: typeof accountExportApi;
    admin: typeof adminApi;
    health: typeof healthApi;
    marketPages: typeof marketPagesApi;
    moderation: typeof moderationApi;
    setup: typeof setupApi;
    categories: typeof categoriesApi;
    products: typeof productsApi;
    imports: typeof importsApi;
    stockAlerts: typeof stockAlertsApi;
    follows: typeof followsApi;
    certificate: typeof certificateApi;
    farmers: typeof farmersApi;
    members: typeof membersApi;
    messages: typeof messagesApi;
    opening: typeof openingApi;
    pause: typeof pauseApi;
    places: typeof placesApi;
    schedule: typeof scheduleApi;
    slots: typeof slotsApi;
    payment: typeof paymentApi;
    attention: typeof attentionApi;
    calendar: typeof calendarApi;
    orderChanges: typeof orderChangesApi;
    lots: typeof lotsApi;
    moves: typeof movesApi;
    orders: typeof ordersApi;
    picklist: typeof picklistApi;
    weights: typeof weightsApi;
    addresses: typeof addressesApi;
    auth: typeof authApi;
    notifications: typeof notificationsApi;
    phone: typeof phoneApi;
    secondFactor: typeof secondFactorApi;
    users: typeof usersApi;
    clientErrors: typeof clientErrorsApi;
    events: typeof eventsApi;
    market: typeof marketApi;
    uploads: typeof uploadsApi;
  }
}

export const LOGGED_EVENT_NAMES = (Object.keys(EVENTS) as EventName[]).filter(
  (name): name is LoggedEventName => EVENTS[name].isLogged,
);

/** Parses a received envelope. @throws ZodError when it does not match the contract */
export function parseEnvelope<Name extends EventName>(name: Name, input: unknown): Envelope<Name> {
  const head = EnvelopeHead.parse(input);
  return { ...head, name, data: EVENTS[name].data.parse(head.data) } as Envelope<Name>;
}
