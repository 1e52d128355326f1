import type { ReactNode } from 'react';
import type { Party } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { useHighlight } from '../../../platform/queries/use-changes.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { Money } from '../../../platform/ui/primitives/Money.tsx';
import { StatusBadge } from '../../../platform/ui/primitives/StatusBadge.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { Waiting } from '../lists/Waiting.tsx';
import { OrderTitle } from './OrderTitle.tsx';

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
          <Money
            amount={order.totalAmount}
            isEstimate={!order.isTotalFinal}
            className="font-semibold text-ink"
          />
        </p>
      </div>
      {children}
    </header>
  );
}
