import { formatCount } from '../lib/format.ts';
import { usePrevious } from '../lib/use-previous.ts';
import { Badge } from '../ui/Badge.tsx';
import { LOW_STOCK_SHOWN } from './rules.ts';

/**
 * A word about what is left, when it is little: 'only 3 left', 'sold out'. When the figure falls
 * while one looks, the old one fades away beside it. Nothing at all while there is plenty.
 */
export function StockNote({ left, className }: { left: number; className?: string }) {
  const before = usePrevious(left);
  const fallen = before !== undefined && before > left ? before : undefined;
  if (left >= LOW_STOCK_SHOWN) return null;
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
