import {
  healthApi as calls,
  HEALTH_KEYS,
  HEALTH_STATES,
  TEST_MAIL_OUTCOMES,
} from '#contract/admin/health/constants';
import { endpoints } from '#contract/platform/http/endpoint';
import { Email, Id, Instant, named, one } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

/** One thing that can go wrong with the market, and how it is. */
export const HealthCheck = named('HealthCheck', {
  key: z.enum(HEALTH_KEYS),
  state: z.enum(HEALTH_STATES),
  /** What was found, in a few words. */
  value: z.string(),
});
export type HealthCheck = z.infer<typeof HealthCheck>;

/** A server or worker process that runs, or ran a moment ago. */
export const HealthProcess = named('HealthProcess', {
  _id: Id,
  service: z.enum(['server', 'workers']),
  host: z.string(),
  pid: z.int(),
  /** The version of the product. */
  version: z.string(),
  startedAt: Instant,
  /** When its last heartbeat was written. */
  seenAt: Instant,
  /** Whether its last heartbeat is older than it should be. */
  isSilent: z.boolean(),
  memoryBytes: z.int().nullable(),
  /** How late the event loop was, 99 times of 100, in milliseconds. */
  eventLoopDelayMs: z.number().nullable(),
  /** Open live connections; 0 of a worker process. */
  sockets: z.int().nullable(),
});
export type HealthProcess = z.infer<typeof HealthProcess>;

/** What a restored backup held, and an admin has neither had sent nor dropped. */
export const HeldDeliveries = named('HeldDeliveries', {
  mails: z.int(),
  pushes: z.int(),
  /** Absent only in answers of an older server. */
  texts: z.int().optional(),
  reminders: z.int(),
});
export type HeldDeliveries = z.infer<typeof HeldDeliveries>;

/** How the market is at one moment. */
export const HealthReport = named('HealthReport', {
  at: Instant,
  /** The worst state of all checks. */
  state: z.enum(HEALTH_STATES),
  checks: z.array(HealthCheck),
  /** Null while Postgres cannot be asked. */
  processes: z.array(HealthProcess).nullable(),
  /** The last finished backup; null without one, or while Postgres cannot be asked. */
  lastBackup: z
    .object({
      finishedAt: Instant,
      sizeBytes: z.int(),
      rowCount: z.int(),
      /** Null where the pictures were left out. */
      pictureCount: z.int().nullable(),
      madeBy: z.string(),
      folder: z.string(),
      isVerified: z.boolean(),
    })
    .nullable(),
  /** Absent in answers of an older server; null while Postgres cannot be asked. */
  held: HeldDeliveries.nullable().optional(),
});
export type HealthReport = z.infer<typeof HealthReport>;

export const SendTestMail = z.object({
  /** The caller's own address when left out. */
  to: Email.optional(),
});
export type SendTestMail = z.infer<typeof SendTestMail>;

/** What the mail server said to a mail that an admin sent to see whether it takes any. */
export const TestMail = named('TestMail', {
  to: z.string(),
  /** Host and port of the mail server; empty without one. */
  server: z.string(),
  from: z.string(),
  outcome: z.enum(TEST_MAIL_OUTCOMES),
  /** Why it was not taken, in the words of the server or of the connection; empty when it was. */
  reason: z.string(),
  /** Everything that the server said, in order. */
  replies: z.array(z.string()),
  /** How long it took. */
  milliseconds: z.int(),
});
export type TestMail = z.infer<typeof TestMail>;

export const healthApi = endpoints(calls, {
  read: {
    summary: 'How the stores, processes, queues and backups of the market are',
    access: ['admin'],
    answer: one(HealthReport),
  },
  settleHeld: {
    summary: 'Send or drop what a restored backup held',
    description:
      'The answer counts what waited. Of what is sent, the workers drop what no longer holds when they come to it.',
    access: ['admin'],
    body: z.object({ action: z.enum(['send', 'drop']) }),
    answer: one(HeldDeliveries),
  },
  sendTestMail: {
    summary: 'Send a mail at once, and say what the mail server answered',
    description:
      'The answer comes after 20 seconds at the latest; it says so where the mail server has not answered.',
    access: ['admin'],
    body: SendTestMail,
    answer: one(TestMail),
    rate: 'reset',
    notRepeatable: 'Each request is a mail of its own.',
  },
});
