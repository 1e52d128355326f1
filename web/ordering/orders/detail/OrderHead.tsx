import type { ReactNode } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants/farmers';
import type { Party } from '#contract/ordering/orders/constants/orders';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants/http';
import { useHighlight } from '../../../platform/queries/use-changes.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { StatusBadge } from '../../../platform/ui/primitives/StatusBadge.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { OrderTotal } from '../../model/OrderId.tsx';
import { Waiting } from '../lists/Waiting.tsx';

/** The header of an order: who it is with, live status, time and total. */
export function OrderHead({
  order,
  reader,
  level = 1,
  children,
}: {
  order: Order;
  reader: Party;
  /** The level of its heading; null where the title stands elsewhere. */
  level?: 1 | 2 | null;
  /** Actions. */
  children?: ReactNode;
}) {
  const Heading = `h${level ?? 2}` as const;
  const isHighlighted = useHighlight(order.status, order._id);
  return (
    <header
      className={cn(
        'mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 rounded',
        isHighlighted && 'animate-highlight',
      )}
    >
      <div className="grid gap-2">
        {level && (
          <Heading className={level === 1 ? 'text-2xl' : 'text-xl'}>
            <OrderTitle order={order} reader={reader} />
          </Heading>
        )}
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-soft">
          <span aria-live="polite">
            <StatusBadge status={order.status} />
          </span>
          {/* Not for the customer, who can do nothing about it. */}
          {reader !== 'consumer' && order.status === 'pending' && (
            <Waiting since={order.createdAt} />
          )}
          <span>
            Placed on <Time value={order.createdAt} inSentence />
          </span>
          <OrderTotal order={order} className="font-semibold text-ink" />
        </p>
      </div>
      {children}
    </header>
  );
}

/** Returns who an order is with, as its reader sees it: the farm, the customer, or both. */
export function withWhom({ consumer, farmer }: Order, reader: Party): string {
  const farm = farmNameOf(farmer);
  if (reader === 'consumer') return farm;
  return reader === 'farmer' ? consumer.name : `${consumer.name} at ${farm}`;
}

/** The title of an order: who it is with, and its shortened id beside. */
export function OrderTitle({ order, reader }: { order: Order; reader: Party }) {
  return (
    <>
      <span className="wrap-anywhere">{withWhom(order, reader)}</span>{' '}
      <span className="tabular ml-1 whitespace-nowrap font-sans text-base font-normal tracking-normal text-ink-soft">
        Order #{shortId(order._id)}
      </span>
    </>
  );
}
