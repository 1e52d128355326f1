import { LOW_STOCK } from '#contract/constants/products';
import { formatQuantity } from '#contract/constants/quantities';
import type { Product } from '#contract/products';
import { formatCount } from '../lib/format.ts';
import { usePrevious } from '../lib/use-previous.ts';
import { Badge } from '../ui/primitives/Badge.tsx';

/**
 * A badge about low stock: 'Only 3 quarts left', 'Sold out'. When the stock falls, the old number fades out
 * beside it. Renders nothing at or above the low-stock limit.
 */
export function StockNote({
  left,
  unit,
  className,
}: {
  left: number;
  unit: Product['unit'];
  className?: string;
}) {
  const before = usePrevious(left);
  const fallen = before !== undefined && before > left ? before : undefined;
  if (left >= LOW_STOCK) return null;
  return (
    <Badge tone={left === 0 ? 'tomato' : 'straw'} className={className}>
      {left === 0 ? 'Sold out' : `Only ${formatQuantity(left, unit)} left`}
      {fallen !== undefined && (
        <del key={fallen} aria-hidden="true" className="tabular animate-fall-away no-underline">
          {formatCount(fallen)}
        </del>
      )}
    </Badge>
  );
}
