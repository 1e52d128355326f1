import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import { Link, useParams } from 'wouter';
import type { AdminPerson } from '#contract/admin/admin/admin';
import type { Message } from '#contract/farm/messages/messages';
import type { Order } from '#contract/ordering/orders/orders';
import type { Contact } from '#contract/people/users/users';
import { shortId } from '#contract/platform/http/constants';
import { listOf } from '#contract/platform/text/constants/formats';
import { isolate } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import {
  AdminFrame,
  adminOrderHref,
  adminProductHref,
  adminUserHref,
} from '../../admin/admin/AdminFrame.tsx';
import { OrderNotes } from '../../admin/admin/Notes.tsx';
import { conversationQuery, personOrdersQuery, personQuery } from '../../admin/admin/queries.ts';
import { FarmChanges } from '../../ordering/changes/proposals/FarmProposal.tsx';
import { formatItems } from '../../ordering/model/order-items.ts';
import { OrderId, OrderTotal } from '../../ordering/model/order-parts.tsx';
import { OrderActions } from '../../ordering/orders/answers/OrderActions.tsx';
import { UpdateStatusButton } from '../../ordering/orders/answers/StatusDialog.tsx';
import { OrderDetail, OrderHead, OrderTitle } from '../../ordering/orders/detail/OrderDetail.tsx';
import { orderQuery } from '../../ordering/orders/queries.ts';
import { useTitle } from '../../platform/format/market.ts';
import { rich } from '../../platform/format/rich.tsx';
import { itemsOf } from '../../platform/queries/pages.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Fetched, Loading, Skeleton, SkeletonText } from '../../platform/ui/feedback/states.tsx';
import { PagedList } from '../../platform/ui/lists/LoadMore.tsx';
import { Badge, Button, LinkButton, StatusBadge } from '../../platform/ui/primitives/Button.tsx';
import { BackLink, Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';

/** Prefetches the order when a link to it is hovered. */
export const prefetch = (client: QueryClient, { id = '' }: Readonly<Record<string, string>>) =>
  client.prefetchQuery(orderQuery(id));

/** The case of one order: order, timeline, conversation, people and internal notes. */
export default function AdminOrderPage() {
  const { id = '' } = useParams<{ id: string }>();
  const query = useQuery(orderQuery(id));
  const order = query.data;
  const title = t('Order #{number}', { number: shortId(id) });
  useTitle(title);
  return (
    <AdminFrame title={order ? <OrderTitle order={order} reader="admin" /> : title} wide>
      <BackLink href="/admin/orders" className="mb-2">
        {t('Back to Orders')}
      </BackLink>
      <Fetched
        query={query}
        skeleton={
          <Loading className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <Skeleton className="h-96" />
            <Skeleton className="h-96" />
          </Loading>
        }
      >
        {(order) => <Case key={order._id} order={order} />}
      </Fetched>
    </AdminFrame>
  );
}

function Case({ order }: { order: Order }) {
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
            linesAction={<FarmChanges order={order} reader="admin" />}
          />
          <OrderConversation order={order} />
        </div>
        <div className="grid min-w-0 gap-4">
          <OrderNotes orderId={order._id} />
          <PersonSummary person={order.consumer} title={t('Customer')} orderId={order._id} />
          <PersonSummary person={order.farmer} title={t('Farmer')} orderId={order._id} />
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
        {t('Products of this order')}
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

const ORDERS_SHOWN = 5;

/** Returns how often a person's orders went wrong, in words. */
function describeCounts({ ordersByStatus }: Pick<AdminPerson, 'ordersByStatus'>): string {
  const total = Object.values(ordersByStatus).reduce((sum, count) => sum + count, 0);
  const { cancelled, rejected } = ordersByStatus;
  return listOf(
    [
      t('{total, plural, one {# order} other {# orders}}', { total }),
      ...(rejected > 0 ? [t('{count, plural, other {# rejected}}', { count: rejected })] : []),
      ...(cancelled > 0 ? [t('{count, plural, other {# cancelled}}', { count: cancelled })] : []),
    ],
    'unit',
  );
}

/** One party of an order: who they are and their other orders. */
function PersonSummary({
  person,
  title,
  orderId,
}: {
  person: Contact;
  title: string;
  /** The order that is shown beside this and is left out here. */
  orderId: string;
}) {
  const { data } = useQuery(personQuery(person._id));
  const orders = useInfiniteQuery(personOrdersQuery(person._id));
  const others = itemsOf(orders.data).filter(({ _id }) => _id !== orderId);
  return (
    <Card as="section" aria-label={`${title}: ${isolate(person.name)}`} className="grid gap-3">
      <header className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="font-sans text-sm font-semibold tracking-normal text-ink-soft">{title}</h2>
          <Link
            href={adminUserHref(person)}
            className="link inline-flex min-h-8 items-center font-medium wrap-anywhere pointer-coarse:min-h-11"
          >
            {person.name}
          </Link>
          {/* The line has its place before it is known, and so has the button. */}
          <p className="min-h-5 text-sm text-ink-soft">
            {data &&
              rich('{orders}. Joined {date}.', {
                orders: describeCounts(data),
                date: <Time value={data.user.createdAt} as="date" inSentence />,
              })}
          </p>
        </div>
        {!data && <span className="h-8 w-27 pointer-coarse:h-11" />}
        {data && !data.isDeleted && (
          <LinkButton
            href={`/admin/messages/${person._id}`}
            variant="secondary"
            size="sm"
            icon={<MessageCircle />}
            aria-label={t('Message {name}', { name: person.name })}
          >
            {t('verb|Message')}
          </LinkButton>
        )}
      </header>
      <PagedList
        query={orders}
        items={others}
        skeleton={
          <Loading className="grid gap-1">
            {Array.from({ length: ORDERS_SHOWN }, (_, row) => (
              <Skeleton key={String(row)} className="h-12" />
            ))}
          </Loading>
        }
        empty={<p className="text-sm text-ink-soft">{t('No other orders.')}</p>}
        // The person's own page has the rest.
        more={null}
      >
        {() => (
          <ul aria-label={t('Other orders of {name}', { name: person.name })}>
            {others.slice(0, ORDERS_SHOWN).map((order) => (
              <OtherOrder key={order._id} order={order} />
            ))}
          </ul>
        )}
      </PagedList>
      {(others.length > ORDERS_SHOWN || orders.hasNextPage) && (
        <Link
          href={adminUserHref(person)}
          className="link inline-flex min-h-8 items-center text-sm pointer-coarse:min-h-11"
        >
          {t('All orders')}
        </Link>
      )}
    </Card>
  );
}

const OtherOrder = ({ order }: { order: Order }) => (
  <li className="border-b border-hairline last:border-0">
    <Link
      href={adminOrderHref(order)}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-1.5 text-sm hover:bg-sunken"
    >
      <span dir="auto" className="truncate text-leaf">
        {formatItems(order.items)}
      </span>
      <OrderTotal order={order} className="text-end" />
      <span className="text-xs text-ink-soft">
        <Time value={order.createdAt} as="date" /> <OrderId order={order} className="ms-1" />
      </span>
      <StatusBadge status={order.status} className="justify-self-end" />
    </Link>
  </li>
);

/** Returns the loaded messages in time order; each page is in time order, the newest page first. */
export function inTimeOrder(pages: readonly { data: readonly Message[] }[]): Message[] {
  const messages = pages.toReversed().flatMap((page) => page.data);
  return [...new Map(messages.map((message) => [message._id, message])).values()];
}

/** What the two parties of an order wrote to each other, to read only. */
function OrderConversation({ order }: { order: Order }) {
  const query = useInfiniteQuery(conversationQuery(order._id));
  return (
    <Card as="section" aria-labelledby="conversation" className="min-w-0">
      <CardHeader id="conversation" title={t('Conversation')}>
        <span className="text-xs text-ink-soft">{t('The audit notes that you read it')}</span>
      </CardHeader>
      <PagedList
        query={query}
        items={inTimeOrder(query.data?.pages ?? [])}
        skeleton={<SkeletonText lines={4} />}
        empty={<p className="text-sm text-ink-soft">{t("They haven't written to each other.")}</p>}
        // Older messages stand above.
        more={null}
      >
        {(messages) => (
          <div
            role="log"
            aria-label={t('Messages between {consumer} and {farmer}', {
              consumer: order.consumer.name,
              farmer: order.farmer.name,
            })}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
            tabIndex={0}
            className="max-h-[32rem] overflow-y-auto overscroll-contain pe-1"
          >
            {query.hasNextPage && (
              <Button
                variant="quiet"
                size="sm"
                pending={query.isFetchingNextPage}
                onClick={() => query.fetchNextPage()}
                className="mx-auto mb-2 flex"
              >
                {query.isFetchNextPageError ? t('Try again') : t('Earlier messages')}
              </Button>
            )}
            <ol className="grid gap-3">
              {messages.map((message) => (
                <Words key={message._id} message={message} order={order} />
              ))}
            </ol>
          </div>
        )}
      </PagedList>
    </Card>
  );
}

function Words({ message, order }: { message: Message; order: Order }) {
  const isFarmer = message.sender._id === order.farmer._id;
  return (
    <li className={cn('flex flex-col', isFarmer ? 'items-end' : 'items-start')}>
      <div
        className={cn(
          'max-w-[min(34rem,90%)] rounded border border-transparent px-3.5 py-2 text-sm',
          isFarmer ? 'bg-leaf-soft' : 'bg-sunken',
        )}
      >
        <p className="mb-0.5 flex flex-wrap items-center gap-x-2 text-xs">
          <span className="font-medium">{message.sender.name}</span>
          <Time value={message.createdAt} className="text-ink-soft" />
          {message.relatedOrder === order._id && (
            <Badge className="bg-surface">{t('About this order')}</Badge>
          )}
        </p>
        <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
          {message.content}
        </p>
      </div>
    </li>
  );
}
