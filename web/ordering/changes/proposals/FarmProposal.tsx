import { PackageMinus, Undo2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { Proposal } from '#contract/ordering/changes/order-lines';
import { isOpenStatus } from '#contract/ordering/orders/constants/orders';
import type { Order } from '#contract/ordering/orders/orders';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { formatTotal } from '../../model/order-items.ts';
import { type OnChanged, useWithdrawChange } from '../commands.ts';
import { isOverweightOnly, totalAnswered, totalExpired } from '../rules.ts';
import { TotalChange } from '../TotalChange.tsx';
import { Countdown, useUntil } from './Countdown.tsx';
import { ProposeDialog } from './ProposeDialog.tsx';
import { EndedProposal, ProposedItems, useOwnIds } from './ProposedItems.tsx';

/**
 * What a farm can do when it is short of something in an order: propose a change, and while one is open see how long
 * the buyer has, take it back or replace it. Admins read, and may take it back; those who only pack read.
 */
export function FarmChanges({
  order,
  reader,
  answerMinutes,
  onChanged,
}: {
  order: Order;
  reader: 'farmer' | 'packer' | 'admin';
  /** Minutes that the farm gives its buyers to answer. */
  answerMinutes?: number | undefined;
  onChanged: OnChanged;
}) {
  const [isProposing, setProposing] = useState(false);
  const [ownIds, addOwnId] = useOwnIds();
  const proposal = order.openChange;
  const hasGoods = order.items.some(({ quantity }) => quantity > 0);
  const mayPropose = reader === 'farmer' && isOpenStatus(order.status) && hasGoods;
  const markOwn = () => proposal && addOwnId(proposal._id);
  return (
    <div data-print="hide" className="not-empty:mt-4">
      <EndedProposal order={order} reader="farmer" ownIds={ownIds} />
      {proposal ? (
        <OpenProposal
          order={order}
          proposal={proposal}
          onChanged={(changed) => {
            markOwn();
            onChanged(changed);
          }}
          mayWithdraw={reader !== 'packer'}
          onReplace={mayPropose ? () => setProposing(true) : undefined}
        />
      ) : (
        mayPropose && (
          <Button variant="secondary" icon={<PackageMinus />} onClick={() => setProposing(true)}>
            Short on something?
          </Button>
        )
      )}
      {isProposing && (
        <ProposeDialog
          order={order}
          answerMinutes={answerMinutes}
          onChanged={(changed) => {
            if (changed.openChange?._id !== proposal?._id) markOwn();
            onChanged(changed);
          }}
          onClose={() => setProposing(false)}
        />
      )}
    </div>
  );
}

/** A proposal that waits for the buyer, as the farm sees it. */
function OpenProposal({
  order,
  proposal,
  onChanged,
  mayWithdraw,
  onReplace,
}: {
  order: Order;
  proposal: Proposal;
  onChanged: OnChanged;
  mayWithdraw: boolean;
  onReplace: (() => void) | undefined;
}) {
  const titleId = useId();
  const withdraw = useWithdrawChange(order._id, onChanged);
  const until = useUntil(proposal.answerBy);
  const name = order.consumer.name;
  return (
    <section
      aria-labelledby={titleId}
      className="animate-slide-in overflow-clip rounded border border-straw bg-surface"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 bg-straw-soft px-4 py-3 text-straw-ink">
        <h3 id={titleId} className="font-sans text-sm font-semibold tracking-normal">
          Waiting for {name}'s answer
        </h3>
        <Countdown until={proposal.answerBy} />
      </header>
      <div className="grid gap-4 p-4">
        <ProposedItems order={order} proposal={proposal} />
        {proposal.note && (
          <p className="whitespace-pre-line border-l-2 border-hairline pl-3 text-sm">
            {proposal.note}
          </p>
        )}
        <p className="text-sm text-ink-soft">
          Asked by {proposal.createdBy.name}. Without an answer by {until}{' '}
          {isOverweightOnly(proposal)
            ? 'no more than the limit is charged'
            : 'what is short is taken out and nothing is added'}
          , which makes {formatTotal(totalExpired(order, proposal))}. The order can't be accepted or
          completed meanwhile.
        </p>
        {/* Other lines may have been weighed since it was asked. */}
        <TotalChange before={order} after={totalAnswered(order, proposal, {})} />
        <div className="flex flex-wrap gap-2 empty:hidden">
          {onReplace && (
            <Button variant="secondary" icon={<PackageMinus />} onClick={onReplace}>
              Propose something else
            </Button>
          )}
          {mayWithdraw && (
            <Button
              variant="quiet"
              icon={<Undo2 />}
              pending={withdraw.isPending}
              onClick={() => withdraw.mutate(proposal._id)}
            >
              Take it back
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}
