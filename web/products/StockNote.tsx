import { LOW_STOCK } from '#contract/constants/products';
import { formatCount } from '../lib/format.ts';
import { usePrevious } from '../lib/use-previous.ts';
import { Badge } from '../ui/primitives/Badge.tsx';

/**
 * A badge about low stock: 'only 3 left', 'sold out'. When the stock falls, the old number fades out
 * beside it. Renders nothing at or above the low-stock limit.
 */
export function StockNote({ left, className }: { left: number; className?: string }) {
  const before = usePrevious(left);
  const fallen = before !== undefined && before > left ? before : undefined;
  if (left >= LOW_STOCK) return null;
  return (
    <Badge tone={left === 0 ? 'tomato' : 'straw'} className={className}>
      {left === 0 ? 'sold out' : `only ${formatCount(left)} left`}
      {fallen !== undefined && (
        <del key={fallen} aria-hidden="true" className="tabular animate-fall-away no-underline">
          {formatCount(fallen)}
        </del>
      )}
    </Badge>
  );
}
