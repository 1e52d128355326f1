import type { Report } from '#contract/admin/moderation/moderation';

/** What an open report of a product says, without who and when. */
export const openReport = {
  kind: 'product',
  subject: { name: 'Product 1', text: 'Sweet.', image: null, amount: 2 },
  reason: 'misleading',
  text: '',
  settledAt: null,
  settledBy: null,
  outcome: null,
  note: '',
} satisfies Partial<Report>;
