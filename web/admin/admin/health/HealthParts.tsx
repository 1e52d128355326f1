import { queryOptions } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import {
  HEALTH_REFRESH_MS,
  type HealthKey,
  type HealthState,
  healthApi,
} from '#contract/admin/health/constants';
import type { HealthReport } from '#contract/admin/health/health';
import { wordLocale } from '#contract/platform/text/constants/formats';
import { ofReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
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
        report ? `Health: ${summarize(report.checks.map((each) => each.state))}` : t('Health')
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
type HealthText = { label: string; meaning: string; advice: string };

/** The word of each state. */
export const stateWords: Record<HealthState, string> = {
  good: 'Good',
  warning: 'Look soon',
  bad: 'Act now',
  unknown: 'Unknown',
};

/** The texts of each line. */
export const healthTexts: Record<HealthKey, HealthText> = {
  postgres: {
    label: 'Postgres',
    meaning: 'Everything the market knows is kept there.',
    advice: 'Check that it runs, that its disk has room, and that nothing else keeps it busy.',
  },
  redis: {
    label: 'Redis',
    meaning: 'It makes live updates fast and holds the jobs for mails and pushes.',
    advice: 'Start it again. Orders go on without it; mails and pushes wait and are sent later.',
  },
  processes: {
    label: 'Processes',
    meaning: 'Servers answer people. Worker processes send mails and run timers.',
    advice: 'Start what is missing, and finish an update that stopped halfway.',
  },
  events: {
    label: 'Event log',
    meaning: 'What happens gets a number, then reaches every screen.',
    advice: 'Look at the log of the servers for "Events could not be numbered", then at Postgres.',
  },
  followers: {
    label: 'Followers of the event log',
    meaning: 'They turn what happened into notifications.',
    advice: 'Look at the log of the worker processes for "Event follower failed".',
  },
  timers: {
    label: 'Timers',
    meaning: 'What is to happen at a time, such as a reminder or a cut-off.',
    advice: 'Check that a worker process runs, and look at its log for the timer that fails.',
  },
  queues: {
    label: 'Job queues',
    meaning: 'Mails and pushes on their way, and the hourly cleanup.',
    advice: 'Open Queues above, read why the jobs failed, and retry them there.',
  },
  mail: {
    label: 'Mail',
    meaning: 'Password links and notifications go out by email.',
    advice: 'Send a test mail below, and read what the mail server answers.',
  },
  late: {
    label: 'Late deliveries',
    meaning: 'What a restored backup held waits for you. What came too late is dropped.',
    advice: 'Send what still holds, or drop it: much of it was sent before the restore.',
  },
  backup: {
    label: 'Last backup',
    meaning: 'What you restore from after a broken disk or a wrong click.',
    advice: 'Run npm run backup, and see to it that a timer does so each night.',
  },
  disk: {
    label: 'Disk',
    meaning: 'Pictures are kept there, and on one machine the database and its backups too.',
    advice: 'Delete old backups and logs, or make the disk larger, before it is full.',
  },
  memory: {
    label: 'Memory',
    meaning: 'What the processes of Farmgate use of what a machine or container gives.',
    advice: 'Give it more memory, or run fewer processes on this machine.',
  },
  eventLoop: {
    label: 'Event loop',
    meaning: 'How long an answer waits because the process is busy.',
    advice: 'Add a server process or a faster machine.',
  },
  clocks: {
    label: 'Clocks',
    meaning:
      'What is due or over is decided by the clock of Postgres. Those of the processes should agree.',
    advice:
      'Let the machine take its time from a time server, as with chrony or systemd-timesyncd.',
  },
  pool: {
    label: 'Connections to Postgres',
    meaning: 'Requests share them. When all are in use, the next one waits.',
    advice: 'Find the slow statements in Postgres, or raise DATABASE_POOL_SIZE.',
  },
  sockets: {
    label: 'Live connections',
    meaning: 'Open pages that get updates at once.',
    advice: 'Add server processes: each serves about 5,000 well.',
  },
};

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size: '210 MB', '1.4 GB'. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = value < 10 && unit > 0 ? 1 : 0;
  return `${value.toFixed(digits)} ${BYTE_UNITS[unit]}`;
}

const clock = ofReader(
  (market, language) =>
    new Intl.DateTimeFormat(wordLocale(market, language), { timeStyle: 'medium' }),
);

/** Formats the time of an instant with its seconds, in the reader's time zone: '4:05:10 PM'. */
export const formatClock = (iso: string): string => clock().format(new Date(iso));

/** Returns what the page says first: how many things need a look. */
export function summarize(states: readonly HealthState[]): string {
  const count = (state: HealthState) => states.filter((each) => each === state).length;
  const [bad, warning, unknown] = [count('bad'), count('warning'), count('unknown')];
  if (bad > 0)
    return bad === 1 ? t('One thing needs you now.') : t('{bad} things need you now.', { bad });
  if (warning > 0) {
    return warning === 1
      ? t('One thing needs a look soon.')
      : t('{warning} things need a look soon.', { warning });
  }
  return unknown > 0 ? t('Some things are not known.') : t('Everything is well.');
}
