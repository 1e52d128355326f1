import type { QueryClient } from '@tanstack/react-query';
import { t } from '#contract/platform/text/constants/texts';
import { ReorderButton } from '../../ordering/cart/reorder/ReorderButton.tsx';
import { OrderCard } from '../../ordering/orders/lists/OrderCard.tsx';
import {
  KnownOnly,
  StatusFilterBar,
  statusOf,
  useOrderList,
  useStatusFilter,
} from '../../ordering/orders/lists/StatusFilterBar.tsx';
import { ordersQuery } from '../../ordering/orders/queries.ts';
import { store, useAuth, userAtom } from '../../platform/session/session.ts';
import { EmptyState, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { NewPill, PagedList } from '../../platform/ui/lists/LoadMore.tsx';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { PageHeader } from '../../platform/ui/primitives/sections.tsx';

/** Prefetches the first orders. */
export const prefetch = (client: QueryClient) => {
  const isFarmer = store.get(userAtom)?.role === 'farmer';
  return client.prefetchInfiniteQuery(ordersQuery(isFarmer ? 'received' : 'mine'));
};

/** The user's own orders: those a consumer placed, or those placed with a farmer. */
export default function OrdersPage() {
  const { user } = useAuth();
  const isFarmer = user?.role === 'farmer';
  const [filter, setFilter] = useStatusFilter();
  const { query, list, isKnownOnly } = useOrderList(isFarmer ? 'received' : 'mine', {
    status: statusOf(filter),
  });

  return (
    <div className="wrap py-8">
      <PageHeader
        title={t('My Orders')}
        text={
          isFarmer
            ? t('The orders placed with your farm.')
            : t('What you ordered, and where it stands.')
        }
      >
        {isFarmer && <LinkButton href="/farmer/orders">{t('Manage orders')}</LinkButton>}
      </PageHeader>
      <StatusFilterBar value={filter} onChange={setFilter} />
      <div className="mt-5">
        <NewPill count={list.deferredCount} />
        {isKnownOnly && <KnownOnly />}
        <PagedList
          query={query}
          items={list.rows}
          skeleton={<CardSkeletons />}
          empty={<NoOrders isFarmer={isFarmer} isFiltered={filter !== 'all'} />}
        >
          {(orders) => (
            <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
              {orders.map((order) => (
                <OrderCard
                  key={order._id}
                  order={order}
                  reader={isFarmer ? 'farmer' : 'consumer'}
                  isNew={list.isNew(order)}
                  isLeaving={list.isLeaving(order)}
                  action={!isFarmer && <ReorderButton order={order} variant="quiet" />}
                />
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </div>
  );
}

function NoOrders({ isFarmer, isFiltered }: { isFarmer: boolean; isFiltered: boolean }) {
  const text = isFiltered
    ? t('No order has this status at the moment.')
    : isFarmer
      ? t('New orders appear here the moment they are placed.')
      : t('Find something fresh, and your first order will show here.');
  return (
    <EmptyState drawing="parcel" title={t('No Orders Found')} text={text}>
      {!isFarmer && !isFiltered && <LinkButton href="/products">{t('Browse Products')}</LinkButton>}
    </EmptyState>
  );
}

const CardSkeletons = () => (
  <Loading className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
    {[1, 2, 3, 4, 5, 6].map((card) => (
      <div key={card} className="grid gap-4 rounded border border-hairline bg-surface p-4">
        <span className="flex justify-between">
          <Skeleton className="h-5 w-32" />
          <Skeleton className="h-5 w-20" />
        </span>
        <Skeleton className="h-11 w-full" />
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-10 w-full" />
      </div>
    ))}
  </Loading>
);
