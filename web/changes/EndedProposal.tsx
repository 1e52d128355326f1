import { useState } from 'react';
import type { Order, TimelineEntry } from '#contract/orders';
import { Alert } from '../ui/primitives/Alert.tsx';
import { Button } from '../ui/primitives/Button.tsx';
import { endedInWords, partiesOf } from './words.ts';

type ProposalEntry = Extract<TimelineEntry, { kind: 'proposal' }>;

/** Returns what the timeline tells last of a proposal. */
const lastEntryOf = (order: Order, proposalId: string): ProposalEntry | undefined =>
  order.timeline.findLast(
    (entry): entry is ProposalEntry =>
      entry.kind === 'proposal' && entry.detail.proposal === proposalId,
  );

/**
 * Tells what became of a proposal that was open when the page was, and is not any more: it was answered elsewhere,
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
  const entry = endedId === undefined ? undefined : lastEntryOf(order, endedId);
  if (!entry || entry.detail.status === 'open') return null;
  return (
    <Alert kind={entry.detail.status === 'accepted' ? 'success' : 'warning'} className="mb-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0">
          {endedInWords(entry.detail.status, reader, partiesOf(order))}
          {entry.reason && ` ${entry.reason}`}
        </p>
        <Button size="sm" variant="secondary" onClick={() => setEndedId(undefined)}>
          Got it
        </Button>
      </div>
    </Alert>
  );
}
