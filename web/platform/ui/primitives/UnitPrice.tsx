import {
  formatUnitPrice,
  type PricedGoods,
  unitPrice,
} from '#contract/platform/quantities/constants/unit-price';
import { cn } from '../cn.ts';

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
