import type { Calls } from '#contract/platform/http/constants';

/** The longest reason of a suspension, in characters. */
export const SUSPENSION_REASON_MAX = 500;

/** What can be reported. */
export const REPORT_KINDS = ['product', 'farm', 'message', 'order'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** Why something is reported. */
export const REPORT_REASONS = [
  'misleading',
  'unsafe',
  'offensive',
  'fraud',
  'spam',
  'other',
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** How a report was settled: nothing was wrong, or admins did something about it. */
export const REPORT_OUTCOMES = ['dismissed', 'acted'] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];

/** Which reports a list holds. */
export const REPORT_STATES = ['open', 'settled'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

/** The longest text of a report and of the note that settles it, in characters. */
export const REPORT_TEXT_MAX = 1000;

/** How many messages before and after a reported one admins may read. */
export const MESSAGES_AROUND_REPORTED = 5;

export const moderationApi = {
  setSuspension: { method: 'PUT', path: '/users/:id/suspension' },
  report: { method: 'POST', path: '/reports' },
  reports: { method: 'GET', path: '/admin/reports' },
  settleReport: { method: 'PUT', path: '/admin/reports/:id' },
  reportedMessages: { method: 'GET', path: '/admin/reports/:id/messages' },
} as const satisfies Calls;
