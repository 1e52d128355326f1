import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { formatCount } from '#contract/platform/text/constants/formats';
import { msg, t } from '#contract/platform/text/constants/texts';
import { AdminFrame, adminOrderHref, adminUserHref } from '../../admin/admin/AdminFrame.tsx';
import { AdminList, ListTools, useListTools } from '../../admin/admin/ListTools.tsx';
import { ACTIONS, orderDate, orderTotal } from '../../admin/model/cells.tsx';
import { WaitingFarms } from '../../ordering/attention/WaitingFarms.tsx';
import { presentLines } from '../../ordering/model/order-items.ts';
import { OrderGoods, Waiting } from '../../ordering/model/order-parts.tsx';
import { OrderActions } from '../../ordering/orders/answers/OrderActions.tsx';
import { UpdateStatusButton } from '../../ordering/orders/answers/StatusDialog.tsx';
import { OrderDetail, OrderHead, OrderTitle } from '../../ordering/orders/detail/OrderDetail.tsx';
import {
  KnownOnly,
  StatusFilterBar,
  statusOf,
  useOrderList,
  useStatusFilter,
} from '../../ordering/orders/lists/StatusFilterBar.tsx';
import { orderQuery } from '../../ordering/orders/queries.ts';
import { useSearchBox } from '../../platform/hooks/use-debounced.ts';
import { useSearchParam } from '../../platform/hooks/use-search-param.ts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { Fetched, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { SearchInput } from '../../platform/ui/fields/SearchInput.tsx';
import { NewPill } from '../../platform/ui/lists/LoadMore.tsx';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
import { Button, LinkButton, StatusBadge } from '../../platform/ui/primitives/Button.tsx';

const sorts = {
  newest: msg('Newest'),
  oldest: msg('Oldest'),
  'total-desc': msg('Total: High to Low'),
  'total-asc': msg('Total: Low to High'),
};

/** All orders of the market. The open order is a dialog and kept in the URL. */
export default function AdminOrdersPage() {
  const { text, setText, search } = useSearchBox();
  const [filter, setFilter] = useStatusFilter();
  const [open, setOpen] = useSearchParam('order');
  const tools = useListTools(sorts);
  const filters = { status: statusOf(filter), search: search || undefined, ...tools.filter };
  const { query, list, isKnownOnly } = useOrderList('all', filters);
  return (
    <AdminFrame title={t('Orders')}>
      <WaitingFarms hrefOfFarm={adminUserHref} hrefOfOrder={adminOrderHref} />
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <SearchInput
          label={t('Search by ID, customer or farmer')}
          placeholder={t('ID, person, phone or product')}
          value={text}
          onChange={setText}
          className="w-full sm:w-80"
        />
        <StatusFilterBar value={filter} onChange={setFilter} />
      </div>
      <ListTools name="orders" filters={filters} tools={tools} />
      <NewPill count={list.deferredCount} />
      {isKnownOnly && <KnownOnly />}
      <AdminList
        query={query}
        items={list.rows}
        rows={8}
        drawing="parcel"
        title={t('No Orders Found')}
        text={t('No order matches. Try other words or another status.')}
      >
        {(orders) => (
          <Table
            key={JSON.stringify(filters)}
            caption={t('Orders')}
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
      </AdminList>
      {open && <OrderDialog id={open} onClose={() => setOpen('')} />}
    </AdminFrame>
  );
}

const columns = (onOpen: (id: string) => void): readonly Column<Order>[] => [
  {
    key: 'order',
    header: t('Order'),
    primary: true,
    cell: (order) => (
      <Link href={adminOrderHref(order)} className="hover:underline">
        <OrderGoods order={order} />
      </Link>
    ),
  },
  orderDate,
  { key: 'customer', header: t('Customer'), cell: (order) => order.consumer.name },
  { key: 'farmer', header: t('Farmer'), cell: (order) => order.farmer.name },
  {
    key: 'items',
    header: t('Items'),
    align: 'end',
    cell: (order) => formatCount(presentLines(order.items).length),
  },
  orderTotal,
  {
    key: 'status',
    header: t('Status'),
    cell: (order) => (
      <span className="inline-flex flex-wrap justify-end gap-1.5 @xl:justify-start">
        <StatusBadge status={order.status} />
        {order.status === 'pending' && <Waiting since={order.createdAt} />}
      </span>
    ),
  },
  {
    ...ACTIONS,
    className: 'rows:whitespace-nowrap',
    cell: (order) => (
      <span className="inline-flex flex-wrap items-center justify-end gap-1 rows:flex-nowrap">
        <Button
          variant="quiet"
          size="sm"
          aria-label={t('View Details of order {number}', { number: shortId(order._id) })}
          onClick={() => onOpen(order._id)}
        >
          {t('View Details')}
        </Button>
        <UpdateStatusButton order={order} size="sm" />
      </span>
    ),
  },
];

function OrderDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(orderQuery(id));
  const order = query.data;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        // Three lines on a phone, as most orders need, so that what is below stays when the title comes.
        <span className="block max-sm:min-h-[4.6rem]">
          {order ? (
            <OrderTitle order={order} reader="admin" />
          ) : (
            t('Order #{number}', { number: shortId(id) })
          )}
        </span>
      }
      size="lg"
    >
      <Fetched
        query={query}
        skeleton={
          // As tall as an order, so that the dialog opens where it stays.
          <Loading className="grid gap-4">
            <Skeleton className="h-18" />
            <Skeleton className="h-[86dvh]" />
          </Loading>
        }
      >
        {(order) => (
          <>
            <OrderHead order={order} reader="admin" level={null}>
              <div className="flex flex-wrap items-start gap-2">
                <LinkButton href={adminOrderHref(order)} variant="secondary">
                  {t('Open case')}
                </LinkButton>
                <UpdateStatusButton order={order} />
                <OrderActions order={order} party="admin" />
              </div>
            </OrderHead>
            <OrderDetail order={order} />
          </>
        )}
      </Fetched>
    </Dialog>
  );
}
