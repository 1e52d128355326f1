import type { HealthState } from '#contract/admin/health/constants';
import { numberLocale } from '#contract/platform/text/constants/formats';
import { ofReader } from '#contract/platform/text/constants/reader';
import { type Message, msg } from '#contract/platform/text/constants/texts';

// Figures of the health page: their limits and their units.

/** From which value on a figure is amber, and from which red. docs/alarms.yml rings by similar limits. */
export const LIMITS = {
  postgresMs: { warning: 100, bad: 1000 },
  redisMs: { warning: 50, bad: 500 },
  eventSeconds: { warning: 2, bad: 30 },
  followerSeconds: { warning: 10, bad: 60 },
  timerSeconds: { warning: 30, bad: 120 },
  alertSeconds: { warning: 30, bad: 120 },
  failedJobs: { warning: 1, bad: 100 },
  waitingJobs: { warning: 1000, bad: 20_000 },
  failedMails: { warning: 1, bad: 20 },
  backupHours: { warning: 26, bad: 50 },
  /** Parts of the whole. */
  diskUsed: { warning: 0.9, bad: 0.95 },
  memoryUsed: { warning: 0.8, bad: 0.92 },
  eventLoopMs: { warning: 100, bad: 500 },
  clockMs: { warning: 5000, bad: 60_000 },
  poolWaiting: { warning: 1, bad: 50 },
  sockets: { warning: 5000, bad: 10_000 },
  /** Part of the clients. */
  withoutSocket: { warning: 0.1, bad: Number.POSITIVE_INFINITY },
  silentSeconds: { warning: 15, bad: 60 },
} as const;

const ORDER: readonly HealthState[] = ['good', 'unknown', 'warning', 'bad'];
/** Returns the worst of these states. */
export const worst = (states: readonly HealthState[]): HealthState =>
  states.reduce((one, other) => (ORDER.indexOf(other) > ORDER.indexOf(one) ? other : one), 'good');

/** Judges a figure by its limits. */
export const judge = (
  value: number,
  { warning, bad }: { warning: number; bad: number },
): HealthState => (value >= bad ? 'bad' : value >= warning ? 'warning' : 'good');

const figuresIn = ofReader((market, language) => (unit: string, digits: number) => {
  const format = new Intl.NumberFormat(numberLocale(market, language), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (value: number) => format.format(value);
});
export const milliseconds = (ms: number): string => figuresIn()('millisecond', ms < 10 ? 1 : 0)(ms);
export const gigabytes = (bytes: number): string => figuresIn()('gigabyte', 1)(bytes / 1e9);
export const seconds = (value: number): Message => {
  const minutes = Math.round(value / 60);
  if (value < 120)
    return msg('{count, plural, one {# second} other {# seconds}}', { count: Math.round(value) });
  return value < 7200
    ? msg('{count, plural, one {# minute} other {# minutes}}', { count: minutes })
    : hours(value / 3600);
};
export const hours = (value: number): Message => {
  if (value < 1) return msg('less than an hour');
  return value < 72
    ? msg('{count, plural, one {# hour} other {# hours}}', { count: Math.floor(value) })
    : msg('{count, plural, one {# day} other {# days}}', { count: Math.floor(value / 24) });
};
