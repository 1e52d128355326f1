import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { StatusCounts } from '#contract/ordering/orders/orders';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';
import { capitalized } from '../../../platform/format/format.ts';
import { ShareBar } from '../../../platform/ui/charts/ShareBar.tsx';
import { statusStyle } from '../../../platform/ui/primitives/StatusBadge.tsx';

/** Patterns distinguish what colour does not: the two greens, the two reds, and all of them in grey. */
const looks: Record<OrderStatus, string> = {
  pending: 'bg-sky dotted',
  accepted: 'bg-leaf',
  completed: 'bg-leaf-strong hatched',
  rejected: 'bg-tomato lined',
  cancelled: 'bg-tomato-strong hatched-back',
};

/** A stacked bar of the number of orders by status. */
export function StatusShares({ counts, className }: { counts: StatusCounts; className?: string }) {
  return (
    <ShareBar
      label="Orders by status"
      {...(className ? { className } : {})}
      shares={ORDER_STATUSES.map((status) => {
        const Icon = statusStyle[status].icon;
        return {
          key: status,
          label: (
            <>
              <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
              {capitalized(status)}
            </>
          ),
          value: counts[status],
          colour: looks[status],
        };
      })}
    />
  );
}
