import { formatMoney, fromMinor, toMinor } from '#contract/platform/money/constants/money';
import { Money } from '../../platform/ui/primitives/Money.tsx';
import type { Total } from './rules.ts';

/** A total before and after a change, and the difference: always in view where one changes an order. */
export function TotalChange({ before, after }: { before: Total; after: Total }) {
  const { totalAmount, isTotalFinal } = after;
  const differenceMinor = toMinor(totalAmount) - toMinor(before.totalAmount);
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm" aria-live="polite">
      <span className="font-medium">{differenceMinor === 0 ? 'Total' : 'New total'}</span>
      <Money
        key={totalAmount}
        amount={totalAmount}
        isEstimate={!isTotalFinal}
        className="animate-tick text-lg font-semibold"
      />
      {differenceMinor !== 0 && (
        <span className="text-ink-soft">
          <span className="sr-only">instead of </span>
          <s>
            <Money amount={before.totalAmount} isEstimate={!before.isTotalFinal} />
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
