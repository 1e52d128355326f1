import type { AuditQuery, AuditRecord, ExportPart } from '#contract/admin/admin/admin';
import { slotOf } from '#contract/farm/slots/constants';
import type { AllOrdersQuery, Order } from '#contract/ordering/orders/orders';
import type { User, UserListQuery } from '#contract/people/users/users';
import type { Page } from '#contract/platform/http/http';
import type { OrderStatus } from '#contract/platform/orders/constants';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { partLabel } from '#contract/platform/text/constants/address-words';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { listAllOrders } from '../../ordering/model/read.ts';
import { readSkus } from '../../ordering/model/skus.ts';
import { listUsers } from '../../people/users/service.ts';
import { type CsvColumn, columnsOf, toCsv } from '../../platform/http/csv.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { inLanguageOf } from '../../platform/market/readers.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { listAudit } from './audit.ts';

const STATUSES: Record<OrderStatus, Message> = {
  pending: msg('in a table|pending'),
  accepted: msg('in a table|accepted'),
  rejected: msg('in a table|rejected'),
  completed: msg('in a table|completed'),
  cancelled: msg('in a table|cancelled'),
};
const PAYMENTS: Record<Order['paymentMethod'], Message> = {
  cash: msg('in a table|cash'),
  bank_transfer: msg('in a table|bank_transfer'),
  other: msg('in a table|other'),
};
const ROLES: Record<User['role'], Message> = {
  consumer: msg('in a table|consumer'),
  farmer: msg('in a table|farmer'),
  admin: msg('in a table|admin'),
};

/** An order, with the SKUs of its lines as they are now. */
type ExportedOrder = Order & { skus: string[] };

const order = columnsOf<ExportedOrder>();
const ORDER_COLUMNS = [
  order.text(
    () => t('Order'),
    ({ _id }) => _id,
  ),
  order.instant(
    (zone) => t('Placed ({zone})', { zone }),
    ({ createdAt }) => createdAt,
  ),
  order.text(
    () => t('Status'),
    ({ status }) => writeMessage(STATUSES[status]),
  ),
  order.text(
    () => t('Customer'),
    ({ consumer }) => consumer.name,
  ),
  order.text(
    () => t('Customer email'),
    ({ consumer }) => consumer.email,
  ),
  order.phone(
    () => t('Customer phone'),
    ({ consumer }) => consumer.phone,
  ),
  order.text(
    () => t('Farm'),
    ({ farmer }) => farmer.farmName,
  ),
  order.text(
    () => t('Farmer'),
    ({ farmer }) => farmer.name,
  ),
  order.text(
    () => t('Farmer email'),
    ({ farmer }) => farmer.email,
  ),
  order.phone(
    () => t('Farmer phone'),
    ({ farmer }) => farmer.phone,
  ),
  order.text(
    () => t('Items'),
    ({ items }) => items.map(formatLine).join('; '),
  ),
  order.text(
    () => t('SKUs'),
    ({ skus }) => skus.join('; '),
  ),
  order.number(
    () => t('Total'),
    ({ totalAmount }) => totalAmount,
  ),
  order.text(
    () => t('Payment'),
    ({ paymentMethod }) => writeMessage(PAYMENTS[paymentMethod]),
  ),
  order.text(
    () => t('Pickup or delivery'),
    ({ deliveryDetails }) => (deliveryDetails ? t('in a table|delivery') : t('in a table|pickup')),
  ),
  order.wall(
    () => t('Date'),
    (one) => slotOf(one).date,
  ),
  order.wall(
    () => t('Time'),
    (one) => slotOf(one).time,
  ),
  order.text(
    () => t('Place'),
    ({ pickupDetails, deliveryDetails }) =>
      deliveryDetails ? formatAddress(deliveryDetails.address) : pickupDetails?.location,
  ),
  order.text(
    () => t('Notes'),
    ({ notes }) => notes,
  ),
];

const user = columnsOf<User>();
const USER_COLUMNS = [
  user.text(
    () => t('User'),
    ({ _id }) => _id,
  ),
  user.text(
    () => t('Name'),
    ({ name }) => name,
  ),
  user.text(
    () => t('Email'),
    ({ email }) => email,
  ),
  user.text(
    () => t('Role'),
    ({ role }) => writeMessage(ROLES[role]),
  ),
  user.phone(
    () => t('Phone'),
    ({ phone }) => phone,
  ),
  user.text(
    () => partLabel('street'),
    ({ address }) => address.street,
  ),
  user.text(
    () => partLabel('city'),
    ({ address }) => address.city,
  ),
  user.text(
    () => partLabel('state'),
    ({ address }) => address.state,
  ),
  user.text(
    () => partLabel('zipCode'),
    ({ address }) => address.zipCode,
  ),
  user.instant(
    (zone) => t('Joined ({zone})', { zone }),
    ({ createdAt }) => createdAt,
  ),
  user.yesOrNo(
    () => t('Email verified'),
    ({ isEmailVerified }) => isEmailVerified ?? false,
  ),
  user.yesOrNo(
    () => t('Suspended'),
    ({ isSuspended }) => isSuspended ?? false,
  ),
];

const entry = columnsOf<AuditRecord>();
const AUDIT_COLUMNS = [
  entry.instant(
    (zone) => t('At ({zone})', { zone }),
    ({ at }) => at,
  ),
  entry.text(
    () => t('Admin'),
    ({ admin }) => admin.name,
  ),
  entry.text(
    () => t('Admin id'),
    ({ admin }) => admin._id,
  ),
  entry.text(
    () => t('Action'),
    ({ action }) => action,
  ),
  entry.text(
    () => t('Target'),
    ({ targetName }) => targetName,
  ),
  entry.text(
    () => t('Target id'),
    ({ targetId }) => targetId,
  ),
  entry.text(
    () => t('Details'),
    ({ detail }) => JSON.stringify(detail),
  ),
];

/**
 * Declares the export of a list. The first part of each export is audited, without what was searched
 * for, which may name a person.
 */
const exportOf =
  <Row, Query extends { cursor?: string | undefined }>(
    target: 'orders' | 'users' | 'audit',
    columns: readonly CsvColumn<Row>[],
    list: (platform: Platform, query: Query) => Promise<Page<Row>>,
  ) =>
  async (platform: Platform, admin: SessionUser, query: Query): Promise<ExportPart> => {
    const isFirst = query.cursor === undefined;
    if (isFirst) await audit(platform.db, admin, 'list.exported', target);
    const page = await list(platform, query);
    return inLanguageOf(admin.language, async () => ({
      csv: toCsv(columns, page.items, { hasHeadings: isFirst }),
      rows: page.items.length,
      nextCursor: page.nextCursor,
    }));
  };

async function listExportedOrders(
  platform: Platform,
  query: AllOrdersQuery,
): Promise<Page<ExportedOrder>> {
  const page = await listAllOrders(platform, query);
  const skuOf = await readSkus(
    platform.db,
    page.items.flatMap(({ items }) => items),
  );
  const items = page.items.map((each) => ({
    ...each,
    skus: each.items.flatMap((line) => skuOf(line) ?? []),
  }));
  return { ...page, items };
}

/** Returns a part of all orders as CSV. */
export const exportOrders = exportOf<ExportedOrder, AllOrdersQuery>(
  'orders',
  ORDER_COLUMNS,
  listExportedOrders,
);

/** Returns a part of all accounts as CSV. */
export const exportUsers = exportOf<User, UserListQuery>('users', USER_COLUMNS, listUsers);

/** Returns a part of the audit as CSV. */
export const exportAudit = exportOf<AuditRecord, AuditQuery>('audit', AUDIT_COLUMNS, listAudit);
