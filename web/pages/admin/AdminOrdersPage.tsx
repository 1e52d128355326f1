import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ORDER_SORTS } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { ListTools } from '../../admin/admin/ListTools.tsx';
import { adminOrderHref } from '../../admin/admin/links.ts';
import { useDayRange } from '../../admin/admin/use-day-range.ts';
import { OrderGoods } from '../../ordering/model/OrderId.tsx';
import { presentLines } from '../../ordering/model/order-items.ts';
import { OrderActions } from '../../ordering/orders/answers/OrderActions.tsx';
import { UpdateStatusButton } from '../../ordering/orders/answers/StatusDialog.tsx';
import { OrderDetail } from '../../ordering/orders/detail/OrderDetail.tsx';
import { OrderHead } from '../../ordering/orders/detail/OrderHead.tsx';
import { OrderTitle } from '../../ordering/orders/detail/OrderTitle.tsx';
import { StatusFilterBar } from '../../ordering/orders/lists/StatusFilterBar.tsx';
import { statusOf, useStatusFilter } from '../../ordering/orders/lists/status-filter.ts';
import { useOrderList } from '../../ordering/orders/lists/use-order-list.ts';
import { Waiting } from '../../ordering/orders/lists/Waiting.tsx';
import { orderQuery } from '../../ordering/orders/queries.ts';
import { formatCount } from '../../platform/format/format.ts';
import { useSearchBox } from '../../platform/hooks/use-search-box.ts';
import { useSearchParam, useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { EmptyState } from '../../platform/ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../platform/ui/feedback/ErrorState.tsx';
import { Loading, Skeleton, SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { SearchInput } from '../../platform/ui/fields/SearchInput.tsx';
import { NewPill } from '../../platform/ui/lists/NewPill.tsx';
import { PagedList } from '../../platform/ui/lists/PagedList.tsx';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Money } from '../../platform/ui/primitives/Money.tsx';
import { StatusBadge } from '../../platform/ui/primitives/StatusBadge.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';

const sorts = {
  newest: 'Newest',
  oldest: 'Oldest',
  'total-desc': 'Total: High to Low',
  'total-asc': 'Total: Low to High',
} as const;

/** All orders of the market. The open order is a dialog and kept in the URL. */
export default function AdminOrdersPage() {
  const { text, setText, search } = useSearchBox();
  const [filter, setFilter] = useStatusFilter();
  const [open, setOpen] = useSearchParam('order');
  const [sort, setSort] = useSearchParamChoice('sort', ORDER_SORTS, 'newest');
  const days = useDayRange();
  const filters = {
    status: statusOf(filter),
    search: search || undefined,
    sort: sort === 'newest' ? undefined : sort,
    ...days.filter,
  };
  const { query, list } = useOrderList('all', filters);
  return (
    <AdminFrame title="Orders">
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <SearchInput
          label="Search by ID, customer or farmer"
          placeholder="ID, person, phone or product"
          value={text}
          onChange={setText}
          className="w-full sm:w-80"
        />
        <StatusFilterBar value={filter} onChange={setFilter} />
      </div>
      <ListTools
        name="orders"
        filters={filters}
        sort={sort}
        sorts={sorts}
        onSort={setSort}
        days={days}
      />
      <NewPill count={list.deferredCount} />
      <PagedList
        query={query}
        items={list.rows}
        skeleton={<SkeletonRows rows={8} />}
        empty={
          <EmptyState
            drawing="parcel"
            title="No Orders Found"
            text="No order matches. Try other words or another status."
          />
        }
      >
        {(orders) => (
          <Table
            key={JSON.stringify(filters)}
            caption="Orders"
            isWide
            columns={columns(setOpen)}
            rows={orders}
            rowKey={(order) => order._id}
            rowVersion={(order) => order.status}
            rowClassName={(order) =>
              list.isLeaving(order) ? 'bg-sunken rows:bg-sunken' : undefined
            }
          />
        )}
      </PagedList>
      {open && <OrderDialog id={open} onClose={() => setOpen('')} />}
    </AdminFrame>
  );
}

function columns(onOpen: (id: string) => void): readonly Column<Order>[] {
  return [
    {
      key: 'order',
      header: 'Order',
      primary: true,
      cell: (order) => (
        <Link href={adminOrderHref(order)} className="hover:underline">
          <OrderGoods order={order} />
        </Link>
      ),
    },
    {
      key: 'date',
      header: 'Date',
      cell: (order) => <Time value={order.createdAt} as="date" className="whitespace-nowrap" />,
    },
    { key: 'customer', header: 'Customer', cell: (order) => order.consumer.name },
    { key: 'farmer', header: 'Farmer', cell: (order) => order.farmer.name },
    {
      key: 'items',
      header: 'Items',
      align: 'end',
      cell: (order) => formatCount(presentLines(order.items).length),
    },
    {
      key: 'total',
      header: 'Total',
      align: 'end',
      cell: (order) => <Money amount={order.totalAmount} isEstimate={!order.isTotalFinal} />,
    },
    {
      key: 'status',
      header: 'Status',
      cell: (order) => (
        <span className="inline-flex flex-wrap justify-end gap-1.5 @xl:justify-start">
          <StatusBadge status={order.status} />
          {order.status === 'pending' && <Waiting since={order.createdAt} />}
        </span>
      ),
    },
    {
      key: 'actions',
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      actions: true,
      className: 'whitespace-nowrap',
      cell: (order) => (
        <span className="inline-flex items-center gap-1">
          <Button
            variant="quiet"
            size="sm"
            aria-label={`View Details of order ${shortId(order._id)}`}
            onClick={() => onOpen(order._id)}
          >
            View Details
          </Button>
          <UpdateStatusButton order={order} size="sm" />
        </span>
      ),
    },
  ];
}

function OrderDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: order, error, refetch, isFetching } = useQuery(orderQuery(id));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        // Three lines on a phone, as most orders need, so that what is below stays when the title comes.
        <span className="block max-sm:min-h-[4.6rem]">
          {order ? <OrderTitle order={order} reader="admin" /> : `Order #${shortId(id)}`}
        </span>
      }
      size="lg"
    >
      {order ? (
        <>
          <OrderHead order={order} reader="admin" level={null}>
            <div className="flex flex-wrap items-start gap-2">
              <LinkButton href={adminOrderHref(order)} variant="secondary">
                Open case
              </LinkButton>
              <UpdateStatusButton order={order} />
              <OrderActions order={order} party="admin" />
            </div>
          </OrderHead>
          <OrderDetail order={order} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} pending={isFetching} />
      ) : (
        // As tall as an order, so that the dialog opens where it stays.
        <Loading className="grid gap-4">
          <Skeleton className="h-18" />
          <Skeleton className="h-[86dvh]" />
        </Loading>
      )}
    </Dialog>
  );
}
