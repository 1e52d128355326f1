import { type QueryClient, useQuery } from '@tanstack/react-query';
import {
  describeHeld,
  HEALTH_SECTIONS,
  type HealthState,
  healthApi,
} from '#contract/admin/health/constants';
import type {
  HealthCheck,
  HealthProcess,
  HealthReport,
  HeldDeliveries,
} from '#contract/admin/health/health';
import { formatCount } from '#contract/platform/text/constants/formats';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import {
  formatBytes,
  formatClock,
  healthQuery,
  healthTexts,
  looksOfState,
  stateWords,
  summarize,
} from '../../admin/admin/health/HealthParts.tsx';
import { TestMailCard } from '../../admin/admin/health/TestMailCard.tsx';
import { adminKeys } from '../../admin/admin/keys.ts';
import { Fact } from '../../admin/model/cells.tsx';
import { call } from '../../platform/api/api.ts';
import { rich } from '../../platform/format/rich.tsx';
import { useCommand } from '../../platform/queries/use-command.ts';
import { Alert, Fetched, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
import { Badge, Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';

/** Prefetches the report when a link to the page is hovered. */
export const prefetch = (client: QueryClient) => client.prefetchQuery(healthQuery());

/** How the market runs: stores, processes, queues, backups. It asks again while it is open. */
export default function AdminHealthPage() {
  const query = useQuery(healthQuery());
  return (
    <AdminFrame title={t('Health')} isOfMarket>
      <Fetched
        query={query}
        skeleton={
          <Loading className="grid gap-4">
            <Skeleton className="h-12" />
            <Skeleton className="h-160" />
          </Loading>
        }
      >
        {(report) => <Report report={report} isOld={query.error !== null} />}
      </Fetched>
    </AdminFrame>
  );
}

/** The kind of alert for each state. */
const alertKinds = {
  good: 'success',
  warning: 'warning',
  bad: 'warning',
  unknown: 'info',
} as const;

const Report = ({ report, isOld }: { report: HealthReport; isOld: boolean }) => (
  <div className="grid gap-4">
    <div className="grid gap-2">
      <Alert kind={alertKinds[report.state] ?? 'info'}>
        {summarize(report.checks.map(({ state }) => state))}
      </Alert>
      {isOld ? (
        <Alert kind="warning">
          {t("We can't ask again just now. This is as of {at}; we keep trying.", {
            at: formatClock(report.at),
          })}
        </Alert>
      ) : (
        <p className="text-sm text-ink-soft">
          {rich('As of {at}, asked again every few seconds.', {
            at: <time dateTime={report.at}>{formatClock(report.at)}</time>,
          })}
        </p>
      )}
    </div>
    {report.held && <HeldDeliveriesCard held={report.held} />}
    <div className={isOld ? 'opacity-60' : undefined}>
      <HealthChecks checks={report.checks} />
    </div>
    <TestMailCard />
    {report.processes !== null && report.processes.length > 0 && (
      <Card as="section" aria-labelledby="processes">
        <CardHeader id="processes" title={t('Processes')} />
        <ProcessTable processes={report.processes} />
      </Card>
    )}
    {report.lastBackup && (
      <Card as="section" aria-labelledby="last-backup">
        <CardHeader id="last-backup" title={t('Last backup')} />
        <BackupFacts backup={report.lastBackup} />
      </Card>
    )}
  </div>
);

const RESULTS = {
  send: msg('What still holds is being sent.'),
  drop: msg('Dropped. Nobody is notified.'),
};

/** What waits since a backup was restored, to be sent or dropped. Renders nothing when nothing waits. */
function HeldDeliveriesCard({ held }: { held: HeldDeliveries }) {
  const settle = useCommand(
    (action: 'send' | 'drop') => call(healthApi.settleHeld, { body: { action } }),
    { done: (_, action) => writeMessage(RESULTS[action]), invalidates: adminKeys.health() },
  );
  const waiting = describeHeld(held);
  if (waiting === '') return null;
  const isPending = (action: 'send' | 'drop') => settle.isPending && settle.variables === action;
  return (
    <Card as="section" aria-labelledby="held">
      <CardHeader id="held" title={t('Of before the restore')} />
      <p className="mb-3 text-sm">
        {t(
          '{waiting} wait. People may have got some of them before the backup was restored. Only what still holds is sent.',
          { waiting },
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          pending={isPending('send')}
          onClick={() => settle.mutate('send')}
        >
          {t('Send what still holds')}
        </Button>
        <Button
          variant="danger-quiet"
          pending={isPending('drop')}
          onClick={() => settle.mutate('drop')}
        >
          {t('Drop them')}
        </Button>
      </div>
    </Card>
  );
}

/** A state as a word with its icon and colour. */
function StateBadge({ state }: { state: HealthState }) {
  const { tone, icon: Icon } = looksOfState(state);
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
      {writeMessage(stateWords[state] ?? state)}
    </Badge>
  );
}

/** All lines: how each thing is, what that means and, where it is not good, what to do. */
const HealthChecks = ({ checks }: { checks: readonly HealthCheck[] }) => (
  <ul
    aria-label={t('Checks')}
    className="divide-y divide-hairline rounded border border-hairline bg-surface"
  >
    {checks.map((check) => (
      <CheckLine key={check.key} check={check} />
    ))}
  </ul>
);

function CheckLine({ check: { key, state, value } }: { check: HealthCheck }) {
  // A newer release measures more.
  const { label, meaning, advice } = healthTexts[key] ?? { label: key, meaning: '', advice: '' };
  const section = HEALTH_SECTIONS[key];
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 text-sm sm:grid-cols-[13rem_minmax(0,1fr)_7rem]">
      <div className="flex items-center justify-between gap-3 sm:contents">
        <h2 className="font-sans text-sm font-medium tracking-normal">{writeMessage(label)}</h2>
        <span className="sm:order-3 sm:justify-self-end">
          <StateBadge state={state} />
        </span>
      </div>
      <div className="min-w-0 sm:order-2">
        <p className="tabular wrap-anywhere">{value}</p>
        <p className="text-ink-soft">{writeMessage(meaning)}</p>
        {state !== 'good' && (
          <p className="mt-1">
            {writeMessage(advice)}{' '}
            {section && (
              <span className="text-ink-soft">
                {t('See “{section}” in docs/operating.md.', { section })}
              </span>
            )}
          </p>
        )}
      </div>
    </li>
  );
}

const columns = (): readonly Column<HealthProcess>[] => [
  {
    key: 'service',
    header: t('Process'),
    primary: true,
    cell: ({ service }) => (service === 'server' ? t('Server') : t('Worker process')),
  },
  {
    key: 'host',
    header: t('Machine'),
    className: 'wrap-anywhere',
    cell: ({ host, pid }) => t('{host}, process {pid}', { host, pid: String(pid) }),
  },
  { key: 'version', header: t('Version'), cell: ({ version }) => version },
  {
    key: 'started',
    header: t('Running since'),
    cell: ({ startedAt }) => <Time value={startedAt} className="whitespace-nowrap" />,
  },
  {
    key: 'memory',
    header: t('Memory'),
    align: 'end',
    cell: ({ memoryBytes }) => (memoryBytes === null ? '–' : formatBytes(memoryBytes)),
  },
  {
    key: 'delay',
    header: t('Delay'),
    align: 'end',
    cell: ({ eventLoopDelayMs }) =>
      eventLoopDelayMs === null
        ? '–'
        : t('{milliseconds} ms', { milliseconds: eventLoopDelayMs.toFixed(1) }),
  },
  {
    key: 'sockets',
    header: t('Live connections'),
    align: 'end',
    cell: ({ sockets }) => (sockets === null ? '–' : formatCount(sockets)),
  },
  {
    key: 'state',
    header: t('condition|State'),
    cell: ({ isSilent, seenAt }) =>
      isSilent ? (
        <span>
          {rich('Not heard of since {time}', { time: <Time value={seenAt} as="time" /> })}
        </span>
      ) : (
        t('Running')
      ),
  },
];

/** The processes that run, on all machines. */
const ProcessTable = ({ processes }: { processes: readonly HealthProcess[] }) => (
  <Table
    caption={t('Processes')}
    columns={columns()}
    rows={processes}
    rowKey={({ _id }) => _id}
    isWide
  />
);

/** What the last backup holds and where it is. */
const BackupFacts = ({ backup }: { backup: NonNullable<HealthReport['lastBackup']> }) => (
  <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2 lg:grid-cols-3">
    <Fact name={t('Finished')}>
      <Time value={backup.finishedAt} />
    </Fact>
    <Fact name={t('Size')}>{formatBytes(backup.sizeBytes)}</Fact>
    <Fact name={t('Holds')}>
      {backup.pictureCount === null
        ? t('{rows, plural, one {# row} other {# rows}}, no pictures', { rows: backup.rowCount })
        : t(
            '{rows, plural, one {# row} other {# rows}} and {pictures, plural, one {# picture file} other {# picture files}}',
            { rows: backup.rowCount, pictures: backup.pictureCount },
          )}
    </Fact>
    <Fact name={t('Folder')}>{backup.folder}</Fact>
    <Fact name={t('Made by')}>{backup.madeBy}</Fact>
    <Fact name={t('Verified')}>
      {backup.isVerified ? t('Every file was read again and is whole') : t('No')}
    </Fact>
  </dl>
);
