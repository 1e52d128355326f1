import {
  moderationApi as calls,
  REPORT_KINDS,
  REPORT_OUTCOMES,
  REPORT_REASONS,
  REPORT_STATES,
  REPORT_TEXT_MAX,
  SUSPENSION_REASON_MAX,
} from '#contract/admin/moderation/constants';
import { Message } from '#contract/farm/messages/messages';
import { Person, PersonWithRole } from '#contract/people/users/users';
import { event, Reference } from '#contract/platform/events/event';
import { endpoints } from '#contract/platform/http/endpoint';
import {
  Amount,
  Id,
  Instant,
  idParams,
  ListQuery,
  list,
  named,
  one,
  text,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

/** Suspends an account, or lets it in again. The person reads the reason when they try to sign in. */
export const SetSuspension = z.object({
  suspended: z.boolean(),
  reason: text(SUSPENSION_REASON_MAX).default(''),
});
export type SetSuspension = z.infer<typeof SetSuspension>;

/** Whether an account is suspended, since when and why. */
export const Suspension = named('Suspension', {
  _id: Id,
  isSuspended: z.boolean(),
  at: Instant.nullable(),
  reason: z.string(),
});
export type Suspension = z.infer<typeof Suspension>;

/** What a report is about, as it was when it was reported. Texts are empty once that account was deleted. */
export const ReportSubject = named('ReportSubject', {
  /** The product's, farm's or sender's name, or the order's short one. */
  name: z.string(),
  /** The description, or what was written. */
  text: z.string(),
  image: z.string().nullable(),
  amount: Amount.nullable(),
});
export type ReportSubject = z.infer<typeof ReportSubject>;

/** Something that somebody found wrong. */
export const Report = named('Report', {
  _id: Id,
  kind: z.enum(REPORT_KINDS),
  /** The product, farm, message or order. */
  subjectId: Id,
  subject: ReportSubject,
  /** The person or farm that it is about, by the present name. */
  about: PersonWithRole,
  reporter: PersonWithRole,
  reason: z.enum(REPORT_REASONS),
  text: z.string(),
  createdAt: Instant,
  settledAt: Instant.nullable(),
  settledBy: Person.nullable(),
  outcome: z.enum(REPORT_OUTCOMES).nullable(),
  /** For admins alone; the reporter does not get it. */
  note: z.string(),
});
export type Report = z.infer<typeof Report>;

/** What a reporter may read of their report. */
export const ReportMade = named('ReportMade', {
  _id: Id,
  kind: z.enum(REPORT_KINDS),
  subjectId: Id,
  reason: z.enum(REPORT_REASONS),
  text: z.string(),
  createdAt: Instant,
});
export type ReportMade = z.infer<typeof ReportMade>;

export const MakeReport = z.object({
  kind: z.enum(REPORT_KINDS),
  id: Id,
  reason: z.enum(REPORT_REASONS, 'Choose what is wrong.'),
  text: text(REPORT_TEXT_MAX).default(''),
});
export type MakeReport = z.infer<typeof MakeReport>;

export const ReportListQuery = ListQuery.extend({
  state: z.enum(REPORT_STATES).default('open'),
  kind: z.enum(REPORT_KINDS).optional(),
});
export type ReportListQuery = z.infer<typeof ReportListQuery>;

export const SettleReport = z.object({
  outcome: z.enum(REPORT_OUTCOMES),
  note: text(REPORT_TEXT_MAX).default(''),
});
export type SettleReport = z.infer<typeof SettleReport>;

export const moderationEvents = {
  'user.suspensionChanged': event({
    data: z.object({ _id: Id, isSuspended: z.boolean() }),
    summary: 'An account was suspended, or let in again.',
    audience: 'Admins.',
    rooms: [['admins']],
  }),
  'farmer.listingChanged': event({
    data: z.object({ _id: Id, isListed: z.boolean() }),
    summary:
      'A farm left the market with all its products, or came back to it, without an event for each product.',
    audience: 'Everyone who could see the farm, or can now.',
    rooms: [['everyone'], ['farm', 'admins'], ['farm', 'admins', 'user']],
    changesPublicReads: true,
  }),
  // Without the report itself, which names people and is kept in one place, where it can be erased.
  'report.changed': event({
    data: Reference,
    summary: 'Something was reported, or a report was settled.',
    audience: 'Admins.',
    rooms: [['admins']],
  }),
};

const reportParams = idParams(() => t('Report not found'));

export const moderationApi = endpoints(calls, {
  setSuspension: {
    summary:
      'Suspend an account that is no admin, and the farm that carries its id; or let it in again',
    access: ['admin'],
    params: idParams(() => t('User not found')),
    body: SetSuspension,
    answer: one(Suspension),
  },
  report: {
    summary: 'Report something to the admins; what is reported already stays one report',
    access: ['consumer', 'farmer'],
    body: MakeReport,
    answer: one(ReportMade),
    rate: 'reports',
    failures: [404],
  },
  reports: {
    summary: 'Reports, the open ones or those that are settled, newest first',
    access: ['admin'],
    query: ReportListQuery,
    answer: list(Report),
  },
  settleReport: {
    summary: 'Settle a report; its reporter is notified',
    access: ['admin'],
    params: reportParams,
    body: SettleReport,
    answer: one(Report),
  },
  reportedMessages: {
    summary: 'A reported message with those around it, in time order; reading them is audited',
    access: ['admin'],
    params: reportParams,
    answer: one(z.array(Message)),
  },
});
