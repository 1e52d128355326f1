import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ANSWER_MINUTES } from '#contract/farm/farmers/constants';
import { slotInSentence, slotOf, wayOf } from '#contract/farm/slots/constants';
import { PROPOSAL_NOTE_MAX } from '#contract/ordering/changes/constants';
import type { ProposedItem } from '#contract/ordering/changes/order-changes';
import type { Proposal } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import { newId } from '../../../platform/api/new-id.ts';
import { useNow, useToday } from '../../../platform/hooks/use-now.ts';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { ErrorAlert } from '../../../platform/ui/feedback/ErrorAlert.tsx';
import { Field } from '../../../platform/ui/fields/Field.tsx';
import { Textarea } from '../../../platform/ui/fields/Textarea.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { presentLines } from '../../model/order-items.ts';
import { type OnChanged, presentOrderOf, useProposeChange } from '../commands.ts';
import { DraftRow, type RowDraft } from '../DraftRow.tsx';
import { goodsQuery } from '../queries.ts';
import {
  answerUntilMs,
  appliesAtOnce,
  type Goods,
  isFinalWith,
  type LineDraft,
  totalWith,
} from '../rules.ts';
import { TotalChange } from '../TotalChange.tsx';
import { answeredInWords, unansweredInWords } from '../words.ts';
import { useUntil } from './Countdown.tsx';

/**
 * What a farm is short of in one order: what becomes of each line, what the buyer is asked, and what happens without
 * an answer. Several lines are one proposal. One that is open already is replaced.
 */
export function ProposeDialog({
  order,
  lineId,
  answerMinutes = ANSWER_MINUTES.standard,
  onChanged,
  onClose,
}: {
  order: Order;
  /** The line it is opened for, which comes first; all as they stand without one. */
  lineId?: string | undefined;
  /** Minutes that the farm gives its buyers to answer. */
  answerMinutes?: number | undefined;
  onChanged: OnChanged;
  onClose: () => void;
}) {
  const { data: found } = useQuery(goodsQuery(order.farmer._id));
  const goods = new Map<string, Goods>((found ?? []).map((each) => [each._id, each]));
  const categoryOf = (productId: string) => goods.get(productId)?.category?._id;
  const [drafts, setDrafts] = useState<ReadonlyMap<string, RowDraft>>(() =>
    order.openChange ? draftsOf(order.openChange) : new Map(),
  );
  const [note, setNote] = useState(order.openChange?.note ?? '');
  // What the farmer has seen: a change by somebody else meanwhile is shown before it is replaced.
  const [version, setVersion] = useState(order.version);
  const [changeId, setChangeId] = useState(newId);
  const formId = useId();
  const propose = useProposeChange(order, onChanged);
  const now = useNow();
  const today = useToday();

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
  const until = useUntil(answerUntilMs(now, answerMinutes, order.startsAt));
  const name = order.consumer.name;
  const slot = slotOf(order);
  const total = totalWith(order, ready);
  const change = (id: string, draft: RowDraft | undefined) => {
    const next = new Map(drafts);
    if (draft) next.set(id, draft);
    else next.delete(id);
    setDrafts(next);
  };
  const submit = () => {
    if (propose.isPending || ready.size === 0 || isChoosing) return;
    const body = {
      _id: changeId,
      items: toItems(ready),
      note: note.trim(),
      expectedVersion: version,
    };
    propose.mutate(body, {
      onSuccess: onClose,
      onError: (error) => {
        const present = presentOrderOf(error);
        setVersion(present?.version ?? order.version);
        setChangeId(newId());
      },
    });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !propose.isPending && onClose()}
      title="Short on something?"
      description={`${name}, ${wayOf(slot).toLowerCase()} ${slotInSentence(slot, today)}`}
      footer={
        <div className="grid w-full gap-3">
          <TotalChange
            before={order.totalAmount}
            after={total}
            isEstimate={!isFinalWith(order, ready)}
            wasEstimate={!order.isTotalFinal}
          />
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              form={formId}
              pending={propose.isPending}
              disabled={ready.size === 0 || isChoosing}
            >
              {asked.length === 0 && ready.size > 0 ? 'Change the order' : `Ask ${name}`}
            </Button>
          </div>
        </div>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {propose.isError && (
          <ErrorAlert error={propose.error}>
            {order.openChange && (
              <p className="mt-1">
                {order.openChange.createdBy.name} has asked {name} meanwhile:{' '}
                {answeredInWords(order, order.openChange, {})} in all. Sending yours replaces it.
              </p>
            )}
          </ErrorAlert>
        )}
        {order.openChange && !propose.isError && (
          <Alert kind="info">This replaces what {name} was asked before.</Alert>
        )}
        <ul className="divide-y divide-hairline">
          {lines.map((line) => (
            <DraftRow
              key={line._id}
              line={line}
              draft={drafts.get(line._id)}
              farmId={order.farmer._id}
              consumer={name}
              goods={goods}
              categoryOf={categoryOf}
              onDraft={(draft) => change(line._id, draft)}
            />
          ))}
        </ul>
        {ready.size > 0 && (
          <>
            <Field label="Note (optional)" hint={`${name} reads it with the change.`}>
              <Textarea
                rows={2}
                maxLength={PROPOSAL_NOTE_MAX}
                value={note}
                onChange={(event) => setNote(event.target.value)}
              />
            </Field>
            {asked.length > 0 && (
              <Alert kind="info">
                {name} can answer until {until}. Without an answer what you are short of is taken
                out and nothing is added, which makes {unansweredInWords(order, ready, categoryOf)}.
                {order.status === 'pending' && ' An answer that keeps something accepts the order.'}
              </Alert>
            )}
          </>
        )}
      </form>
    </Dialog>
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

const toItems = (drafts: ReadonlyMap<string, LineDraft>): ProposedItem[] =>
  [...drafts].map(([lineId, draft]) => toItem(lineId, draft));

function toItem(lineId: string, draft: LineDraft): ProposedItem {
  const { reason, emptiesShelf } = draft;
  const common = { lineId, reason, emptiesShelf };
  if (draft.action === 'remove') return { ...common, action: 'remove' };
  if (draft.action === 'reduce') {
    return { ...common, action: 'reduce', newQuantity: draft.newQuantity };
  }
  const substitute = { productId: draft.goods._id, quantity: draft.quantity };
  return { ...common, action: 'substitute', substitute };
}
