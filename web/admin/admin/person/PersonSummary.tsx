import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import { Link } from 'wouter';
import type { AdminPerson } from '#contract/admin/admin/admin';
import type { Order } from '#contract/ordering/orders/orders';
import type { Contact } from '#contract/people/users/users';
import { OrderId } from '../../../ordering/model/OrderId.tsx';
import { itemsInWords } from '../../../ordering/model/order-items.ts';
import { plural } from '../../../platform/format/format.ts';
import { itemsOf } from '../../../platform/queries/pages.ts';
import { Loading, Skeleton } from '../../../platform/ui/feedback/Skeleton.tsx';
import { PagedList } from '../../../platform/ui/lists/LoadMore.tsx';
import { StatusBadge } from '../../../platform/ui/primitives/Badge.tsx';
import { LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { Money } from '../../../platform/ui/primitives/Money.tsx';
import { Card } from '../../../platform/ui/primitives/sections.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { personOrdersQuery, personQuery } from '../case-queries.ts';
import { adminOrderHref, adminUserHref } from '../links.ts';

const ORDERS_SHOWN = 5;

/** Returns how often a person's orders went wrong, in words. */
export function countsInWords({ ordersByStatus }: Pick<AdminPerson, 'ordersByStatus'>): string {
  const total = Object.values(ordersByStatus).reduce((sum, count) => sum + count, 0);
  const { cancelled, rejected } = ordersByStatus;
  return [
    plural(total, 'order'),
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ].join(', ');
}

/** One party of an order: who they are and their other orders. */
export function PersonSummary({
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
    <Card as="section" aria-label={`${title}: ${person.name}`} className="grid gap-3">
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
            {data && (
              <>
                {countsInWords(data)}. Joined{' '}
                <Time value={data.user.createdAt} as="date" inSentence />.
              </>
            )}
          </p>
        </div>
        {!data && <span className="h-8 w-27 pointer-coarse:h-11" />}
        {data && !data.isDeleted && (
          <LinkButton
            href={`/admin/messages/${person._id}`}
            variant="secondary"
            size="sm"
            icon={<MessageCircle />}
            aria-label={`Message ${person.name}`}
          >
            Message
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
        empty={<p className="text-sm text-ink-soft">No other orders.</p>}
        // The person's own page has the rest.
        more={null}
      >
        {() => (
          <ul aria-label={`Other orders of ${person.name}`}>
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
          All orders
        </Link>
      )}
    </Card>
  );
}

function OtherOrder({ order }: { order: Order }) {
  return (
    <li className="border-b border-hairline last:border-0">
      <Link
        href={adminOrderHref(order)}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-1.5 text-sm hover:bg-sunken"
      >
        <span className="truncate text-leaf">{itemsInWords(order.items)}</span>
        <Money amount={order.totalAmount} isEstimate={!order.isTotalFinal} className="text-right" />
        <span className="text-xs text-ink-soft">
          <Time value={order.createdAt} as="date" /> <OrderId order={order} className="ml-1" />
        </span>
        <StatusBadge status={order.status} className="justify-self-end" />
      </Link>
    </li>
  );
}
