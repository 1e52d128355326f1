import { Check, MessageCircle, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { LineAnswer } from '#contract/ordering/changes/constants';
import type { AnswerChange } from '#contract/ordering/changes/order-changes';
import type { Proposal, ProposalItem } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { formatMoney } from '#contract/platform/money/constants';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../../platform/format/rich.tsx';
import { cn } from '../../../platform/ui/cn.ts';
import { ConfirmDialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { pin } from '../../../platform/ui/feedback/pinned.ts';
import { Button, LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { formatTotal } from '../../model/order-items.ts';
import { TotalChange } from '../../model/order-parts.tsx';
import { useAnswerChange } from '../queries.ts';
import {
  type Answers,
  answerAll,
  describeProposed,
  isOverweightOnly,
  leavesNothing,
  totalAnswered,
  totalExpired,
  unanswered,
} from '../rules.ts';
import { Countdown, useUntil } from './Countdown.tsx';
import { EndedProposal, ProposedItems } from './ProposedItems.tsx';

/** What a farm asks about an order, on top of the consumer's page of it. Tells what became of it once it is over. */
export function ConsumersProposal({ order }: { order: Order }) {
  const proposal = order.openChange;
  return (
    <>
      <EndedProposal order={order} reader="consumer" />
      {proposal && <AnswerCard key={proposal._id} order={order} proposal={proposal} />}
    </>
  );
}

/** The question itself: old and new side by side, an answer for each line or for all of them, and the new total. */
function AnswerCard({ order, proposal }: { order: Order; proposal: Proposal }) {
  const titleId = useId();
  const [answers, setAnswers] = useState<Answers>({});
  const [isCancelling, setCancelling] = useState(false);
  const answer = useAnswerChange(order._id, proposal._id);
  const until = useUntil(proposal.answerBy);
  const farm = farmNameOf(order.farmer);
  const answerOf = ({ lineId }: ProposalItem) => answers[lineId] ?? 'accept';
  const isAllAccepted = proposal.items.every((item) => answerOf(item) === 'accept');
  const isNothingLeft = leavesNothing(order, proposal, answers);
  const total = totalAnswered(order, proposal, answers);
  const limit = formatTotal(totalExpired(order, proposal));
  const isCancelPending = answer.isPending && answer.variables.cancelOrder === true;

  /** Whether there is a limit to keep, and nothing was chosen for a single line. */
  const offersLimit = isOverweightOnly(proposal) && isAllAccepted;
  const keepsLimit = answer.isPending && isKeptLimit(answer.variables);

  const send = (given: Answers) =>
    answer.mutate({
      items: proposal.items.map(({ lineId }) => ({ lineId, answer: given[lineId] ?? 'accept' })),
    });
  const cancel = () =>
    answer.mutate({ cancelOrder: true }, { onSettled: () => setCancelling(false) });

  return (
    <section
      aria-labelledby={titleId}
      data-print="hide"
      className="mb-4 animate-slide-in overflow-clip rounded border-2 border-straw bg-surface"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 bg-straw-soft px-4 py-3 text-straw-ink">
        <h2 id={titleId} className="font-sans text-base font-semibold tracking-normal">
          {t('{farm} asks: is this all right?', { farm })}
        </h2>
        <Countdown until={proposal.answerBy} />
      </header>
      <div className="grid gap-4 p-4">
        {proposal.note && (
          <p dir="auto" className="whitespace-pre-line border-s-2 border-hairline ps-3 text-sm">
            <span className="sr-only">{t("The farm's note:")} </span>
            {proposal.note}
          </p>
        )}
        <ProposedItems
          order={order}
          proposal={proposal}
          answer={(item) => (
            <AnswerChoices
              order={order}
              item={item}
              hasOwnButtons={isOverweightOnly(proposal) && proposal.items.length === 1}
              answer={answerOf(item)}
              onAnswer={(chosen) => setAnswers({ ...answers, [item.lineId]: chosen })}
            />
          )}
        />
        {isOverweightOnly(proposal) && <p className="text-sm">{limitSentence(order, proposal)}</p>}
        <p className="text-sm text-ink-soft">
          {[
            ...unansweredSentences(order, proposal, until),
            ...(order.status === 'pending'
              ? [t('The farm still has to accept your order then.')]
              : []),
          ].join(' ')}
        </p>
        <Button
          variant="danger-quiet"
          aria-label={t('Cancel the whole order {shortId}', { shortId: shortId(order._id) })}
          onClick={() => setCancelling(true)}
          className="-ms-4 w-fit"
        >
          {t('Cancel the whole order')}
        </Button>
      </div>
      <div
        ref={pin}
        className="pinned flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-hairline bg-surface px-4 py-3"
      >
        <TotalChange before={order} after={total} />
        {isNothingLeft && (
          <p className="text-sm font-medium text-tomato">
            {t('Nothing is left then, so your order is cancelled.')}
          </p>
        )}
        <div className="flex flex-wrap gap-2 max-sm:grow max-sm:*:grow">
          {offersLimit && (
            <Button
              size="lg"
              variant="secondary"
              pending={keepsLimit}
              onClick={() => send(answerAll(proposal, 'keep_limit'))}
            >
              {t('Keep the limit of {limit}', { limit })}
            </Button>
          )}
          {isNothingLeft && !isAllAccepted ? (
            <Button size="lg" variant="danger" onClick={() => setCancelling(true)}>
              {t('Leave everything out')}
            </Button>
          ) : (
            <Button
              size="lg"
              icon={<Check />}
              pending={answer.isPending && !isCancelPending && !keepsLimit}
              onClick={() => send(answers)}
            >
              {offersLimit
                ? t('Accept {total}', { total: formatTotal(total) })
                : isAllAccepted
                  ? t('Accept all')
                  : t('Send my answer')}
            </Button>
          )}
        </div>
      </div>
      <ConfirmDialog
        open={isCancelling}
        onOpenChange={setCancelling}
        title={t('Cancel your order at {farm}?', { farm })}
        description={t(
          'Because of the change you can cancel all of it. The farm is told at once. This action cannot be undone.',
        )}
        confirmLabel={t('Cancel order')}
        cancelLabel={t('Keep order')}
        danger
        pending={isCancelPending}
        onConfirm={cancel}
      />
    </section>
  );
}

/** Says beforehand what comes of either answer about goods that weigh more than expected. */
function limitSentence(order: Order, proposal: Proposal): string {
  const names = listOf(proposal.items.map(({ product }) => product.name));
  const accepted = formatTotal(totalAnswered(order, proposal, {}));
  const limit = formatTotal(totalExpired(order, proposal));
  return t(
    'Your {names} weighed more than expected. Accept and your order comes to {accepted}. Keep the limit and it comes to {limit} at most: the farm packs these for that price, or lighter ones.',
    { names, accepted, limit },
  );
}

const isKeptLimit = ({ items = [] }: AnswerChange): boolean =>
  items.length > 0 && items.every(({ answer }) => answer === 'keep_limit');

/** Says beforehand what happens if nobody answers. */
function unansweredSentences(order: Order, proposal: Proposal, until: string): string[] {
  const lines = new Map(order.items.map((line) => [line._id, line]));
  const total = formatTotal(totalExpired(order, proposal));
  const heavier = proposal.items.filter(({ action }) => action === 'overweight');
  const goods = proposal.items
    .filter(({ action }) => action !== 'overweight')
    .map((item) =>
      item.action === 'reduce'
        ? describeProposed(item, lines.get(item.lineId))
        : t('no {name}', { name: item.product.name }),
    );
  if (goods.length === 0) {
    return [
      t(
        "If you don't answer by {until}, the limit is kept: you pay the smaller total of {total}.",
        {
          until,
          total,
        },
      ),
    ];
  }
  const names = heavier.map(({ product }) => product.name);
  return [
    t(
      "If you don't answer by {until}, you get {goods}, and nothing is added that you didn't choose.",
      { until, goods: listOf(goods) },
    ),
    ...(names.length > 0 ? [t('You pay no more for {names}.', { names: listOf(names) })] : []),
    leavesNothing(order, proposal, unanswered(proposal))
      ? t('Nothing would be left then, so the order is cancelled.')
      : t('That makes {total}.', { total }),
  ];
}

/** The answers to one line, and a way to ask back. */
function AnswerChoices({
  order,
  item,
  answer,
  hasOwnButtons,
  onAnswer,
}: {
  order: Order;
  item: ProposalItem;
  /** Whether paying and keeping the limit have buttons of their own, because nothing else is asked. */
  hasOwnButtons: boolean;
  answer: LineAnswer;
  onAnswer: (answer: LineAnswer) => void;
}) {
  const { action, product, substitute, totalAfter } = item;
  const name = substitute?.name ?? product.name;
  const present = order.items.find(({ _id }) => _id === item.lineId);
  const isHeavier = action === 'overweight';
  const span = (inner: ReactNode) => <span className="sr-only">{inner}</span>;
  const renderChoice = (choice: LineAnswer, words: ReactNode, icon = <Check />) => {
    const isChosen = choice === answer;
    return (
      <Button
        variant="secondary"
        aria-pressed={isChosen}
        icon={isChosen ? icon : undefined}
        // What was left out by mistake comes back, where accepting has no button here.
        onClick={() => onAnswer(isChosen && hasOwnButtons ? 'accept' : choice)}
        className={cn(
          'min-h-11 min-w-24',
          isChosen && 'border-leaf bg-leaf-soft text-leaf-ink hover:bg-leaf-soft',
        )}
      >
        {words}
      </Button>
    );
  };
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2">
      <legend className="sr-only">{t('Your answer about {name}', { name: product.name })}</legend>
      {!hasOwnButtons &&
        !isHeavier &&
        renderChoice('accept', rich('Accept<span> {name}</span>', { name, span }))}
      {!hasOwnButtons &&
        isHeavier &&
        renderChoice(
          'accept',
          rich('Pay {amount}<span> for {name}</span>', {
            amount: formatMoney(totalAfter),
            name,
            span,
          }),
        )}
      {!hasOwnButtons &&
        isHeavier &&
        renderChoice(
          'keep_limit',
          rich('Keep the limit of {limit}<span> for {name}</span>', {
            limit: formatMoney(present?.total ?? 0),
            name,
            span,
          }),
        )}
      {action !== 'remove' &&
        renderChoice('leave_out', rich('Leave out<span> {name}</span>', { name, span }), <X />)}
      <LinkButton
        href={`/messages/${order.farmer._id}`}
        variant="quiet"
        icon={<MessageCircle />}
        aria-label={t('Ask the farm about {name}', { name: product.name })}
      >
        {t('Ask')}
      </LinkButton>
    </fieldset>
  );
}
