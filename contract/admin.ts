import { adminApi as calls, FEED_KINDS } from '#contract/constants/admin';
import { ephemeralEvent } from '#contract/event';
import { Amount, Done, endpoint, Id, Instant, ListQuery, list, one } from '#contract/http';
import { DayFigures, Order, StatusCounts } from '#contract/orders';
import { Product } from '#contract/products';
import { PersonWithRole } from '#contract/users';
import { z } from '#contract/zod';

export * from '#contract/constants/admin';

/** What the admin dashboard shows, over the whole market. */
export const AdminStats = z
  .object({
    /** Without admins. */
    totalUsers: z.number().int(),
    usersByRole: z.object({
      consumer: z.number().int(),
      farmer: z.number().int(),
      admin: z.number().int(),
    }),
    totalOrders: z.number().int(),
    ordersByStatus: StatusCounts,
    categoryCount: z.number().int(),
    /** The sum of completed orders. */
    revenue: Amount,
    /** The last 30 days, oldest first, without gaps. */
    days: z.array(DayFigures),
    /** Orders placed in each of the last 60 minutes, oldest first. */
    ordersPerMinute: z.array(z.object({ minute: Instant, orders: z.number().int() })),
    recentOrders: z.array(Order),
    recentProducts: z.array(Product),
    /** Pending for longer than the market's `unansweredMinutes`, the oldest first, at most 20. */
    unanswered: z.array(Order),
  })
  .meta({ id: 'AdminStats' });
export type AdminStats = z.infer<typeof AdminStats>;

/** One line of the live feed; `order` is its state at that time. */
export const FeedItem = z
  .object({
    /**
     * The kind and the id of the order or user, and for `order.statusChanged` the sequence of the
     * timeline's entry, joined by colons. So a repeated line has the same id.
     */
    _id: z.string(),
    kind: z.enum(FEED_KINDS),
    at: Instant,
    /** Who did it. */
    by: PersonWithRole.nullable(),
    order: Order.nullable(),
  })
  .meta({ id: 'FeedItem' });
export type FeedItem = z.infer<typeof FeedItem>;

export const AuditRecord = z
  .object({
    _id: Id,
    at: Instant,
    admin: PersonWithRole,
    action: z.string(),
    targetId: z.string(),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditRecord' });
export type AuditRecord = z.infer<typeof AuditRecord>;

/** How many people are connected now, by role. */
export const Connected = z
  .object({
    visitor: z.number().int(),
    consumer: z.number().int(),
    farmer: z.number().int(),
    admin: z.number().int(),
  })
  .meta({ id: 'Connected' });
export type Connected = z.infer<typeof Connected>;

export const adminEvents = {
  'connected.changed': ephemeralEvent({
    data: Connected,
    summary: 'How many are connected now.',
    audience: 'Admins.',
  }),
};

export const adminApi = {
  stats: endpoint({
    ...calls.stats,
    summary: 'Figures of the whole market',
    access: ['admin'],
    answer: one(AdminStats),
  }),
  feed: endpoint({
    ...calls.feed,
    summary: 'What happened on the market, newest first',
    access: ['admin'],
    query: ListQuery,
    answer: list(FeedItem),
  }),
  audit: endpoint({
    ...calls.audit,
    summary: 'What admins did, newest first',
    access: ['admin'],
    query: ListQuery,
    answer: list(AuditRecord),
  }),
  openQueues: endpoint({
    ...calls.openQueues,
    summary: 'Open the board of job queues at /admin/queues to this browser for half an hour',
    access: ['admin'],
    answer: Done,
    status: 201,
    rate: 'writes',
  }),
};
