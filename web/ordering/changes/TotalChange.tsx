import { formatMoney, fromMinor, toMinor } from '#contract/platform/money/constants';
import { OrderTotal } from '../model/order-parts.tsx';
import type { Total } from './rules.ts';

/** A total before and after a change, and the difference: always in view where one changes an order. */
export function TotalChange({ before, after }: { before: Total; after: Total }) {
  const differenceMinor = toMinor(after.totalAmount) - toMinor(before.totalAmount);
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm" aria-live="polite">
      <span className="font-medium">{differenceMinor === 0 ? 'Total' : 'New total'}</span>
      <OrderTotal
        key={after.totalAmount}
        order={after}
        className="animate-tick text-lg font-semibold"
      />
      {differenceMinor !== 0 && (
        <span className="text-ink-soft">
          <span className="sr-only">instead of </span>
          <s>
            <OrderTotal order={before} />
          </s>{' '}
          <span className="whitespace-nowrap">
            ({differenceMinor > 0 ? '+' : '−'}
            {formatMoney(Math.abs(fromMinor(differenceMinor)))})
          </span>
        </span>
      )}
    </p>
  );
}
