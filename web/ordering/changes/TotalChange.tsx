import { fromMinor, toMinor } from '#contract/platform/money/constants';
import { formatMoney } from '../../platform/format/format.ts';
import { Money } from '../../platform/ui/primitives/Money.tsx';

/** A total before and after a change, and the difference: always in view where one changes an order. */
export function TotalChange({
  before,
  after,
  isEstimate,
  wasEstimate = isEstimate,
}: {
  before: number;
  after: number;
  /** Whether something of the order is still to be weighed after the change. */
  isEstimate: boolean;
  /** Whether it is before; the same if absent. */
  wasEstimate?: boolean;
}) {
  const differenceMinor = toMinor(after) - toMinor(before);
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm" aria-live="polite">
      <span className="font-medium">{differenceMinor === 0 ? 'Total' : 'New total'}</span>
      <Money
        key={after}
        amount={after}
        isEstimate={isEstimate}
        className="animate-tick text-lg font-semibold"
      />
      {differenceMinor !== 0 && (
        <span className="text-ink-soft">
          <span className="sr-only">instead of </span>
          <s>
            <Money amount={before} isEstimate={wasEstimate} />
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
