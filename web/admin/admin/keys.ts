import type { ReportKind, ReportState } from '#contract/admin/moderation/constants';
import type { AuditAction } from '#contract/platform/audit/constants';

/** The number of feed items that the dashboard shows. */
export const FEED_LENGTH = 60;

/** The filters of the audit. */
export type AuditFilters = {
  admin?: string | undefined;
  action?: AuditAction | undefined;
  /** The id of the person that the entries are about. */
  user?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  sort?: 'newest' | 'oldest' | undefined;
};

/** The filters of the reports. */
export type ReportFilters = {
  /** Undefined for those that are open. */
  state?: ReportState | undefined;
  kind?: ReportKind | undefined;
};

/** The keys of admin data in the query cache. */
export const adminKeys = {
  stats: () => ['admin', 'stats'] as const,
  feed: () => ['admin', 'feed'] as const,
  health: () => ['admin', 'health'] as const,
  connected: () => ['admin', 'connected'] as const,
  allNotes: () => ['admin', 'notes'] as const,
  orderNotes: (orderId: string) => ['admin', 'notes', 'orders', orderId] as const,
  userNotes: (userId: string) => ['admin', 'notes', 'users', userId] as const,
  hiddenProducts: () => ['admin', 'hidden-products'] as const,
  conversation: (orderId: string) => ['admin', 'conversations', orderId] as const,
  /** Everything about people. */
  people: () => ['admin', 'people'] as const,
  /** Everything about one person; the keys below begin so. */
  person: (id: string) => ['admin', 'people', id] as const,
  personFigures: (id: string) => ['admin', 'people', id, 'figures'] as const,
  personOrders: (id: string) => ['admin', 'people', id, 'orders'] as const,
  personProducts: (id: string) => ['admin', 'people', id, 'products'] as const,
  reports: () => ['admin', 'reports'] as const,
  reportList: (filters: ReportFilters) => ['admin', 'reports', 'list', filters] as const,
  reportedMessages: (id: string) => ['admin', 'reports', 'messages', id] as const,
  audits: () => ['admin', 'audit'] as const,
  audit: (filters: AuditFilters) => ['admin', 'audit', filters] as const,
};
