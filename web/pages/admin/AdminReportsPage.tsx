import { keepPreviousData, type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { REPORT_KINDS, REPORT_STATES } from '#contract/admin/moderation/constants';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { reportsQuery } from '../../admin/admin/case-queries.ts';
import { MarketTabs } from '../../admin/admin/MarketTabs.tsx';
import { ReportCard } from '../../admin/admin/ReportCard.tsx';
import { useSearchParam, useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { cn } from '../../platform/ui/cn.ts';
import { SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { EmptyState } from '../../platform/ui/feedback/states.tsx';
import { FilterBar } from '../../platform/ui/lists/FilterBar.tsx';
import { PagedList } from '../../platform/ui/lists/LoadMore.tsx';

const stateOptions = [
  { value: 'open', label: 'Open' },
  { value: 'settled', label: 'Settled' },
] as const;

const kinds = ['all', ...REPORT_KINDS] as const;
const kindOptions = [
  { value: 'all', label: 'All' },
  { value: 'product', label: 'Products' },
  { value: 'farm', label: 'Farms' },
  { value: 'message', label: 'Messages' },
  { value: 'order', label: 'Orders' },
] as const;

/** Prefetches the open reports when a link to them is hovered. */
export function prefetch(client: QueryClient): void {
  void client.prefetchInfiniteQuery(reportsQuery());
}

/** What people have reported: as it was then, with the ways to act on it. */
export default function AdminReportsPage() {
  const [state, setState] = useSearchParamChoice('state', REPORT_STATES, 'open');
  const [kind, setKind] = useSearchParamChoice('kind', kinds, 'all');
  const [chosen] = useSearchParam('report');
  const filters = {
    state: state === 'open' ? undefined : state,
    kind: kind === 'all' ? undefined : kind,
  };
  const query = useInfiniteQuery({ ...reportsQuery(filters), placeholderData: keepPreviousData });
  return (
    <AdminFrame title="Reports">
      <MarketTabs />
      <div className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-2">
        <FilterBar label="State" options={stateOptions} value={state} onChange={setState} />
        <FilterBar label="Kind" options={kindOptions} value={kind} onChange={setKind} />
      </div>
      <PagedList
        query={query}
        items={itemsOf(query.data)}
        skeleton={<SkeletonRows rows={5} />}
        empty={
          <EmptyState
            drawing="basket"
            title={state === 'open' ? 'No open reports' : 'No settled reports'}
            text={
              state === 'open'
                ? 'What people report appears here.'
                : 'Reports that an admin has settled appear here.'
            }
          />
        }
      >
        {(reports) => (
          <ul
            aria-label="Reports"
            className={cn('grid gap-3', query.isPlaceholderData && 'opacity-60')}
          >
            {reports.map((report) => (
              <li key={report._id}>
                <ReportCard report={report} isChosen={report._id === chosen} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </AdminFrame>
  );
}
