import { Ban, CircleCheck, CircleX, Clock, PackageCheck } from 'lucide-react';
import type { ComponentType } from 'react';
import { capitalized } from '../lib/format.ts';
import { useChanges } from '../lib/use-changes.ts';
import { Badge, type Tone } from './Badge.tsx';
import { cn } from './cn.ts';

/** The statuses an order can have. */
export type OrderStatus = 'pending' | 'accepted' | 'rejected' | 'completed' | 'cancelled';

/** How each order status looks: blue for pending, green for accepted and completed, red for the rest. */
export const statusLook: Record<
  OrderStatus,
  { tone: Tone; icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }> }
> = {
  pending: { tone: 'sky', icon: Clock },
  accepted: { tone: 'leaf', icon: CircleCheck },
  completed: { tone: 'leaf', icon: PackageCheck },
  rejected: { tone: 'tomato', icon: CircleX },
  cancelled: { tone: 'tomato', icon: Ban },
};

/** An order's status in colour, icon and word. It turns over once when the status changes. */
export function StatusBadge({ status, className }: { status: OrderStatus; className?: string }) {
  const changes = useChanges(status);
  const { tone, icon: Icon } = statusLook[status];
  return (
    <span key={changes} className={cn('inline-block', changes > 0 && 'animate-turn')}>
      <Badge tone={tone} icon={<Icon aria-hidden="true" />} className={className}>
        {capitalized(status)}
      </Badge>
    </span>
  );
}
