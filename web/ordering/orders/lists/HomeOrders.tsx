import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId } from 'react';
import { Link } from 'wouter';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { slotInSentence, slotOf } from '#contract/farm/slots/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { t } from '#contract/platform/text/constants/texts';
import { timeHere } from '../../../farm/model/farm-clock.ts';
import { useNow, useToday } from '../../../platform/hooks/use-now.ts';
import { itemsOf } from '../../../platform/queries/pages.ts';
import { useHighlight } from '../../../platform/queries/use-changes.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { StatusBadge } from '../../../platform/ui/primitives/Button.tsx';
import { useDayAtFarm } from '../../model/day-at-farm.ts';
import { bySlot, isAhead, isDayPast } from '../../model/order-cache.ts';
import { formatItems, formatTotal } from '../../model/order-items.ts';
import { ordersQuery } from '../queries.ts';
import { HomeOrdersSkeleton } from './HomeOrdersSkeleton.tsx';

/**
 * A consumer's orders on the home page: those under way, live, and those to order again with the button that
 * `again` renders. Nothing before the first order, nor while the orders cannot be loaded. `onReady` is
 * called once its height is known, or will not be for a while. `isContinued` says that the page showed its skeleton
 * already.
 */
export function HomeOrders({
  again,
  onReady,
  isContinued = false,
}: {
  again: (order: Order) => ReactNode;
  onReady: () => void;
  isContinued?: boolean;
}) {
  const query = useInfiniteQuery(ordersQuery('mine'));
  const today = useToday();
  const now = useNow();
  const isReady = !query.isPending || query.failureCount > 0;
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady, onReady]);
  if (query.isPending) return <HomeOrdersSkeleton isContinued={isContinued} />;
  const orders = itemsOf(query.data);
  const underWay = ordersUnderWay(orders, today, now);
  const toRepeat = ordersToRepeat(orders);
  if (underWay.length + toRepeat.length === 0) return null;
  return (
    <div className="wrap grid items-start gap-6 lg:grid-cols-2">
      {underWay.length > 0 && (
        <OrdersSection title={t('Coming up')}>
          {underWay.map((order) => (
            <UnderWay key={order._id} order={order} />
          ))}
        </OrdersSection>
      )}
      {toRepeat.length > 0 && (
        <OrdersSection title={t('Order again')}>
          {toRepeat.map((order) => (
            <li key={order._id} className="flex items-center justify-between gap-3 px-4 py-3">
              <p className="min-w-0 text-sm">
                <Link
                  href={`/orders/${order._id}`}
                  dir="auto"
                  className="line-clamp-2 py-0.5 font-semibold hover:underline"
                >
                  {farmNameOf(order.farmer)}
                </Link>
                <span dir="auto" className="line-clamp-2 text-ink-soft">
                  {t('{items}, {total}', {
                    items: formatItems(order.items),
                    total: formatTotal(order),
                  })}
                </span>
              </p>
              <span className="shrink-0">{again(order)}</span>
            </li>
          ))}
        </OrdersSection>
      )}
    </div>
  );
}

function OrdersSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        <Link
          href="/orders"
          className="inline-flex min-h-9 items-center rounded text-sm font-medium text-leaf hover:underline pointer-coarse:min-h-11"
        >
          {t('All orders')}
        </Link>
      </div>
      <ul className="divide-y divide-hairline overflow-hidden rounded border border-hairline bg-surface">
        {children}
      </ul>
    </section>
  );
}

function UnderWay({ order }: { order: Order }) {
  const isHighlighted = useHighlight(order.status, order._id);
  const slot = slotOf(order);
  const way = slot.isDelivery ? 'delivery' : 'pickup';
  const when = slotInSentence(slot, useDayAtFarm(order));
  const here = timeHere(slot, order.startsAt, order.endsAt);
  return (
    <li className={cn('relative', isHighlighted && 'animate-highlight')}>
      <Link
        href={`/orders/${order._id}`}
        className="flex items-center justify-between gap-3 px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span className="min-w-0 text-sm">
          <span dir="auto" className="block truncate font-semibold">
            {farmNameOf(order.farmer)}
          </span>
          <span className="block text-ink-soft">
            {here
              ? t('{way, select, delivery {Delivery} other {Pickup}} {when} at the farm ({here})', {
                  way,
                  when,
                  here,
                })
              : t('{way, select, delivery {Delivery} other {Pickup}} {when}', { way, when })}
          </span>
        </span>
        <span aria-live="polite" className="shrink-0">
          <StatusBadge status={order.status} />
        </span>
      </Link>
    </li>
  );
}

/** How many orders under way, and how many to order again, the home page shows. */
const MAX_UNDER_WAY = 3;
const MAX_TO_REPEAT = 3;

/** Returns the orders whose handover is still to come, the next one first. */
export function ordersUnderWay(orders: readonly Order[], today: string, now: number): Order[] {
  return orders
    .filter((order) => isAhead(order) && !isDayPast(order, today, now))
    .toSorted(bySlot)
    .slice(0, MAX_UNDER_WAY);
}

/**
 * Returns the orders that a consumer may want again: the latest of each farm, newest first, but for what the
 * farm rejected. Farms whose account was deleted sell nothing.
 */
export function ordersToRepeat(newestFirst: readonly Order[]): Order[] {
  const byFarm = new Map<string, Order>();
  for (const order of newestFirst) {
    if (order.status === 'rejected' || order.farmer.email === '') continue;
    if (!byFarm.has(order.farmer._id)) byFarm.set(order.farmer._id, order);
  }
  return [...byFarm.values()].slice(0, MAX_TO_REPEAT);
}
