import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { AUDIT_SORTS } from '#contract/admin/admin/constants';
import { AUDIT_ACTIONS } from '#contract/platform/audit/constants';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { AuditTable } from '../../admin/admin/AuditTable.tsx';
import { actionLabels } from '../../admin/admin/audit-texts.ts';
import { auditQuery } from '../../admin/admin/case-queries.ts';
import { ListTools } from '../../admin/admin/ListTools.tsx';
import { MarketTabs } from '../../admin/admin/MarketTabs.tsx';
import { useDayRange } from '../../admin/admin/use-day-range.ts';
import { usersQuery } from '../../people/users/queries.ts';
import { useSearchParam, useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { cn } from '../../platform/ui/cn.ts';
import { SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { EmptyState } from '../../platform/ui/feedback/states.tsx';
import { Select } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { PagedList } from '../../platform/ui/lists/LoadMore.tsx';

const sorts = { newest: 'Newest', oldest: 'Oldest' } as const;
const ACTIONS = ['', ...AUDIT_ACTIONS] as const;

/** What admins did: filtered by admin, action and days. The filters are kept in the URL. */
export default function AdminAuditPage() {
  const [admin, setAdmin] = useSearchParam('admin');
  const [action, setAction] = useSearchParamChoice('action', ACTIONS, '');
  const [sort, setSort] = useSearchParamChoice('sort', AUDIT_SORTS, 'newest');
  const days = useDayRange();
  const filters = {
    admin: admin || undefined,
    action: action || undefined,
    sort: sort === 'newest' ? undefined : sort,
    ...days.filter,
  };
  const query = useInfiniteQuery({ ...auditQuery(filters), placeholderData: keepPreviousData });
  const admins = itemsOf(useInfiniteQuery(usersQuery({ role: 'admin', sort: 'name' })).data);
  return (
    <AdminFrame title="Audit">
      <MarketTabs />
      <div className="mb-3 grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
        <Field label="Admin" className="sm:w-56">
          <Select value={admin} onChange={(event) => setAdmin(event.target.value)}>
            <option value="">All admins</option>
            {admins.map(({ _id, name }) => (
              <option key={_id} value={_id}>
                {name}
              </option>
            ))}
            {admin !== '' && !admins.some(({ _id }) => _id === admin) && (
              <option value={admin}>Another admin</option>
            )}
          </Select>
        </Field>
        <Field label="Action" className="sm:w-56">
          <Select
            value={action}
            onChange={(event) => setAction(event.target.value as typeof action)}
          >
            <option value="">All actions</option>
            {AUDIT_ACTIONS.map((each) => (
              <option key={each} value={each}>
                {actionLabels[each]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <ListTools
        name="audit"
        filters={filters}
        sort={sort}
        sorts={sorts}
        onSort={setSort}
        days={days}
      />
      <PagedList
        query={query}
        items={itemsOf(query.data)}
        skeleton={<SkeletonRows rows={8} />}
        empty={
          <EmptyState
            drawing="search"
            title="No entries found"
            text="No admin did this on these days. Try other filters."
          />
        }
      >
        {(entries) => (
          <div className={cn('transition-opacity', query.isPlaceholderData && 'opacity-60')}>
            <AuditTable key={JSON.stringify(filters)} entries={entries} />
          </div>
        )}
      </PagedList>
    </AdminFrame>
  );
}
