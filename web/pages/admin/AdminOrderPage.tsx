import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { adminProductHref } from '../../admin/admin/links.ts';
import { OrderNotes } from '../../admin/admin/Notes.tsx';
import { OrderConversation } from '../../admin/admin/OrderConversation.tsx';
import { PersonSummary } from '../../admin/admin/person/PersonSummary.tsx';
import { FarmChanges } from '../../ordering/changes/proposals/FarmProposal.tsx';
import { OrderActions } from '../../ordering/orders/answers/OrderActions.tsx';
import { UpdateStatusButton } from '../../ordering/orders/answers/StatusDialog.tsx';
import { OrderDetail } from '../../ordering/orders/detail/OrderDetail.tsx';
import { OrderHead } from '../../ordering/orders/detail/OrderHead.tsx';
import { OrderTitle } from '../../ordering/orders/detail/OrderTitle.tsx';
import { mergeOrder } from '../../ordering/orders/merge.ts';
import { orderQuery } from '../../ordering/orders/queries.ts';
import { useTitle } from '../../platform/hooks/use-title.ts';
import { ErrorState } from '../../platform/ui/feedback/ErrorState.tsx';
import { Loading, Skeleton } from '../../platform/ui/feedback/Skeleton.tsx';
import { BackLink } from '../../platform/ui/primitives/BackLink.tsx';

/** Prefetches the order when a link to it is hovered. */
export function prefetch(client: QueryClient, params: Readonly<Record<string, string>>): void {
  if (params.id) void client.prefetchQuery(orderQuery(params.id));
}

/** The case of one order: order, timeline, conversation, people and internal notes. */
export default function AdminOrderPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { data: order, error, refetch, isFetching } = useQuery(orderQuery(id));
  useTitle(`Order #${shortId(id)}`);
  return (
    <AdminFrame
      title={order ? <OrderTitle order={order} reader="admin" /> : `Order #${shortId(id)}`}
      wide
    >
      <BackLink href="/admin/orders" className="mb-2">
        Back to Orders
      </BackLink>
      {order ? (
        <Case key={order._id} order={order} />
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} pending={isFetching} />
      ) : (
        <Loading className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <Skeleton className="h-96" />
          <Skeleton className="h-96" />
        </Loading>
      )}
    </AdminFrame>
  );
}

function Case({ order }: { order: Order }) {
  const cache = useQueryClient();
  return (
    <>
      <OrderHead order={order} reader="admin" level={null}>
        <div className="flex flex-wrap items-start gap-2">
          <UpdateStatusButton order={order} />
          <OrderActions order={order} party="admin" />
        </div>
      </OrderHead>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="grid min-w-0 gap-4">
          <OrderDetail
            order={order}
            level={2}
            linesAction={
              <FarmChanges
                order={order}
                reader="admin"
                onChanged={(changed) => mergeOrder(cache, changed)}
              />
            }
          />
          <OrderConversation order={order} />
        </div>
        <div className="grid min-w-0 gap-4">
          <OrderNotes orderId={order._id} />
          <PersonSummary person={order.consumer} title="Customer" orderId={order._id} />
          <PersonSummary person={order.farmer} title="Farmer" orderId={order._id} />
          <Products order={order} />
        </div>
      </div>
    </>
  );
}

/** The products of the order that still exist, to edit or hide them. */
function Products({ order }: { order: Order }) {
  const products = order.items.flatMap(({ product: { _id, name } }) =>
    _id === null ? [] : [{ _id, name }],
  );
  if (products.length === 0) return null;
  return (
    <section aria-labelledby="case-products" className="grid gap-1">
      <h2
        id="case-products"
        className="font-sans text-sm font-semibold tracking-normal text-ink-soft"
      >
        Products of this order
      </h2>
      <ul className="flex flex-wrap gap-x-4">
        {products.map((product) => (
          <li key={product._id}>
            <Link
              href={adminProductHref(product)}
              className="link inline-flex min-h-8 items-center text-sm wrap-anywhere pointer-coarse:min-h-11"
            >
              {product.name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
