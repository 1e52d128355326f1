import { formatMoney } from '../lib/format.ts';
import { cn } from './cn.ts';

/** An amount as the wire gives it (a number with at most two decimals), in figures that align. */
export function Money({
  amount,
  per,
  className,
}: {
  amount: number;
  /** The unit the price is for; adds 'per lb' in a quieter voice. */
  per?: string | undefined;
  className?: string | undefined;
}) {
  const figures = (
    <span className={cn('tabular whitespace-nowrap', className)}>{formatMoney(amount)}</span>
  );
  if (!per) return figures;
  return (
    <span>
      {figures} <span className="whitespace-nowrap text-sm text-ink-soft">per {per}</span>
    </span>
  );
}
