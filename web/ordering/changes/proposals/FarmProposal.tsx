import { useQuery } from '@tanstack/react-query';
import { PackageMinus, Undo2 } from 'lucide-react';
import { type SubmitEvent, useId, useState } from 'react';
import { ANSWER_MINUTES } from '#contract/farm/farmers/constants';
import { slotInSentence, slotOf } from '#contract/farm/slots/constants';
import { PROPOSAL_NOTE_MAX } from '#contract/ordering/changes/constants';
import type { ProposedItem } from '#contract/ordering/changes/order-changes';
import type { Proposal } from '#contract/ordering/changes/order-lines';
import { answerByMs, isOpenStatus } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { t } from '#contract/platform/text/constants/texts';
import { newId } from '../../../platform/api/api.ts';
import { useNow } from '../../../platform/hooks/use-now.ts';
import { ErrorAlert } from '../../../platform/ui/feedback/ErrorAlert.tsx';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { ActionDialog, useDialogField } from '../../model/ActionDialog.tsx';
import { useDayAtFarm } from '../../model/day-at-farm.ts';
import { formatTotal, presentLines } from '../../model/order-items.ts';
import { TotalChange } from '../../model/order-parts.tsx';
import { DraftRow, type RowDraft } from '../DraftRow.tsx';
import { goodsQuery, presentOrderOf, useProposeChange, useWithdrawChange } from '../queries.ts';
import {
  appliesAtOnce,
  type Goods,
  isOverweightOnly,
  type LineDraft,
  totalAnswered,
  totalExpired,
  totalUnanswered,
  totalWith,
} from '../rules.ts';
import { Countdown, useUntil } from './Countdown.tsx';
import { EndedProposal, ProposedItems } from './ProposedItems.tsx';

/**
 * What a farm can do when it is short of something in an order: propose a change, and while one is open see how long
 * the consumer has, take it back or replace it. Admins read, and may take it back; those who only pack read.
 */
export function FarmChanges({
  order,
  reader,
  answerMinutes,
}: {
  order: Order;
  reader: 'farmer' | 'packer' | 'admin';
  /** Minutes that the farm gives its consumers to answer. */
  answerMinutes?: number | undefined;
}) {
  const [isProposing, setProposing] = useState(false);
  const proposal = order.openChange;
  const hasGoods = order.items.some(({ quantity }) => quantity > 0);
  const mayPropose = reader === 'farmer' && isOpenStatus(order.status) && hasGoods;
  return (
    <div data-print="hide" className="not-empty:mt-4">
      <EndedProposal order={order} reader="farmer" />
      {proposal ? (
        <OpenProposal
          order={order}
          proposal={proposal}
          mayWithdraw={reader !== 'packer'}
          onReplace={mayPropose ? () => setProposing(true) : undefined}
        />
      ) : (
        mayPropose && (
          <Button variant="secondary" icon={<PackageMinus />} onClick={() => setProposing(true)}>
            {t('Short on something?')}
          </Button>
        )
      )}
      {isProposing && (
        <ProposeDialog
          order={order}
          answerMinutes={answerMinutes}
          onClose={() => setProposing(false)}
        />
      )}
    </div>
  );
}

/** A proposal that waits for the consumer, as the farm sees it. */
function OpenProposal({
  order,
  proposal,
  mayWithdraw,
  onReplace,
}: {
  order: Order;
  proposal: Proposal;
  mayWithdraw: boolean;
  onReplace: (() => void) | undefined;
}) {
  const titleId = useId();
  const withdraw = useWithdrawChange(order._id, proposal._id);
  const until = useUntil(proposal.answerBy);
  const total = formatTotal(totalExpired(order, proposal));
  const name = order.consumer.name;
  return (
    <section
      aria-labelledby={titleId}
      className="animate-slide-in overflow-clip rounded border border-straw bg-surface"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 bg-straw-soft px-4 py-3 text-straw-ink">
        <h3 id={titleId} className="font-sans text-sm font-semibold tracking-normal">
          {t("Waiting for {name}'s answer", { name })}
        </h3>
        <Countdown until={proposal.answerBy} />
      </header>
      <div className="grid gap-4 p-4">
        <ProposedItems order={order} proposal={proposal} />
        {proposal.note && (
          <p dir="auto" className="whitespace-pre-line border-s-2 border-hairline ps-3 text-sm">
            {proposal.note}
          </p>
        )}
        <p className="text-sm text-ink-soft">
          {[
            t('Asked by {name}.', { name: proposal.createdBy.name }),
            isOverweightOnly(proposal)
              ? t(
                  'Without an answer by {until} no more than the limit is charged, which makes {total}.',
                  { until, total },
                )
              : t(
                  'Without an answer by {until} what is short is taken out and nothing is added, which makes {total}.',
                  { until, total },
                ),
            t("The order can't be accepted or completed meanwhile."),
          ].join(' ')}
        </p>
        {/* Other lines may have been weighed since it was asked. */}
        <TotalChange before={order} after={totalAnswered(order, proposal, {})} />
        <div className="flex flex-wrap gap-2 empty:hidden">
          {onReplace && (
            <Button variant="secondary" icon={<PackageMinus />} onClick={onReplace}>
              {t('Propose something else')}
            </Button>
          )}
          {mayWithdraw && (
            <Button
              variant="quiet"
              icon={<Undo2 />}
              pending={withdraw.isPending}
              onClick={() => withdraw.mutate()}
            >
              {t('Take it back')}
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}

/**
 * What a farm is short of in one order: what becomes of each line, what the consumer is asked, and what happens without
 * an answer. Several lines are one proposal. One that is open already is replaced.
 */
export function ProposeDialog({
  order,
  lineId,
  answerMinutes = ANSWER_MINUTES.standard,
  onClose,
}: {
  order: Order;
  /** The line it is opened for, which comes first; all as they stand without one. */
  lineId?: string | undefined;
  /** Minutes that the farm gives its consumers to answer. */
  answerMinutes?: number | undefined;
  onClose: () => void;
}) {
  const { data: found } = useQuery(goodsQuery(order.farmer._id));
  const goods = new Map<string, Goods>((found ?? []).map((each) => [each._id, each]));
  const categoryOf = (productId: string) => goods.get(productId)?.category?._id;
  const [drafts, setDrafts] = useState<ReadonlyMap<string, RowDraft>>(() =>
    order.openChange ? draftsOf(order.openChange) : new Map(),
  );
  const name = order.consumer.name;
  const [note, noteField] = useDialogField(`propose:${order._id}`, {
    label: t('Note (optional)'),
    hint: t('{name} reads it with the change.', { name }),
    maxLength: PROPOSAL_NOTE_MAX,
    initial: order.openChange?.note,
  });
  // What the farmer has seen: a change by somebody else meanwhile is shown before it is replaced.
  const [version, setVersion] = useState(order.version);
  const [changeId, setChangeId] = useState(newId);
  const formId = useId();
  const propose = useProposeChange(order);
  const now = useNow();
  const today = useDayAtFarm(order);

  const lines = presentLines(order.items).toSorted(
    (one, other) => Number(other._id === lineId) - Number(one._id === lineId),
  );
  const ready = new Map(
    [...drafts].flatMap(([id, draft]) =>
      draft.action === 'choosing' || !lines.some(({ _id }) => _id === id)
        ? []
        : [[id, draft] as const],
    ),
  );
  const isChoosing = [...drafts.values()].some(({ action }) => action === 'choosing');
  const asked = lines.filter((line) => {
    const draft = ready.get(line._id);
    return draft !== undefined && !appliesAtOnce(line, draft, categoryOf);
  });
  const startsAtMs = order.startsAt === undefined ? null : Date.parse(order.startsAt);
  const until = useUntil(answerByMs(startsAtMs, now, answerMinutes) ?? now);
  const slot = slotOf(order);
  const change = (id: string, draft: RowDraft | undefined) => {
    const next = new Map(drafts);
    if (draft) next.set(id, draft);
    else next.delete(id);
    setDrafts(next);
  };
  const isReady = ready.size > 0 && !isChoosing;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (propose.isPending || !isReady) return;
    const items = [...ready].map(toItem);
    propose.mutate(
      { _id: changeId, items, note, expectedVersion: version },
      {
        onSuccess: onClose,
        onError: (error) => {
          setVersion(presentOrderOf(error)?.version ?? order.version);
          setChangeId(newId());
        },
      },
    );
  };
  return (
    <ActionDialog
      title={t('Short on something?')}
      description={t('{name}, {way, select, delivery {delivery} other {pickup}} {when}', {
        name,
        way: slot.isDelivery ? 'delivery' : 'pickup',
        when: slotInSentence(slot, today),
      })}
      summary={<TotalChange before={order} after={totalWith(order, ready)} />}
      label={
        asked.length === 0 && ready.size > 0 ? t('Change the order') : t('Ask {name}', { name })
      }
      formId={formId}
      pending={propose.isPending}
      disabled={!isReady}
      onClose={onClose}
    >
      <form id={formId} className="grid gap-4" onSubmit={submit}>
        {propose.isError && (
          <ErrorAlert error={propose.error}>
            {order.openChange && (
              <p className="mt-1">
                {t(
                  '{farmer} has asked {customer} meanwhile: {total} in all. Sending yours replaces it.',
                  {
                    farmer: order.openChange.createdBy.name,
                    customer: name,
                    total: formatTotal(totalAnswered(order, order.openChange, {})),
                  },
                )}
              </p>
            )}
          </ErrorAlert>
        )}
        {order.openChange && !propose.isError && (
          <Alert kind="info">{t('This replaces what {name} was asked before.', { name })}</Alert>
        )}
        <ul className="divide-y divide-hairline">
          {lines.map((line) => (
            <DraftRow
              key={line._id}
              line={line}
              draft={drafts.get(line._id)}
              farmId={order.farmer._id}
              day={slotOf(order).date}
              consumer={name}
              goods={goods}
              categoryOf={categoryOf}
              onDraft={(draft) => change(line._id, draft)}
            />
          ))}
        </ul>
        {ready.size > 0 && (
          <>
            {noteField}
            {asked.length > 0 && (
              <Alert kind="info">
                {[
                  t('{name} can answer until {until}.', { name, until }),
                  t(
                    'Without an answer what you are short of is taken out and nothing is added, which makes {total}.',
                    { total: formatTotal(totalUnanswered(order, ready, categoryOf)) },
                  ),
                  order.status === 'pending' &&
                    t('An answer that keeps something accepts the order.'),
                ]
                  .filter(Boolean)
                  .join(' ')}
              </Alert>
            )}
          </>
        )}
      </form>
    </ActionDialog>
  );
}

/** What a proposal that is open would do, as drafts to begin with. */
function draftsOf(proposal: Proposal): Map<string, RowDraft> {
  const drafts = new Map<string, RowDraft>();
  for (const { lineId, action, newQuantity, substitute, reason = 'other' } of proposal.items) {
    const common = { reason, emptiesShelf: false };
    if (action === 'remove') drafts.set(lineId, { ...common, action });
    if (action === 'reduce' && newQuantity !== undefined) {
      drafts.set(lineId, { ...common, action, newQuantity });
    }
    if (action === 'substitute' && substitute) {
      // What was offered is reserved for this order, so it can be offered again.
      const goods = { ...substitute, quantityAvailable: substitute.quantity, category: null };
      drafts.set(lineId, { ...common, action, goods, quantity: substitute.quantity });
    }
  }
  return drafts;
}

function toItem([lineId, draft]: [string, LineDraft]): ProposedItem {
  if (draft.action !== 'substitute') return { lineId, ...draft };
  const { goods, quantity, ...common } = draft;
  const { _id: productId, size } = goods;
  return {
    lineId,
    ...common,
    substitute: { productId, ...(size && { size: size._id }), quantity },
  };
}
