import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { t } from '#contract/platform/text/constants/texts';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { AuditTable, actionLabels } from '../../admin/admin/AuditTable.tsx';
import { AdminList, ListTools, useFilter, useListTools } from '../../admin/admin/ListTools.tsx';
import { auditQuery } from '../../admin/admin/queries.ts';
import { usersQuery } from '../../people/users/queries.ts';
import { useSearchParam } from '../../platform/hooks/use-search-param.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { cn } from '../../platform/ui/cn.ts';
import { ChoiceField } from '../../platform/ui/form/fields.tsx';

/** What admins did: filtered by admin, action and days. The filters are kept in the URL. */
export default function AdminAuditPage() {
  const [admin, setAdmin] = useSearchParam('admin');
  const action = useFilter('action', '', { '': t('All actions'), ...actionLabels });
  const tools = useListTools({ newest: t('Newest'), oldest: t('Oldest') });
  const filters = { admin: admin || undefined, action: action.filter, ...tools.filter };
  const query = useInfiniteQuery({ ...auditQuery(filters), placeholderData: keepPreviousData });
  const admins = itemsOf(useInfiniteQuery(usersQuery({ role: 'admin', sort: 'name' })).data);
  return (
    <AdminFrame title={t('Audit')} isOfMarket>
      <div className="mb-3 grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
        <ChoiceField
          label={t('Admin')}
          className="sm:w-56"
          options={[
            { value: '', label: t('All admins') },
            ...admins.map(({ _id, name }) => ({ value: _id, label: name })),
            ...(admin !== '' && !admins.some(({ _id }) => _id === admin)
              ? [{ value: admin, label: t('Another admin') }]
              : []),
          ]}
          value={admin}
          onChange={setAdmin}
        />
        <ChoiceField label={t('Action')} className="sm:w-56" {...action.bar} />
      </div>
      <ListTools name="audit" filters={filters} tools={tools} />
      <AdminList
        query={query}
        rows={8}
        drawing="search"
        title={t('No entries found')}
        text={t('No admin did this on these days. Try other filters.')}
      >
        {(entries) => (
          <div className={cn('transition-opacity', query.isPlaceholderData && 'opacity-60')}>
            <AuditTable key={JSON.stringify(filters)} entries={entries} />
          </div>
        )}
      </AdminList>
    </AdminFrame>
  );
}
