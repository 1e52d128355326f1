import {
  AUDIT_SORTS,
  adminApi as calls,
  EXPORT_ROWS,
  FEED_KINDS,
  NOTE_MAX,
} from '#contract/admin/admin/constants';
import { Product } from '#contract/catalogue/products/product';
import { FarmProfile } from '#contract/farm/farmers/farmers';
import { Message, ThreadQuery } from '#contract/farm/messages/messages';
import { AllOrdersQuery, DayFigures, Order, StatusCounts } from '#contract/ordering/orders/orders';
import {
  DeletionOutlook,
  FarmRole,
  Person,
  PersonWithRole,
  User,
  UserListQuery,
} from '#contract/people/users/users';
import { AUDIT_ACTIONS } from '#contract/platform/audit/constants';
import { ephemeralEvent, event } from '#contract/platform/events/event';
import { endpoints } from '#contract/platform/http/endpoint';
import {
  Amount,
  dayRangeFields,
  Id,
  Instant,
  idParams,
  isDayRange,
  ListQuery,
  list,
  NO_DAY_IN_RANGE,
  named,
  one,
  requiredText,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

/** What the admin dashboard shows, over the whole market. */
export const AdminStats = named('AdminStats', {
  /** Without admins. */
  totalUsers: z.int(),
  usersByRole: z.object({
    consumer: z.int(),
    farmer: z.int(),
    admin: z.int(),
  }),
  totalOrders: z.int(),
  ordersByStatus: StatusCounts,
  categoryCount: z.int(),
  /** The sum of completed orders. */
  revenue: Amount,
  /** The last 30 days, oldest first, without gaps. */
  days: z.array(DayFigures),
  /** Orders placed in each of the last 60 minutes, oldest first. */
  ordersPerMinute: z.array(z.object({ minute: Instant, orders: z.int() })),
  recentOrders: z.array(Order),
  recentProducts: z.array(Product),
  /** Pending for longer than the market's `unansweredMinutes`, the oldest first, at most 20. */
  unanswered: z.array(Order),
  /** What wants looking after, each with a list of its own. Absent only in answers of an older server. */
  attention: z
    .object({
      /** Pending for longer than the market's `unansweredMinutes`. */
      unansweredOrders: z.int(),
      openReports: z.int(),
      /** Farms that ask for approval. Absent only in answers of an older server. */
      waitingFarms: z.int().optional(),
      /** Farms on the market without anything that can be bought now. */
      farmsWithNothingForSale: z.int(),
      hiddenProducts: z.int(),
      suspendedPeople: z.int(),
      /** Without admins, in the last seven days of the market, today included. */
      newPeople: z.int(),
    })
    .optional(),
});
export type AdminStats = z.infer<typeof AdminStats>;

/** One line of the live feed; `order` is its state at that time. */
export const FeedItem = named('FeedItem', {
  /**
   * The kind and the id of the order, user, farm or attention, and for `order.statusChanged` the sequence of the
   * timeline's entry, joined by colons. So a repeated line has the same id.
   */
  _id: z.string(),
  kind: z.enum(FEED_KINDS),
  at: Instant,
  /** Who did it. */
  by: PersonWithRole.nullable(),
  order: Order.nullable(),
  /** The farm that the line is about, by its name; absent where an order says it. */
  farm: Person.optional(),
});
export type FeedItem = z.infer<typeof FeedItem>;

export const AuditRecord = named('AuditRecord', {
  _id: Id,
  at: Instant,
  admin: PersonWithRole,
  action: z.string(),
  targetId: z.string(),
  /** What it was done to is called this now; empty when it has no name or is gone. */
  targetName: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

export const AuditQuery = ListQuery.extend({
  ...dayRangeFields,
  admin: Id.optional(),
  action: z.enum(AUDIT_ACTIONS).optional(),
  /** Entries about this person, their orders or their products. */
  user: Id.optional(),
  sort: z.enum(AUDIT_SORTS).default('newest'),
}).refine(isDayRange, NO_DAY_IN_RANGE);
export type AuditQuery = z.infer<typeof AuditQuery>;

/** An internal note about an order or a person. Notes are never changed. */
export const AdminNote = named('AdminNote', {
  _id: Id,
  author: PersonWithRole,
  /** Empty once the account of the person, or of one of the order's parties, was deleted. */
  content: z.string(),
  createdAt: Instant,
});
export type AdminNote = z.infer<typeof AdminNote>;

export const AddNote = z.object({
  /** Made by the client so that a repeat is the same note. */
  _id: Id.optional(),
  content: requiredText(NOTE_MAX, () => t('Write something first.')),
});
export type AddNote = z.infer<typeof AddNote>;

/** Somebody who could take over a farm; `_id` is their membership's. */
export const Successor = named('Successor', { _id: Id, name: z.string(), role: FarmRole });

/** A person as admins see them, with what they did on the market. */
export const AdminPerson = named('AdminPerson', {
  /** Without contact when the account was deleted. */
  user: User,
  isDeleted: z.boolean(),
  /** Since when and why the account is suspended; null unless it is. Absent only in answers of an older server. */
  suspension: z.object({ at: Instant, reason: z.string() }).nullable().optional(),
  /** Since when a mail server refuses its email, and its reply. Absent only in answers of an older server. */
  unreachable: z.object({ since: Instant, reply: z.string() }).nullable().optional(),
  /** Whether it has an authenticator app or a passkey. Absent only in answers of an older server. */
  hasSecondFactor: z.boolean().optional(),
  /** A farm whose founder has left: nobody's account. Absent only in answers of an older server. */
  isFarm: z.boolean().optional(),
  /**
   * The farm that closes with this account unless one of these people takes it over; null when none does.
   * Absent only in answers of an older server.
   */
  closingFarm: z
    .object({ _id: Id, farmName: z.string(), successors: z.array(Successor) })
    .nullable()
    .optional(),
  /**
   * The farm that goes on under other owners when this owner's account is deleted, unless it is closed on purpose; null
   * for none. Absent only in answers of an older server.
   */
  sharedFarm: z.object({ _id: Id, farmName: z.string() }).nullable().optional(),
  /** What a deletion or a suspension concerns. Absent only in answers of an older server. */
  openOrders: DeletionOutlook.optional(),
  /** Null for anyone who has no farm. */
  farm: FarmProfile.nullable(),
  /** Orders they placed or received. */
  ordersByStatus: StatusCounts,
  /** The sum of these orders that were completed. */
  completedTotal: Amount,
  productCount: z.int(),
});
export type AdminPerson = z.infer<typeof AdminPerson>;

/**
 * A part of an export, as CSV after RFC 4180, in UTF-8 without a byte order mark, which the file gets. The first part
 * begins with the headings. Separator, decimals and clock are the market's.
 */
export const ExportPart = named('ExportPart', {
  csv: z.string(),
  rows: z.int(),
  nextCursor: z.string().nullable(),
});
export type ExportPart = z.infer<typeof ExportPart>;

const exportLimit = z.coerce.number().int().min(1).max(EXPORT_ROWS.part).default(EXPORT_ROWS.part);

/** How many people are connected now, by role. */
export const Connected = named('Connected', {
  visitor: z.int(),
  consumer: z.int(),
  farmer: z.int(),
  admin: z.int(),
});
export type Connected = z.infer<typeof Connected>;

export const adminEvents = {
  'connected.changed': ephemeralEvent({
    data: Connected,
    summary: 'How many are connected now.',
    audience: 'Admins.',
  }),
  // Without the note itself: what admins write about people is kept in one place, where it can be erased.
  'order.noteAdded': event({
    data: z.object({ _id: Id, order: Id }),
    summary: 'An admin wrote an internal note about an order.',
    audience: 'Admins.',
    rooms: [['admins']],
  }),
  'user.noteAdded': event({
    data: z.object({ _id: Id, user: Id }),
    summary: 'An admin wrote an internal note about a person.',
    audience: 'Admins.',
    rooms: [['admins']],
  }),
};

const orderParams = idParams(() => t('Order not found'));
const userParams = idParams(() => t('User not found'));

export const adminApi = endpoints(calls, {
  stats: {
    summary: 'Figures of the whole market',
    access: ['admin'],
    answer: one(AdminStats),
  },
  feed: {
    summary: 'What happened on the market, newest first',
    access: ['admin'],
    query: ListQuery,
    answer: list(FeedItem),
  },
  audit: {
    summary: 'What admins did, newest first',
    access: ['admin'],
    query: AuditQuery,
    answer: list(AuditRecord),
    rate: 'search',
  },
  openQueues: {
    summary: 'Open the board of job queues at /admin/queues to this browser for half an hour',
    access: ['admin'],
    status: 201,
    notRepeatable: 'Its answer sets a cookie that lets in.',
  },
  notes: {
    summary: 'Internal notes about an order, oldest first',
    access: ['admin'],
    params: orderParams,
    query: ListQuery,
    answer: list(AdminNote),
  },
  addNote: {
    summary: 'Write an internal note about an order, which only admins see',
    access: ['admin'],
    params: orderParams,
    body: AddNote,
    answer: one(AdminNote),
    status: 201,
  },
  orderMessages: {
    summary:
      'The newest messages between the two parties of an order, in time order; reading them is audited',
    access: ['admin'],
    params: orderParams,
    query: ThreadQuery,
    answer: list(Message),
  },
  userNotes: {
    summary: 'Internal notes about a person, oldest first',
    access: ['admin'],
    params: userParams,
    query: ListQuery,
    answer: list(AdminNote),
  },
  addUserNote: {
    summary: 'Write an internal note about a person, which only admins see',
    access: ['admin'],
    params: userParams,
    body: AddNote,
    answer: one(AdminNote),
    status: 201,
  },
  person: {
    summary: 'One person with their farm and figures, deleted accounts too',
    access: ['admin'],
    params: userParams,
    answer: one(AdminPerson),
  },
  personOrders: {
    summary: 'The orders that a person placed or received, newest first',
    access: ['admin'],
    params: userParams,
    query: ListQuery,
    answer: list(Order),
  },
  personProducts: {
    summary: 'The products of a farmer, inactive and hidden ones too, newest first',
    access: ['admin'],
    params: userParams,
    query: ListQuery,
    answer: list(Product),
  },
  hiddenProducts: {
    summary: 'Products that admins have hidden, the last changed first',
    access: ['admin'],
    query: ListQuery,
    answer: list(Product),
  },
  exportOrders: {
    summary: 'Orders as CSV, part by part, sorted and filtered as the list',
    access: ['admin'],
    query: AllOrdersQuery.safeExtend({ limit: exportLimit }),
    answer: one(ExportPart),
    rate: 'search',
  },
  exportUsers: {
    summary: 'Users as CSV, part by part, sorted and filtered as the list',
    access: ['admin'],
    query: UserListQuery.safeExtend({ limit: exportLimit }),
    answer: one(ExportPart),
    rate: 'search',
  },
  exportAudit: {
    summary: 'The audit as CSV, part by part, sorted and filtered as the list',
    access: ['admin'],
    query: AuditQuery.safeExtend({ limit: exportLimit }),
    answer: one(ExportPart),
    rate: 'search',
  },
});
