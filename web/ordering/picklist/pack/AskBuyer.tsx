import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { fromMinor, toMinor } from '#contract/platform/money/constants';
import { lineCostMinor, toMilli } from '#contract/platform/quantities/constants/quantities';
import { formatMoney } from '../../../platform/format/format.ts';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { useAskBuyer } from '../commands.ts';
import type { PickLine } from './weighing.ts';

/** What a line costs by what it weighs, in minor units; undefined where that is charged already. */
function wholeMinorOf({ price, packed, total }: PickLine): number | undefined {
  if (packed === undefined) return undefined;
  const whole = lineCostMinor(toMinor(price), toMilli(packed));
  return whole > toMinor(total) ? whole : undefined;
}

/**
 * Says what a line that weighs more than expected is charged, and offers to ask the buyer for the whole price: also
 * where they are asked for that of other lines, which makes one question of both. Not while they are asked about
 * something else. Nothing while the price is charged as it is.
 */
export function AskBuyer({ order, line }: { order: PickOrder; line: PickLine }) {
  const ask = useAskBuyer(order, line);
  const wholeMinor = wholeMinorOf(line);
  if (wholeMinor === undefined) return null;
  const whole = formatMoney(fromMinor(wholeMinor));
  const { askedLineIds, lines } = order;
  const isHeavy = (id: string) =>
    lines.some((each) => each.lineId === id && wholeMinorOf(each) !== undefined);
  const isAsked = askedLineIds.includes(line.lineId) || !askedLineIds.every(isHeavy);
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
