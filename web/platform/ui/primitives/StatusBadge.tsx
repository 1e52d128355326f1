import { Ban, CircleCheck, CircleX, Clock, PackageCheck } from 'lucide-react';
import type { ComponentType } from 'react';
import { capitalized } from '../../format/format.ts';
import { useChangeCount } from '../../queries/use-changes.ts';
import { cn } from '../cn.ts';
import { Badge, type Tone } from './Badge.tsx';

/** The statuses an order can have. */
export type OrderStatus = 'pending' | 'accepted' | 'rejected' | 'completed' | 'cancelled';

/** The tone and icon of each order status. */
export const statusStyle: Record<
  OrderStatus,
  { tone: Tone; icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }> }
> = {
  pending: { tone: 'sky', icon: Clock },
  accepted: { tone: 'leaf', icon: CircleCheck },
  completed: { tone: 'leaf', icon: PackageCheck },
  rejected: { tone: 'tomato', icon: CircleX },
  cancelled: { tone: 'tomato', icon: Ban },
};

/** An order's status as colour, icon and word, animated when it changes. */
export function StatusBadge({ status, className }: { status: OrderStatus; className?: string }) {
  const changes = useChangeCount(status);
  const { tone, icon: Icon } = statusStyle[status];
  return (
    <span key={changes} className={cn('inline-block', changes > 0 && 'animate-turn')}>
      <Badge tone={tone} icon={<Icon aria-hidden="true" />} className={className}>
        {capitalized(status)}
      </Badge>
    </span>
  );
}
