import type { AuditAction } from '#contract/constants/admin';

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

/** The keys of admin data in the query cache. */
export const adminKeys = {
  stats: () => ['admin', 'stats'] as const,
  feed: () => ['admin', 'feed'] as const,
  health: () => ['admin', 'health'] as const,
  connected: () => ['admin', 'connected'] as const,
  notes: (orderId: string) => ['admin', 'notes', orderId] as const,
  conversation: (orderId: string) => ['admin', 'conversations', orderId] as const,
  /** Everything about people. */
  people: () => ['admin', 'people'] as const,
  /** Everything about one person; the keys below begin so. */
  person: (id: string) => ['admin', 'people', id] as const,
  personFigures: (id: string) => ['admin', 'people', id, 'figures'] as const,
  personOrders: (id: string) => ['admin', 'people', id, 'orders'] as const,
  personProducts: (id: string) => ['admin', 'people', id, 'products'] as const,
  audits: () => ['admin', 'audit'] as const,
  audit: (filters: AuditFilters) => ['admin', 'audit', filters] as const,
};
