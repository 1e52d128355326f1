import { useMemo } from 'react';
import { formatNearSlot } from '#contract/farm/slots/constants';
import type { ShortageOutcome } from '#contract/ordering/changes/order-changes';
import { shortId } from '#contract/platform/http/constants';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { useToday } from '../../../platform/hooks/use-now.ts';
import { QuantityInput } from '../../../platform/ui/fields/QuantityInput.tsx';
import { Badge, type Tone } from '../../../platform/ui/primitives/Badge.tsx';
import type { ShortProduct } from '../rules.ts';

type Outcome = ShortageOutcome['outcome'];

const OUTCOMES: Record<Outcome, { tone: Tone; before: string; after: string }> = {
  proposed: { tone: 'straw', before: 'Will be asked', after: 'Asked' },
  applied: { tone: 'leaf', before: 'Done as wished', after: 'Done as wished' },
  unchanged: { tone: 'neutral', before: 'Gets all', after: 'Gets all' },
  skipped: { tone: 'tomato', before: 'Left out', after: 'Left out' },
};

/** The orders among which a product is shared: what each has and gets, to be changed by hand where `onShare` is. */
export function ShareRows({
  outcomes,
  product,
  isDone = false,
  onShare,
}: {
  outcomes: readonly ShortageOutcome[];
  product: ShortProduct;
  /** Whether it is done, or would be. */
  isDone?: boolean;
  onShare?: (orderId: string, quantity: number) => void;
}) {
  const today = useToday();
  const unit = product.pieceWeight ? 'each' : product.unit;
  // What is short first: who gets all needs no looking at.
  const rows = useMemo(
    () =>
      outcomes.toSorted(
        (one, other) => Number(one.outcome === 'unchanged') - Number(other.outcome === 'unchanged'),
      ),
    [outcomes],
  );
  return (
    <ul className="divide-y divide-hairline rounded border border-hairline">
      {rows.map((each) => {
        const { tone, before, after } = OUTCOMES[onShare ? editedOutcome(each) : each.outcome];
        return (
          <li
            key={`${each.orderId} ${each.lineId}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2.5 text-sm"
          >
            <span className="min-w-0 grow basis-40">
              <span className="font-medium">{each.customer.name}</span>{' '}
              <span className="tabular text-ink-soft">#{shortId(each.orderId)}</span>
              <span className="block text-ink-soft">{formatNearSlot(each, today)}</span>
            </span>
            {onShare ? (
              <span className="flex items-center gap-2">
                <QuantityInput
                  label={`Share of ${each.customer.name}`}
                  value={each.share}
                  max={each.quantity}
                  steps={product.step === undefined ? {} : { step: product.step }}
                  fromZero
                  onChange={(quantity) => onShare(each.orderId, quantity)}
                />
                <span className="whitespace-nowrap text-ink-soft">
                  of {formatQuantity(each.quantity, unit)}
                </span>
              </span>
            ) : (
              <span className="tabular whitespace-nowrap">
                {each.share !== each.quantity && (
                  <>
                    <s className="text-ink-soft">
                      <span className="sr-only">ordered </span>
                      {formatQuantity(each.quantity, unit)}
                    </s>{' '}
                  </>
                )}
                <span className="font-semibold">{formatQuantity(each.share, unit)}</span>
              </span>
            )}
            <Badge tone={tone}>{isDone ? after : before}</Badge>
            {each.message && <span className="basis-full text-ink-soft">{each.message}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** By hand, who gets all is not asked, whatever the preview said of the fair share. */
const editedOutcome = ({ outcome, share, quantity }: ShortageOutcome): Outcome =>
  share === quantity ? 'unchanged' : outcome === 'unchanged' ? 'proposed' : outcome;
