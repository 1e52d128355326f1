import { ArrowRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OrderLine, Proposal, ProposalItem } from '#contract/ordering/changes/order-lines';
import type { TimelineEntry } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { t } from '#contract/platform/text/constants/texts';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Money } from '../../../platform/ui/primitives/Money.tsx';
import { Thumbnail } from '../../model/order-parts.tsx';
import { useEndedHere } from '../queries.ts';
import { describeEnded, describeProposed, isFinalItem, REASON_WORDS } from '../rules.ts';

/** The lines of a proposal, old and new side by side; `answer` renders what can be done with each. */
export function ProposedItems({
  order,
  proposal,
  answer,
}: {
  order: Order;
  proposal: Proposal;
  answer?: (item: ProposalItem) => ReactNode;
}) {
  const lines = new Map(order.items.map((line) => [line._id, line]));
  return (
    <ul className="divide-y divide-hairline">
      {proposal.items.map((item) => {
        const line = lines.get(item.lineId);
        const { product, substitute, reason, totalBefore, totalAfter, action } = item;
        return (
          <li key={item.lineId} className="grid gap-3 py-3 first:pt-0 last:pb-0">
            <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-3 text-sm">
              <Side
                label={t('Ordered')}
                product={product}
                total={totalBefore}
                isEstimate={wasEstimate(item, line)}
              >
                <s className="text-ink-soft">
                  {formatLine({ ...item, pieceWeight: line?.pieceWeight })}
                </s>
              </Side>
              <ArrowRight className="size-5 text-ink-soft" />
              <Side
                label={t('Proposed')}
                product={substitute ?? product}
                total={totalAfter}
                isEstimate={!isFinalItem(item, line)}
                isGone={action === 'remove'}
              >
                <span className="font-semibold">{describeProposed(item, line)}</span>
              </Side>
            </div>
            {reason && (
              <p className="text-sm text-ink-soft">
                {t('{reason}.', { reason: REASON_WORDS[reason] })}
              </p>
            )}
            {answer?.(item)}
          </li>
        );
      })}
    </ul>
  );
}

function Side({
  label,
  product,
  total,
  isEstimate,
  isGone = false,
  children,
}: {
  label: string;
  product: { name: string; images: readonly string[] };
  total: number;
  isEstimate: boolean;
  isGone?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="flex min-w-0 items-center gap-3 max-sm:flex-col max-sm:items-start max-sm:gap-1.5">
      <Thumbnail name={product.name} image={product.images[0]} isGone={isGone} />
      <p className="min-w-0 wrap-anywhere">
        <span className="sr-only">{label}: </span>
        {children}
        <Money amount={total} isEstimate={isEstimate} className="block text-ink-soft" />
      </p>
    </div>
  );
}

type ProposalEntry = Extract<TimelineEntry, { kind: 'proposal' }>;

/** Returns the last entry of the timeline about a proposal. */
const lastEntryOf = (order: Order, proposalId: string): ProposalEntry | undefined =>
  order.timeline.findLast(
    (entry): entry is ProposalEntry =>
      entry.kind === 'proposal' && entry.detail.proposal === proposalId,
  );

/**
 * Says what became of a proposal that was open when the page was, and is not any more: it was answered elsewhere,
 * expired, was taken back or replaced. Not of what this person did here themselves.
 */
export function EndedProposal({ order, reader }: { order: Order; reader: 'consumer' | 'farmer' }) {
  const openId = order.openChange?._id;
  const endedHere = useEndedHere();
  const [seenId, setSeenId] = useState(openId);
  const [endedId, setEndedId] = useState<string | undefined>();
  if (openId !== seenId) {
    setSeenId(openId);
    setEndedId(seenId !== undefined && endedHere.has(seenId) ? undefined : seenId);
  }
  if (endedId === undefined) return null;
  const entry = lastEntryOf(order, endedId);
  const recorded = entry?.detail.status;
  // That a proposal was replaced is shown by the one in its place.
  const status =
    recorded && recorded !== 'open' ? recorded : order.openChange ? 'superseded' : undefined;
  if (!status) return null;
  return (
    <Alert kind={status === 'accepted' ? 'success' : 'warning'} className="mb-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0">
          {describeEnded(status, reader, order)}
          {status !== 'superseded' && entry?.reason && (
            <>
              {' '}
              <bdi>{entry.reason}</bdi>
            </>
          )}
        </p>
        <Button size="sm" variant="secondary" onClick={() => setEndedId(undefined)}>
          {t('Got it')}
        </Button>
      </div>
    </Alert>
  );
}

/** Returns whether what a proposed line costs before an answer was only expected. */
function wasEstimate({ action, totalBefore }: ProposalItem, line: OrderLine | undefined): boolean {
  if (!line?.pieceWeight) return false;
  // A heavier line is weighed already; it was asked about with what it cost before that.
  return action === 'overweight' ? totalBefore === line.estimate : line.packed === undefined;
}
