import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { describeHeld, healthApi } from '#contract/admin/health/constants';
import type { HealthReport, HeldDeliveries } from '#contract/admin/health/health';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import {
  BackupFacts,
  HealthChecks,
  healthQuery,
  ProcessTable,
} from '../../admin/admin/health/HealthParts.tsx';
import { formatClock, summarize } from '../../admin/admin/health/health-texts.ts';
import { adminKeys } from '../../admin/admin/keys.ts';
import { call } from '../../platform/api/api.ts';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { Loading, Skeleton } from '../../platform/ui/feedback/Skeleton.tsx';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/Card.tsx';
import { Fetched } from '../Fetched.tsx';

/** Prefetches the report when a link to the page is hovered. */
export function prefetch(client: QueryClient): void {
  void client.prefetchQuery(healthQuery());
}

/** How the market runs: stores, processes, queues, backups. It asks again while it is open. */
export default function AdminHealthPage() {
  const query = useQuery(healthQuery());
  return (
    <AdminFrame title="Health" isOfMarket>
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

function Report({ report, isOld }: { report: HealthReport; isOld: boolean }) {
  return (
    <div className="grid gap-4">
      <div className="grid gap-2">
        <Alert kind={alertKinds[report.state]}>
          {summarize(report.checks.map(({ state }) => state))}
        </Alert>
        {isOld ? (
          <Alert kind="warning">
            We can't ask again just now. This is as of {formatClock(report.at)}; we keep trying.
          </Alert>
        ) : (
          <p className="text-sm text-ink-soft">
            As of <time dateTime={report.at}>{formatClock(report.at)}</time>, asked again every few
            seconds.
          </p>
        )}
      </div>
      {report.held && <HeldDeliveriesCard held={report.held} />}
      <div className={isOld ? 'opacity-60' : undefined}>
        <HealthChecks checks={report.checks} />
      </div>
      {report.processes !== null && report.processes.length > 0 && (
        <Card as="section" aria-labelledby="processes">
          <CardHeader id="processes" title="Processes" />
          <ProcessTable processes={report.processes} />
        </Card>
      )}
      {report.lastBackup && (
        <Card as="section" aria-labelledby="last-backup">
          <CardHeader id="last-backup" title="Last backup" />
          <BackupFacts backup={report.lastBackup} />
        </Card>
      )}
    </div>
  );
}

const RESULTS = {
  send: 'What still holds is being sent.',
  drop: 'Dropped. Nobody is notified.',
} as const;

/** What waits since a backup was restored, to be sent or dropped. Renders nothing when nothing waits. */
function HeldDeliveriesCard({ held }: { held: HeldDeliveries }) {
  const cache = useQueryClient();
  const settle = useMutation({
    mutationFn: (action: 'send' | 'drop') => call(healthApi.settleHeld, { body: { action } }),
    onSuccess: (_, action) => toast.success(RESULTS[action]),
    onError: toastError,
    onSettled: () => cache.invalidateQueries({ queryKey: adminKeys.health() }),
  });
  const waiting = describeHeld(held);
  if (waiting === '') return null;
  const isPending = (action: 'send' | 'drop') => settle.isPending && settle.variables === action;
  return (
    <Card as="section" aria-labelledby="held">
      <CardHeader id="held" title="Of before the restore" />
      <p className="mb-3 text-sm">
        {waiting} wait. People may have got some of them before the backup was restored. Only what
        still holds is sent.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          pending={isPending('send')}
          onClick={() => settle.mutate('send')}
        >
          Send what still holds
        </Button>
        <Button
          variant="danger-quiet"
          pending={isPending('drop')}
          onClick={() => settle.mutate('drop')}
        >
          Drop them
        </Button>
      </div>
    </Card>
  );
}
