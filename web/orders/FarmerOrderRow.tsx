import { CalendarClock, Store, Truck } from 'lucide-react';
import { Link } from 'wouter';
import type { Order } from '#contract/orders';
import { formatWallDate, formatWallTime, plural, shortId } from '../lib/format.ts';
import { useGlow } from '../lib/use-changes.ts';
import { cn } from '../ui/cn.ts';
import { Money } from '../ui/primitives/Money.tsx';
import { StatusBadge } from '../ui/primitives/StatusBadge.tsx';
import { Time } from '../ui/primitives/Time.tsx';
import { itemsInWords } from './amounts.ts';
import { OrderActions } from './OrderActions.tsx';
import { UpdateStatusButton } from './StatusDialog.tsx';
import { Waiting } from './Waiting.tsx';

type RowProps = { order: Order; isNew: boolean; isLeaving: boolean };

/** An order in the farmer's list on a phone, with its actions. */
export function FarmerOrderCard({ order, isNew, isLeaving }: RowProps) {
  const glowing = useGlow(order.status);
  return (
    <li className={rowClass({ isNew, isLeaving, glowing }, 'grid gap-3 p-4')}>
      <Summary order={order} />
      <div className="flex items-center justify-between gap-2">
        <Link
          href={`/orders/${order._id}`}
          aria-label={`View Details of order ${shortId(order._id)}`}
          className="inline-flex min-h-11 items-center rounded text-sm font-medium text-leaf hover:text-leaf-strong"
        >
          View Details
        </Link>
        <UpdateStatusButton order={order} size="sm" />
      </div>
      <OrderActions
        order={order}
        party="farmer"
        size="lg"
        className="*:flex-1 *:whitespace-nowrap *:px-2"
      />
    </li>
  );
}

/** An order in the farmer's list beside its detail. */
export function FarmerOrderRow({
  order,
  isNew,
  isLeaving,
  isSelected,
  onSelect,
}: RowProps & { isSelected: boolean; onSelect: () => void }) {
  const glowing = useGlow(order.status);
  return (
    <li className={rowClass({ isNew, isLeaving, glowing })} data-order={order._id}>
      <button
        type="button"
        aria-pressed={isSelected}
        onClick={onSelect}
        className="block w-full rounded p-3.5 text-left hover:bg-sunken/60 aria-pressed:bg-leaf-soft aria-pressed:outline-2 aria-pressed:outline-leaf"
      >
        <Summary order={order} />
      </button>
    </li>
  );
}

function rowClass(
  { isNew, isLeaving, glowing }: { isNew: boolean; isLeaving: boolean; glowing: boolean },
  more = '',
): string {
  return cn(
    'rounded border border-hairline bg-surface transition-opacity duration-500',
    more,
    isNew && 'animate-slide-in',
    glowing && 'animate-glow',
    isLeaving && 'opacity-60',
  );
}

function Summary({ order }: { order: Order }) {
  const details = order.pickupDetails ?? order.deliveryDetails;
  const DetailsIcon = order.deliveryDetails ? Truck : Store;
  return (
    <span className="grid gap-1.5 text-sm">
      <span className="flex flex-wrap items-center justify-between gap-1.5">
        <span className="tabular font-semibold">#{shortId(order._id)}</span>
        <span className="ml-auto flex flex-wrap items-center justify-end gap-1">
          {order.status === 'pending' ? (
            <Waiting since={order.createdAt} />
          ) : (
            <Time value={order.createdAt} as="relative" className="text-ink-soft" />
          )}
          <StatusBadge status={order.status} />
        </span>
      </span>
      <span className="flex items-baseline justify-between gap-3 text-base">
        <span className="min-w-0 truncate font-medium">{order.consumer.name}</span>
        <Money amount={order.totalAmount} className="font-semibold" />
      </span>
      <span className="truncate text-ink-soft">
        {plural(order.items.length, 'item')}: {itemsInWords(order.items)}
      </span>
      {details && (
        <span className="flex items-center gap-1.5 text-ink-soft">
          <DetailsIcon aria-hidden="true" className="size-4" />
          {order.deliveryDetails ? 'Delivery' : 'Pickup'}
          <CalendarClock aria-hidden="true" className="ml-2 size-4" />
          {formatWallDate(details.date)}, {formatWallTime(details.time)}
        </span>
      )}
    </span>
  );
}
