import { formatEstimate, formatMoney } from '#contract/platform/money/constants';
import { perUnit } from '#contract/platform/quantities/constants/quantities';
import {
  formatUnitPrice,
  type PricedGoods,
  unitPrice,
} from '#contract/platform/quantities/constants/unit-price';
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
  /** Of what it is the price; adds 'per lb' in a lighter colour. */
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

/** What goods cost per kg or l, small, for beside their price; nothing where the price says so itself. */
export function UnitPrice({ of, className }: { of: PricedGoods; className?: string | undefined }) {
  const price = unitPrice(of);
  return (
    price && (
      <span className={cn('tabular text-xs text-ink-soft', className)}>
        {formatUnitPrice(price)}
      </span>
    )
  );
}
