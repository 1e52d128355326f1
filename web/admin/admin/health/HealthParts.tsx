import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { HEALTH_SECTIONS, type HealthState } from '#contract/admin/health/constants';
import type { HealthCheck, HealthProcess, HealthReport } from '#contract/admin/health/health';
import { formatCount } from '#contract/platform/text/constants/locale';
import { plural } from '../../../platform/format/format.ts';
import { type Column, Table } from '../../../platform/ui/lists/Table.tsx';
import { Badge, type Tone } from '../../../platform/ui/primitives/Badge.tsx';
import { LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { formatBytes, healthTexts, stateWords, summarize } from './health-texts.ts';

const stateLooks: Record<HealthState, { tone: Tone; text: string; icon: typeof CircleCheck }> = {
  good: { tone: 'leaf', text: 'text-leaf', icon: CircleCheck },
  warning: { tone: 'straw', text: 'text-straw-ink', icon: TriangleAlert },
  bad: { tone: 'tomato', text: 'text-tomato', icon: CircleAlert },
  unknown: { tone: 'neutral', text: 'text-ink-faint', icon: CircleHelp },
};

/** A state as a word with its icon and colour. */
function StateBadge({ state }: { state: HealthState }) {
  const { tone, icon: Icon } = stateLooks[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {stateWords[state]}
    </Badge>
  );
}

/** Whether all is well, as the way to the page that says more. It keeps its place while that is not known. */
export function HealthGlance({ report }: { report: HealthReport | undefined }) {
  const state = report?.state ?? 'unknown';
  const { icon: Icon, text } = stateLooks[state];
  return (
    <LinkButton
      href="/admin/health"
      variant="quiet"
      aria-label={
        report ? `Health: ${summarize(report.checks.map((each) => each.state))}` : 'Health'
      }
      icon={<Icon aria-hidden="true" className={text} />}
      className="min-h-9 px-3 text-ink-soft hover:bg-sunken hover:text-ink"
    >
      <span className="max-sm:sr-only">Health</span>
    </LinkButton>
  );
}

/** All lines: how each thing is, what that means and, where it is not good, what to do. */
export function HealthChecks({ checks }: { checks: readonly HealthCheck[] }) {
  return (
    <ul
      aria-label="Checks"
      className="divide-y divide-hairline rounded border border-hairline bg-surface"
    >
      {checks.map((check) => (
        <CheckLine key={check.key} check={check} />
      ))}
    </ul>
  );
}

function CheckLine({ check: { key, state, value } }: { check: HealthCheck }) {
  const { label, meaning, advice } = healthTexts[key];
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 text-sm sm:grid-cols-[13rem_minmax(0,1fr)_7rem]">
      <div className="flex items-center justify-between gap-3 sm:contents">
        <h2 className="font-sans text-sm font-medium tracking-normal">{label}</h2>
        <span className="sm:order-3 sm:justify-self-end">
          <StateBadge state={state} />
        </span>
      </div>
      <div className="min-w-0 sm:order-2">
        <p className="tabular wrap-anywhere">{value}</p>
        <p className="text-ink-soft">{meaning}</p>
        {state !== 'good' && (
          <p className="mt-1">
            {advice}{' '}
            <span className="text-ink-soft">
              See “{HEALTH_SECTIONS[key]}” in docs/operating.md.
            </span>
          </p>
        )}
      </div>
    </li>
  );
}

const columns: readonly Column<HealthProcess>[] = [
  {
    key: 'service',
    header: 'Process',
    primary: true,
    cell: ({ service }) => (service === 'server' ? 'Server' : 'Worker process'),
  },
  {
    key: 'host',
    header: 'Machine',
    className: 'wrap-anywhere',
    cell: ({ host, pid }) => `${host}, process ${pid}`,
  },
  { key: 'version', header: 'Version', cell: ({ version }) => version },
  {
    key: 'started',
    header: 'Running since',
    cell: ({ startedAt }) => <Time value={startedAt} className="whitespace-nowrap" />,
  },
  {
    key: 'memory',
    header: 'Memory',
    align: 'end',
    cell: ({ memoryBytes }) => (memoryBytes === null ? '–' : formatBytes(memoryBytes)),
  },
  {
    key: 'delay',
    header: 'Delay',
    align: 'end',
    cell: ({ eventLoopDelayMs }) =>
      eventLoopDelayMs === null ? '–' : `${eventLoopDelayMs.toFixed(1)} ms`,
  },
  {
    key: 'sockets',
    header: 'Live connections',
    align: 'end',
    cell: ({ sockets }) => (sockets === null ? '–' : formatCount(sockets)),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ isSilent, seenAt }) =>
      isSilent ? (
        <span>
          Not heard of since <Time value={seenAt} as="time" />
        </span>
      ) : (
        'Running'
      ),
  },
];

/** The processes that run, on all machines. */
export function ProcessTable({ processes }: { processes: readonly HealthProcess[] }) {
  return (
    <Table
      caption="Processes"
      columns={columns}
      rows={processes}
      rowKey={({ _id }) => _id}
      isWide
    />
  );
}

/** What the last backup holds and where it is. */
export function BackupFacts({ backup }: { backup: NonNullable<HealthReport['lastBackup']> }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2 lg:grid-cols-3">
      <Fact name="Finished">
        <Time value={backup.finishedAt} />
      </Fact>
      <Fact name="Size">{formatBytes(backup.sizeBytes)}</Fact>
      <Fact name="Holds">
        {plural(backup.rowCount, 'row')}
        {backup.pictureCount === null
          ? ', no pictures'
          : ` and ${plural(backup.pictureCount, 'picture file')}`}
      </Fact>
      <Fact name="Folder">{backup.folder}</Fact>
      <Fact name="Made by">{backup.madeBy}</Fact>
      <Fact name="Verified">
        {backup.isVerified ? 'Every file was read again and is whole' : 'No'}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-ink-soft">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
