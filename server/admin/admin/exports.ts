import type { AuditQuery, AuditRecord, ExportPart } from '#contract/admin/admin/admin';
import { slotOf, wayOf } from '#contract/farm/slots/constants';
import type { AllOrdersQuery, Order } from '#contract/ordering/orders/orders';
import type { User, UserListQuery } from '#contract/people/users/users';
import type { Page } from '#contract/platform/http/http';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { listAllOrders } from '../../ordering/model/read.ts';
import { listUsers } from '../../people/users/service.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { listAudit } from './audit.ts';

/** A cell of an export; null is an empty cell. */
type CsvValue = string | number | null;

/** A column of an export. */
interface CsvColumn<Row> {
  header: string;
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
  const header = hasHeader ? line(columns.map((column) => column.header)) : '';
  return header + rows.map((row) => line(columns.map((column) => column.value(row)))).join('');
}

const yesOrNo = (value: boolean | undefined): string => (value ? 'yes' : 'no');

const ORDER_COLUMNS: readonly CsvColumn<Order>[] = [
  { header: 'Order', value: (order) => order._id },
  { header: 'Placed (UTC)', value: (order) => order.createdAt },
  { header: 'Status', value: (order) => order.status },
  { header: 'Customer', value: (order) => order.consumer.name },
  { header: 'Customer email', value: (order) => order.consumer.email },
  { header: 'Customer phone', value: (order) => order.consumer.phone },
  { header: 'Farm', value: (order) => order.farmer.farmName },
  { header: 'Farmer', value: (order) => order.farmer.name },
  { header: 'Farmer email', value: (order) => order.farmer.email },
  { header: 'Farmer phone', value: (order) => order.farmer.phone },
  {
    header: 'Items',
    value: (order) => order.items.map(formatLine).join('; '),
  },
  { header: 'Total', value: (order) => order.totalAmount },
  { header: 'Payment', value: (order) => order.paymentMethod },
  { header: 'Pickup or delivery', value: (order) => wayOf(slotOf(order)).toLowerCase() },
  { header: 'Date', value: (order) => slotOf(order).date || null },
  { header: 'Time', value: (order) => slotOf(order).time || null },
  {
    header: 'Place',
    value: ({ pickupDetails, deliveryDetails }) =>
      deliveryDetails ? formatAddress(deliveryDetails.address) : (pickupDetails?.location ?? null),
  },
  { header: 'Notes', value: (order) => order.notes },
];

const USER_COLUMNS: readonly CsvColumn<User>[] = [
  { header: 'User', value: (user) => user._id },
  { header: 'Name', value: (user) => user.name },
  { header: 'Email', value: (user) => user.email },
  { header: 'Role', value: (user) => user.role },
  { header: 'Phone', value: (user) => user.phone },
  { header: 'Street', value: (user) => user.address.street },
  { header: 'City', value: (user) => user.address.city },
  { header: 'State', value: (user) => user.address.state },
  { header: 'ZIP code', value: (user) => user.address.zipCode },
  { header: 'Joined (UTC)', value: (user) => user.createdAt },
  { header: 'Email verified', value: (user) => yesOrNo(user.isEmailVerified) },
  { header: 'Suspended', value: (user) => yesOrNo(user.isSuspended) },
];

const AUDIT_COLUMNS: readonly CsvColumn<AuditRecord>[] = [
  { header: 'At (UTC)', value: (entry) => entry.at },
  { header: 'Admin', value: (entry) => entry.admin.name },
  { header: 'Admin id', value: (entry) => entry.admin._id },
  { header: 'Action', value: (entry) => entry.action },
  { header: 'Target', value: (entry) => entry.targetName },
  { header: 'Target id', value: (entry) => entry.targetId },
  { header: 'Details', value: (entry) => JSON.stringify(entry.detail) },
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
    return {
      csv: toCsv(columns, page.items, { hasHeader: isFirst }),
      rows: page.items.length,
      nextCursor: page.nextCursor,
    };
  };

/** Returns a part of all orders as CSV. */
export const exportOrders = exportOf<Order, AllOrdersQuery>('orders', ORDER_COLUMNS, listAllOrders);

/** Returns a part of all accounts as CSV. */
export const exportUsers = exportOf<User, UserListQuery>('users', USER_COLUMNS, listUsers);

/** Returns a part of the audit as CSV. */
export const exportAudit = exportOf<AuditRecord, AuditQuery>('audit', AUDIT_COLUMNS, listAudit);
