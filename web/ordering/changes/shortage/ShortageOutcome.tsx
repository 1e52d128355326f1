import { useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { formatNearSlot } from '#contract/farm/slots/constants/slot';
import type { ShortageResult } from '#contract/ordering/changes/order-changes';
import { shortId } from '#contract/platform/http/constants/http';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { plural } from '../../../platform/format/format.ts';
import { useToday } from '../../../platform/hooks/use-now.ts';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { QuantityInput } from '../../../platform/ui/fields/QuantityInput.tsx';
import { Badge, type Tone } from '../../../platform/ui/primitives/Badge.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { shortageProgressQuery } from '../queries.ts';
import type { ShortProduct } from '../rules.ts';

/** What became of each order of a shortage. */
export function SharedDialog({
  result,
  product,
  onDone,
}: {
  result: ShortageResult;
  product: ShortProduct;
  onDone: () => void;
}) {
  const hasSkipped = countOf(result, 'skipped') > 0;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onDone()}
      title={`${product.name} is shared`}
      size="lg"
      footer={<Button onClick={onDone}>Done</Button>}
    >
      <div className="grid gap-4">
        <Alert kind={hasSkipped ? 'warning' : 'success'}>{outcomeInWords(result)}</Alert>
        <ShareRows outcomes={result.outcomes} product={product} isDone />
      </div>
    </Dialog>
  );
}

type ShareOutcome = ShortageResult['outcomes'][number];
type Outcome = ShareOutcome['outcome'];

const countOf = ({ outcomes }: ShortageResult, outcome: Outcome): number =>
  outcomes.filter((each) => each.outcome === outcome).length;

/** Says what became of all orders together: '2 orders asked, 1 order unchanged.' */
export function outcomeInWords(result: ShortageResult): string {
  const parts: [Outcome, string][] = [
    ['proposed', 'asked'],
    ['applied', 'changed as wished'],
    ['unchanged', 'unchanged'],
    ['skipped', 'left out, see below'],
  ];
  const words = parts.flatMap(([outcome, what]) => {
    const count = countOf(result, outcome);
    return count === 0 ? [] : [`${plural(count, 'order')} ${what}`];
  });
  return `${words.join(', ')}.`;
}

/** How many orders of a shortage are done, while they are asked one by one. */
export function ShortageProgress({ id, name }: { id: string; name: string }) {
  const labelId = useId();
  const { data } = useQuery(shortageProgressQuery(id, true));
  const { done = 0, total } = data ?? {};
  return (
    <div className="grid gap-2">
      <p id={labelId} className="tabular font-medium" aria-live="polite">
        {total === undefined
          ? `Sharing ${name} …`
          : `${name}: ${done} of ${plural(total, 'order')} done`}
      </p>
      <progress
        aria-labelledby={labelId}
        value={total === undefined ? undefined : done}
        max={total ?? 1}
        className="h-2 w-full accent-leaf"
      />
    </div>
  );
}

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
  outcomes: readonly ShareOutcome[];
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
const editedOutcome = ({ outcome, share, quantity }: ShareOutcome): Outcome =>
  share === quantity ? 'unchanged' : outcome === 'unchanged' ? 'proposed' : outcome;
