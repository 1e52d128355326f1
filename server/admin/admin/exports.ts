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
import { listUsers } from '../../people/users/service.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { inLanguageOf } from '../../platform/market/readers.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { listAudit } from './audit.ts';

/** A cell of an export; null is an empty cell. */
type CsvValue = string | number | null;

/** A column of an export. */
interface CsvColumn<Row> {
  header: () => string;
  value: (row: Row) => CsvValue;
}

/**
 * What a spreadsheet takes for the start of a formula, full-width forms included. A tab, a line break or
 * a space before it is skipped by some spreadsheets.
 */
const FORMULA_START = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

/** Texts that need quotes after RFC 4180; outer spaces are kept by some readers only within quotes. */
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * Returns one cell. A text that a spreadsheet would run as a formula gets an apostrophe in front, which
 * spreadsheets show as text; numbers stay numbers.
 */
export function csvCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA_START.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const line = (cells: readonly CsvValue[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** Returns rows as CSV after RFC 4180, with the header only if asked for. */
export function toCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
  { hasHeader }: { hasHeader: boolean },
): string {
  const header = hasHeader ? line(columns.map((column) => column.header())) : '';
  return header + rows.map((row) => line(columns.map((column) => column.value(row)))).join('');
}

const yesOrNo = (value: boolean | undefined): string =>
  value ? t('in a table|yes') : t('in a table|no');

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

const ORDER_COLUMNS: readonly CsvColumn<Order>[] = [
  { header: () => t('Order'), value: (order) => order._id },
  { header: () => t('Placed (UTC)'), value: (order) => order.createdAt },
  { header: () => t('Status'), value: (order) => writeMessage(STATUSES[order.status]) },
  { header: () => t('Customer'), value: (order) => order.consumer.name },
  { header: () => t('Customer email'), value: (order) => order.consumer.email },
  { header: () => t('Customer phone'), value: (order) => order.consumer.phone },
  { header: () => t('Farm'), value: (order) => order.farmer.farmName },
  { header: () => t('Farmer'), value: (order) => order.farmer.name },
  { header: () => t('Farmer email'), value: (order) => order.farmer.email },
  { header: () => t('Farmer phone'), value: (order) => order.farmer.phone },
  {
    header: () => t('Items'),
    value: (order) => order.items.map(formatLine).join('; '),
  },
  { header: () => t('Total'), value: (order) => order.totalAmount },
  { header: () => t('Payment'), value: (order) => writeMessage(PAYMENTS[order.paymentMethod]) },
  {
    header: () => t('Pickup or delivery'),
    value: ({ deliveryDetails }) =>
      deliveryDetails ? t('in a table|delivery') : t('in a table|pickup'),
  },
  { header: () => t('Date'), value: (order) => slotOf(order).date || null },
  { header: () => t('Time'), value: (order) => slotOf(order).time || null },
  {
    header: () => t('Place'),
    value: ({ pickupDetails, deliveryDetails }) =>
      deliveryDetails ? formatAddress(deliveryDetails.address) : (pickupDetails?.location ?? null),
  },
  { header: () => t('Notes'), value: (order) => order.notes },
];

const USER_COLUMNS: readonly CsvColumn<User>[] = [
  { header: () => t('User'), value: (user) => user._id },
  { header: () => t('Name'), value: (user) => user.name },
  { header: () => t('Email'), value: (user) => user.email },
  { header: () => t('Role'), value: (user) => writeMessage(ROLES[user.role]) },
  { header: () => t('Phone'), value: (user) => user.phone },
  { header: () => partLabel('street'), value: (user) => user.address.street },
  { header: () => partLabel('city'), value: (user) => user.address.city },
  { header: () => partLabel('state'), value: (user) => user.address.state },
  { header: () => partLabel('zipCode'), value: (user) => user.address.zipCode },
  { header: () => t('Joined (UTC)'), value: (user) => user.createdAt },
  { header: () => t('Email verified'), value: (user) => yesOrNo(user.isEmailVerified) },
  { header: () => t('Suspended'), value: (user) => yesOrNo(user.isSuspended) },
];

const AUDIT_COLUMNS: readonly CsvColumn<AuditRecord>[] = [
  { header: () => t('At (UTC)'), value: (entry) => entry.at },
  { header: () => t('Admin'), value: (entry) => entry.admin.name },
  { header: () => t('Admin id'), value: (entry) => entry.admin._id },
  { header: () => t('Action'), value: (entry) => entry.action },
  { header: () => t('Target'), value: (entry) => entry.targetName },
  { header: () => t('Target id'), value: (entry) => entry.targetId },
  { header: () => t('Details'), value: (entry) => JSON.stringify(entry.detail) },
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
      csv: toCsv(columns, page.items, { hasHeader: isFirst }),
      rows: page.items.length,
      nextCursor: page.nextCursor,
    }));
  };

/** Returns a part of all orders as CSV. */
export const exportOrders = exportOf<Order, AllOrdersQuery>('orders', ORDER_COLUMNS, listAllOrders);

/** Returns a part of all accounts as CSV. */
export const exportUsers = exportOf<User, UserListQuery>('users', USER_COLUMNS, listUsers);

/** Returns a part of the audit as CSV. */
export const exportAudit = exportOf<AuditRecord, AuditQuery>('audit', AUDIT_COLUMNS, listAudit);
