import { z } from 'zod';
import { DayFigures, Order, StatusCounts } from '#contract/orders';
import { Amount, endpoint, Id, Instant, ListQuery, list, one } from '#contract/platform';
import { Product } from '#contract/products';
import { PersonWithRole } from '#contract/users';

/** What the admin dashboard shows, over the whole market. */
export const AdminStats = z.object({
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
  /** The last 30 days, oldest first, none left out. */
  days: z.array(DayFigures),
  /** Orders placed in each of the last 60 minutes, oldest first. */
  ordersPerMinute: z.array(z.object({ minute: Instant, orders: z.number().int() })),
  recentOrders: z.array(Order),
  recentProducts: z.array(Product),
  /** Pending for longer than UNANSWERED_MINUTES, the oldest first, at most 20. */
  unanswered: z.array(Order),
});
export type AdminStats = z.infer<typeof AdminStats>;

export const FEED_KINDS = [
  'order.placed',
  'order.statusChanged',
  'user.registered',
  'order.unanswered',
] as const;

/** One line of the live feed; `order` is as it was then. */
export const FeedItem = z.object({
  /**
   * The same thing told twice has the same id: its kind, the id of the order or user, and for
   * `order.statusChanged` the version that the order got, with colons between.
   */
  _id: z.string(),
  kind: z.enum(FEED_KINDS),
  at: Instant,
  /** Who did it. */
  by: PersonWithRole.nullable(),
  order: Order.nullable(),
});
export type FeedItem = z.infer<typeof FeedItem>;

export const AuditRecord = z.object({
  _id: Id,
  at: Instant,
  admin: PersonWithRole,
  action: z.string(),
  targetId: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

/** How many people are connected now, by role. */
export const Connected = z.object({
  visitor: z.number().int(),
  consumer: z.number().int(),
  farmer: z.number().int(),
  admin: z.number().int(),
});
export type Connected = z.infer<typeof Connected>;

export const adminApi = {
  stats: endpoint({
    method: 'GET',
    path: '/admin/stats',
    summary: 'Figures of the whole market',
    access: ['admin'],
    answer: one(AdminStats),
  }),
  feed: endpoint({
    method: 'GET',
    path: '/admin/feed',
    summary: 'What happened on the market, newest first',
    access: ['admin'],
    query: ListQuery,
    answer: list(FeedItem),
  }),
  audit: endpoint({
    method: 'GET',
    path: '/admin/audit',
    summary: 'What admins did, newest first',
    access: ['admin'],
    query: ListQuery,
    answer: list(AuditRecord),
  }),
};
