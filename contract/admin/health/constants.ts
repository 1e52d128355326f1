import type { Calls } from '#contract/platform/http/constants';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';

/** What the health page checks, in the order in which it is shown. */
export const HEALTH_KEYS = [
  'postgres',
  'redis',
  'processes',
  'events',
  'followers',
  'timers',
  'alerts',
  'queues',
  'mail',
  'late',
  'backup',
  'disk',
  'memory',
  'eventLoop',
  'clocks',
  'pool',
  'sockets',
] as const;
export type HealthKey = (typeof HEALTH_KEYS)[number];

/** How well a thing is: `unknown` where it could not be asked. */
export const HEALTH_STATES = ['good', 'warning', 'bad', 'unknown'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

/** The section of docs/operating.md that says what to do. */
export const HEALTH_SECTIONS: Record<HealthKey, string> = {
  postgres: 'Postgres is away or hangs',
  redis: 'Redis is away',
  processes: 'A process is missing',
  events: 'Events are late',
  followers: 'Events are late',
  timers: 'Timers are overdue',
  alerts: 'Farms are not told',
  queues: 'Jobs have failed',
  mail: 'The mail server refuses',
  late: 'Restore',
  backup: 'There is no recent backup',
  disk: 'A disk is full',
  memory: 'Memory runs out',
  eventLoop: 'A process is overloaded',
  clocks: 'A clock is wrong',
  pool: 'Connections to Postgres run out',
  sockets: 'Too many live connections',
};

/** Returns what waits since a restore, such as `12 mails, 5 reminders`; empty for nothing. */
export const describeHeld = (held: {
  mails: number;
  pushes: number;
  texts?: number | undefined;
  reminders: number;
}): string => {
  const { mails, pushes, texts = 0, reminders } = held;
  const parts = [
    mails && t('{count, plural, one {# mail} other {# mails}}', { count: mails }),
    pushes && t('{count, plural, one {# push} other {# pushes}}', { count: pushes }),
    texts && t('{count, plural, one {# text message} other {# text messages}}', { count: texts }),
    reminders && t('{count, plural, one {# reminder} other {# reminders}}', { count: reminders }),
  ];
  return listOf(
    parts.filter((part) => part !== 0),
    'unit',
  );
};

/**
 * What became of a test mail: `taken` by the mail server; `refused` for what it is or whom it is from; `addressRefused`;
 * `retry` as a mail that was not taken would be; `unknown` where the server had all of it and gave no answer; `waiting`
 * where it is slower than the page waits; `file` without a mail server.
 */
export const TEST_MAIL_OUTCOMES = [
  'taken',
  'refused',
  'addressRefused',
  'retry',
  'unknown',
  'waiting',
  'file',
] as const;
export type TestMailOutcome = (typeof TEST_MAIL_OUTCOMES)[number];

/** How often the page asks, in milliseconds. */
export const HEALTH_REFRESH_MS = 5000;

export const healthApi = {
  read: { method: 'GET', path: '/admin/health' },
  settleHeld: { method: 'POST', path: '/admin/held-deliveries' },
  sendTestMail: { method: 'POST', path: '/admin/test-mail' },
} as const satisfies Calls;
