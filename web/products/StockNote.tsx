import { useState } from 'react';
import { formatCount } from '../lib/format.ts';
import { Badge } from '../ui/Badge.tsx';
import { LOW_STOCK_SHOWN } from './rules.ts';

/**
 * A word about what is left, when it is little: 'only 3 left', 'sold out'. When the figure falls
 * while one looks, the old one fades away beside it. Nothing at all while there is plenty.
 */
export function StockNote({ left, className }: { left: number; className?: string }) {
  const fallen = useFallen(left);
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

/** The figure from before, if the last change was a fall. */
function useFallen(value: number): number | undefined {
  const [seen, setSeen] = useState<{ value: number; fallen: number | undefined }>({
    value,
    fallen: undefined,
  });
  if (seen.value === value) return seen.fallen;
  const fallen = value < seen.value ? seen.value : undefined;
  setSeen({ value, fallen });
  return fallen;
}
