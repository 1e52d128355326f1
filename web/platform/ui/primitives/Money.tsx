import { formatEstimate, formatMoney } from '#contract/platform/money/constants';
import { perUnit } from '#contract/platform/quantities/constants/quantities';
import type { CountedUnit } from '#contract/platform/quantities/constants/units';
import { cn } from '../cn.ts';

/** Formats an amount in tabular figures. */
export function Money({
  amount,
  per,
  isEstimate = false,
  className,
}: {
  amount: number;
  /** The unit of the price; adds 'per lb' in a lighter colour. */
  per?: CountedUnit | undefined;
  /** It is not known for sure yet; adds '≈'. */
  isEstimate?: boolean;
  className?: string | undefined;
}) {
  const figures = (
    <bdi className={cn('tabular whitespace-nowrap', className)}>
      {isEstimate ? formatEstimate(amount) : formatMoney(amount)}
    </bdi>
  );
  if (!per) return figures;
  return (
    <span>
      {figures} <span className="whitespace-nowrap text-sm text-ink-soft">{perUnit(per)}</span>
    </span>
  );
}
