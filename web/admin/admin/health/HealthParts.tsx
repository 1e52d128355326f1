import { queryOptions } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import {
  HEALTH_REFRESH_MS,
  type HealthKey,
  type HealthState,
  healthApi,
} from '#contract/admin/health/constants';
import type { HealthReport } from '#contract/admin/health/health';
import { formatCount, numberLocale, wordLocale } from '#contract/platform/text/constants/formats';
import { ofReader } from '#contract/platform/text/constants/reader';
import { type Message, msg, t } from '#contract/platform/text/constants/texts';
import { dataOf } from '../../../platform/api/api.ts';
import { LinkButton, type Tone } from '../../../platform/ui/primitives/Button.tsx';
import { adminKeys } from '../keys.ts';

/** How a state looks. */
const stateLooks: Record<HealthState, { tone: Tone; text: string; icon: typeof CircleCheck }> = {
  good: { tone: 'leaf', text: 'text-leaf', icon: CircleCheck },
  warning: { tone: 'straw', text: 'text-straw-ink', icon: TriangleAlert },
  bad: { tone: 'tomato', text: 'text-tomato', icon: CircleAlert },
  unknown: { tone: 'neutral', text: 'text-ink-faint', icon: CircleHelp },
};

/** Returns how a state looks, also one that only a newer release knows. */
export const looksOfState = (state: HealthState) => stateLooks[state] ?? stateLooks.unknown;

/** Whether all is well, as the way to the page that says more. It keeps its place while that is not known. */
export function HealthGlance({ report }: { report: HealthReport | undefined }) {
  const state = report?.state ?? 'unknown';
  const { icon: Icon, text } = looksOfState(state);
  return (
    <LinkButton
      href="/admin/health"
      variant="quiet"
      aria-label={
        report
          ? t('Health: {summary}', { summary: summarize(report.checks.map((each) => each.state)) })
          : t('Health')
      }
      icon={<Icon aria-hidden="true" className={text} />}
      className="min-h-9 px-3 text-ink-soft hover:bg-sunken hover:text-ink"
    >
      <span className="max-sm:sr-only">{t('Health')}</span>
    </LinkButton>
  );
}

/** How often a page asks that only says whether all is well, in milliseconds. */
const GLANCE_REFRESH_MS = 30_000;

/** How the market is now. It is asked again every few seconds while the page is open: no event carries it. */
export const healthQuery = () =>
  queryOptions({
    queryKey: adminKeys.health(),
    queryFn: dataOf(healthApi.read),
    refetchInterval: HEALTH_REFRESH_MS,
    // A report is old the moment it is there.
    staleTime: 0,
  });

/** The same for a page that says in a word whether all is well. */
export const healthGlanceQuery = () =>
  queryOptions({ ...healthQuery(), refetchInterval: GLANCE_REFRESH_MS });

/** What a line of the health page is called, what it means, and what to do when it is not good. */
type HealthText = { label: Message; meaning: Message; advice: Message };

/** The word of each state. */
export const stateWords: Record<HealthState, Message> = {
  good: msg('Good'),
  warning: msg('Look soon'),
  bad: msg('Act now'),
  unknown: msg('Unknown'),
};

/** The texts of each line. */
export const healthTexts: Record<HealthKey, HealthText> = {
  postgres: {
    label: msg('Postgres'),
    meaning: msg('Everything the market knows is kept there.'),
    advice: msg('Check that it runs, that its disk has room, and that nothing else keeps it busy.'),
  },
  redis: {
    label: msg('Redis'),
    meaning: msg('It makes live updates fast and holds the jobs for mails and pushes.'),
    advice: msg(
      'Start it again. Orders go on without it; mails and pushes wait and are sent later.',
    ),
  },
  processes: {
    label: msg('Processes'),
    meaning: msg('Servers answer people. Worker processes send mails and run timers.'),
    advice: msg('Start what is missing, and finish an update that stopped halfway.'),
  },
  events: {
    label: msg('Event log'),
    meaning: msg('What happens gets a number, then reaches every screen.'),
    advice: msg(
      'Look at the log of the servers for "Events could not be numbered", then at Postgres.',
    ),
  },
  followers: {
    label: msg('Followers of the event log'),
    meaning: msg('They turn what happened into notifications.'),
    advice: msg('Look at the log of the worker processes for "Event follower failed".'),
  },
  timers: {
    label: msg('Timers'),
    meaning: msg('What is to happen at a time, such as a reminder or a cut-off.'),
    advice: msg('Check that a worker process runs, and look at its log for the timer that fails.'),
  },
  alerts: {
    label: msg('Alerts of farms'),
    meaning: msg('They ring the people of a farm until somebody answers.'),
    advice: msg('Start a worker process; its log says why a timer failed.'),
  },
  queues: {
    label: msg('Job queues'),
    meaning: msg('Mails and pushes on their way, and the hourly cleanup.'),
    advice: msg('Open Queues above, read why the jobs failed, and retry them there.'),
  },
  mail: {
    label: msg('Mail'),
    meaning: msg('Password links and notifications go out by email.'),
    advice: msg('Send a test mail below, and read what the mail server answers.'),
  },
  late: {
    label: msg('Late deliveries'),
    meaning: msg('What a restored backup held waits for you. What came too late is dropped.'),
    advice: msg('Send what still holds, or drop it: much of it was sent before the restore.'),
  },
  backup: {
    label: msg('Last backup'),
    meaning: msg('What you restore from after a broken disk or a wrong click.'),
    advice: msg('Run npm run backup, and see to it that a timer does so each night.'),
  },
  disk: {
    label: msg('Disk'),
    meaning: msg('Pictures are kept there, and on one machine the database and its backups too.'),
    advice: msg('Delete old backups and logs, or make the disk larger, before it is full.'),
  },
  memory: {
    label: msg('Memory'),
    meaning: msg('What the processes of Farmgate use of what a machine or container gives.'),
    advice: msg('Give it more memory, or run fewer processes on this machine.'),
  },
  eventLoop: {
    label: msg('Event loop'),
    meaning: msg('How long an answer waits because the process is busy.'),
    advice: msg('Add a server process or a faster machine.'),
  },
  clocks: {
    label: msg('Clocks'),
    meaning: msg(
      'What is due or over is decided by the clock of Postgres. Those of the processes should agree.',
    ),
    advice: msg(
      'Let the machine take its time from a time server, as with chrony or systemd-timesyncd.',
    ),
  },
  pool: {
    label: msg('Connections to Postgres'),
    meaning: msg('Requests share them. When all are in use, the next one waits.'),
    advice: msg('Find the slow statements in Postgres, or raise DATABASE_POOL_SIZE.'),
  },
  sockets: {
    label: msg('Live connections'),
    meaning: msg('Open pages that get updates at once.'),
    advice: msg('Add server processes: each serves about 5,000 well.'),
  },
};

const decimals = ofReader(
  (market, language) =>
    new Intl.NumberFormat(numberLocale(market, language), {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
);

/** Formats a number with one decimal: '1.4'. */
export const formatDecimal = (value: number): string => decimals().format(value);

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size: '210 MB', '1.4 GB'. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const figure = value < 10 && unit > 0 ? formatDecimal(value) : formatCount(Math.round(value));
  return `${figure} ${BYTE_UNITS[unit]}`;
}

const clock = ofReader(
  (market, language) =>
    new Intl.DateTimeFormat(wordLocale(market, language), { timeStyle: 'medium' }),
);

/** Formats the time of an instant with its seconds, in the reader's time zone: '4:05:10 PM'. */
export const formatClock = (iso: string): string => clock().format(new Date(iso));

/** Returns what the page says first: how many things need a look. */
export function summarize(states: readonly HealthState[]): string {
  const countOf = (state: HealthState) => states.filter((each) => each === state).length;
  const [bad, warning] = [countOf('bad'), countOf('warning')];
  if (bad > 0) {
    return t('{count, plural, =1 {One thing needs you now.} other {# things need you now.}}', {
      count: bad,
    });
  }
  if (warning > 0) {
    return t(
      '{count, plural, =1 {One thing needs a look soon.} other {# things need a look soon.}}',
      { count: warning },
    );
  }
  return countOf('unknown') > 0 ? t('Some things are not known.') : t('Everything is well.');
}
