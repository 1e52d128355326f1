import type { ReactNode } from 'react';
import type { Order } from '#contract/orders';
import { shortId } from '../lib/format.ts';
import { useGlow } from '../lib/use-changes.ts';
import { cn } from '../ui/cn.ts';
import { Money } from '../ui/primitives/Money.tsx';
import { StatusBadge } from '../ui/primitives/StatusBadge.tsx';
import { Time } from '../ui/primitives/Time.tsx';
import { Waiting } from './Waiting.tsx';

/** The header of an order: id, live status, time and total. */
export function OrderHead({
  order,
  level = 1,
  showsWait = true,
  children,
}: {
  order: Order;
  level?: 1 | 2;
  /** How long the farm has let the order wait; not for the buyer, who can do nothing about it. */
  showsWait?: boolean;
  /** Actions. */
  children?: ReactNode;
}) {
  const Heading = `h${level}` as const;
  const glowing = useGlow(order.status);
  return (
    <header
      className={cn(
        'mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 rounded',
        glowing && 'animate-glow',
      )}
    >
      <div className="grid gap-2">
        <Heading className={level === 1 ? 'text-2xl' : 'text-xl'}>
          Order <span className="tabular">#{shortId(order._id)}</span>
        </Heading>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-soft">
          <span aria-live="polite">
            <StatusBadge status={order.status} />
          </span>
          {showsWait && order.status === 'pending' && <Waiting since={order.createdAt} />}
          <span>
            Placed on <Time value={order.createdAt} inSentence />
          </span>
          <Money amount={order.totalAmount} className="font-semibold text-ink" />
        </p>
      </div>
      {children}
    </header>
  );
}
