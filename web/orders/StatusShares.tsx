import { ORDER_STATUSES } from '#contract/constants/orders';
import type { OrderStatus, StatusCounts } from '#contract/orders';
import { capitalized } from '../lib/format.ts';
import { ShareBar } from '../ui/charts/ShareBar.tsx';
import { cn } from '../ui/cn.ts';
import { statusStyle } from '../ui/primitives/StatusBadge.tsx';

const colours: Record<OrderStatus, { bar: string; text: string }> = {
  pending: { bar: 'bg-sky', text: 'text-sky' },
  accepted: { bar: 'bg-leaf', text: 'text-leaf' },
  completed: { bar: 'bg-leaf-strong', text: 'text-leaf-strong' },
  rejected: { bar: 'bg-tomato', text: 'text-tomato' },
  cancelled: { bar: 'bg-tomato-strong', text: 'text-tomato-strong' },
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
              <span className={cn('[&>svg]:size-4', colours[status].text)}>
                <Icon aria-hidden="true" />
              </span>
              {capitalized(status)}
            </>
          ),
          value: counts[status],
          colour: colours[status].bar,
        };
      })}
    />
  );
}
