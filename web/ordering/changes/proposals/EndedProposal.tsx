import { useState } from 'react';
import type { TimelineEntry } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { endedInWords, partiesOf } from '../words.ts';

type ProposalEntry = Extract<TimelineEntry, { kind: 'proposal' }>;

/** Returns the last entry of the timeline about a proposal. */
const lastEntryOf = (order: Order, proposalId: string): ProposalEntry | undefined =>
  order.timeline.findLast(
    (entry): entry is ProposalEntry =>
      entry.kind === 'proposal' && entry.detail.proposal === proposalId,
  );

/**
 * Says what became of a proposal that was open when the page was, and is not any more: it was answered elsewhere,
 * expired, was taken back or replaced. Not of what this person did here themselves (`ownIds`).
 */
export function EndedProposal({
  order,
  reader,
  ownIds,
}: {
  order: Order;
  reader: 'consumer' | 'farmer';
  /** The proposals that were answered or taken back here. */
  ownIds: ReadonlySet<string>;
}) {
  const openId = order.openChange?._id;
  const [seenId, setSeenId] = useState(openId);
  const [endedId, setEndedId] = useState<string | undefined>();
  if (openId !== seenId) {
    setSeenId(openId);
    setEndedId(seenId !== undefined && !ownIds.has(seenId) ? seenId : undefined);
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
          {endedInWords(status, reader, partiesOf(order))}
          {status !== 'superseded' && entry?.reason && ` ${entry.reason}`}
        </p>
        <Button size="sm" variant="secondary" onClick={() => setEndedId(undefined)}>
          Got it
        </Button>
      </div>
    </Alert>
  );
}
