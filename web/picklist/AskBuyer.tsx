import { fromMinor, toMinor } from '#contract/constants/money';
import { lineCostMinor, toMilli } from '#contract/constants/quantities';
import type { PickOrder } from '#contract/picklist';
import { formatMoney } from '../lib/format.ts';
import { Button } from '../ui/primitives/Button.tsx';
import { useAskBuyer } from './commands.ts';
import type { PickLine } from './weighing.ts';

/**
 * Tells what a line that weighs more than expected is charged, and offers to ask the buyer for the whole price unless
 * they are asked about something already. Nothing while the price is charged as it is.
 */
export function AskBuyer({ order, line }: { order: PickOrder; line: PickLine }) {
  const ask = useAskBuyer(order, line);
  if (line.packed === undefined) return null;
  const wholeMinor = lineCostMinor(toMinor(line.price), toMilli(line.packed));
  if (wholeMinor <= toMinor(line.total)) return null;
  const whole = formatMoney(fromMinor(wholeMinor));
  const isAsked = order.askedLineIds.length > 0;
  return (
    <div className="flex basis-full flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
      <p>
        {formatMoney(line.total)} is charged instead of {whole}: it weighs more than{' '}
        {order.customer.name} expects
        {isAsked ? ', whose answer to a change is awaited.' : '.'}
      </p>
      {!isAsked && (
        <Button variant="secondary" size="sm" pending={ask.isPending} onClick={() => ask.mutate()}>
          Ask for {whole}
        </Button>
      )}
    </div>
  );
}
