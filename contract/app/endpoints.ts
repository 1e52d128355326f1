import type { accountExportApi } from '#contract/admin/account-export/account-export';
import type { adminApi } from '#contract/admin/admin/admin';
import type { healthApi } from '#contract/admin/health/health';
import type { marketApi } from '#contract/admin/market/market';
import type { marketPagesApi } from '#contract/admin/market-pages/market-pages';
import type { moderationApi } from '#contract/admin/moderation/moderation';
import type { setupApi } from '#contract/admin/setup/setup';
import type { categoriesApi } from '#contract/catalogue/categories/categories';
import type { productsApi } from '#contract/catalogue/products/products';
import type { stockAlertsApi } from '#contract/catalogue/stock-alerts/stock-alerts';
import type { farmersApi } from '#contract/farm/farmers/farmers';
import type { membersApi } from '#contract/farm/members/members';
import type { messagesApi } from '#contract/farm/messages/messages';
import type { openingApi } from '#contract/farm/opening/opening';
import type { placesApi } from '#contract/farm/places/places';
import type { scheduleApi } from '#contract/farm/schedule/schedule';
import type { slotsApi } from '#contract/farm/slots/slots';
import type { paymentApi } from '#contract/money/payment/payment';
import type { calendarApi } from '#contract/ordering/calendar/calendar';
import type { orderChangesApi } from '#contract/ordering/changes/order-changes';
import type { ordersApi } from '#contract/ordering/orders/orders';
import type { picklistApi } from '#contract/ordering/picklist/picklist';
import type { weightsApi } from '#contract/ordering/weights/weights';
import type { addressesApi } from '#contract/people/addresses/addresses';
import type { authApi } from '#contract/people/auth/auth';
import type { notificationsApi } from '#contract/people/notifications/notifications';
import type { secondFactorApi } from '#contract/people/second-factor/second-factor';
import type { usersApi } from '#contract/people/users/users';
import type { clientErrorsApi } from '#contract/platform/client-errors/client-errors';
import type { Call } from '#contract/platform/http/constants/http';
import type { uploadsApi } from '#contract/platform/uploads/uploads';

/** Every endpoint of every feature, as a type. */
type AnyEndpoint = ValueOf<
  | typeof accountExportApi
  | typeof addressesApi
  | typeof adminApi
  | typeof authApi
  | typeof calendarApi
  | typeof categoriesApi
  | typeof clientErrorsApi
  | typeof farmersApi
  | typeof healthApi
  | typeof marketApi
  | typeof marketPagesApi
  | typeof membersApi
  | typeof messagesApi
  | typeof moderationApi
  | typeof notificationsApi
  | typeof openingApi
  | typeof orderChangesApi
  | typeof ordersApi
  | typeof paymentApi
  | typeof picklistApi
  | typeof placesApi
  | typeof productsApi
  | typeof scheduleApi
  | typeof secondFactorApi
  | typeof setupApi
  | typeof slotsApi
  | typeof stockAlertsApi
  | typeof uploadsApi
  | typeof usersApi
  | typeof weightsApi
>;

type ValueOf<Api> = Api extends unknown ? Api[keyof Api] : never;

/**
 * The endpoint at this method and path; `never` if there is none. This file imports only types, so
 * that a caller does not load the endpoint's schemas.
 */
export type EndpointAt<To extends Call> = Extract<
  AnyEndpoint,
  { method: To['method']; path: To['path'] }
>;
