import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { HealthReport } from '#contract/admin/health/health';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { BackupFacts, HealthChecks, ProcessTable } from '../../admin/admin/health/HealthParts.tsx';
import { HeldDeliveriesCard } from '../../admin/admin/health/HeldDeliveriesCard.tsx';
import { healthQuery } from '../../admin/admin/health/health-queries.ts';
import { formatClock, summarize } from '../../admin/admin/health/health-texts.ts';
import { MarketTabs } from '../../admin/admin/MarketTabs.tsx';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { Loading, Skeleton } from '../../platform/ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../platform/ui/feedback/states.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';

/** Prefetches the report when a link to the page is hovered. */
export function prefetch(client: QueryClient): void {
  void client.prefetchQuery(healthQuery());
}

/** How the market runs: stores, processes, queues, backups. It asks again while it is open. */
export default function AdminHealthPage() {
  const { data: report, error, refetch, isFetching } = useQuery(healthQuery());
  return (
    <AdminFrame title="Health">
      <MarketTabs />
      {report ? (
        <Report report={report} isOld={error !== null} />
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} pending={isFetching} />
      ) : (
        <Loading className="grid gap-4">
          <Skeleton className="h-12" />
          <Skeleton className="h-160" />
        </Loading>
      )}
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
