import { Check, MessageCircle, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LineAnswer } from '#contract/ordering/changes/constants';
import type { ProposalItem } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import { fromMinor } from '#contract/platform/money/constants';
import { formatMoney } from '../../../platform/format/format.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { Button, LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { presentMinor } from '../rules.ts';

/** The answers to one line, and a way to ask back. */
export function AnswerChoices({
  order,
  item,
  answer,
  hasOwnButtons = false,
  onAnswer,
}: {
  order: Order;
  item: ProposalItem;
  /** Whether paying and keeping the limit have buttons of their own, because nothing else is asked. */
  hasOwnButtons?: boolean;
  answer: LineAnswer;
  onAnswer: (answer: LineAnswer) => void;
}) {
  const { action, product, substitute, totalAfter } = item;
  const name = substitute?.name ?? product.name;
  const isHeavier = action === 'overweight';
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2">
      <legend className="sr-only">Your answer about {product.name}</legend>
      {!hasOwnButtons && (
        <Choice isChosen={answer === 'accept'} icon={<Check />} onChoose={() => onAnswer('accept')}>
          {isHeavier ? `Pay ${formatMoney(totalAfter)}` : 'Accept'}
          <span className="sr-only"> {isHeavier ? `for ${name}` : name}</span>
        </Choice>
      )}
      {isHeavier && !hasOwnButtons && (
        <Choice
          isChosen={answer === 'keep_limit'}
          icon={<Check />}
          onChoose={() => onAnswer('keep_limit')}
        >
          Keep the limit of {formatMoney(fromMinor(presentMinor(order, item)))}
          <span className="sr-only"> for {name}</span>
        </Choice>
      )}
      {action !== 'remove' && (
        <Choice
          isChosen={answer === 'leave_out'}
          icon={<X />}
          onChoose={() =>
            onAnswer(hasOwnButtons && answer === 'leave_out' ? 'accept' : 'leave_out')
          }
        >
          Leave out<span className="sr-only"> {name}</span>
        </Choice>
      )}
      <LinkButton
        href={`/messages/${order.farmer._id}`}
        variant="quiet"
        icon={<MessageCircle />}
        aria-label={`Ask the farm about ${product.name}`}
      >
        Ask
      </LinkButton>
    </fieldset>
  );
}

function Choice({
  isChosen,
  icon,
  onChoose,
  children,
}: {
  isChosen: boolean;
  icon: ReactNode;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <Button
      variant="secondary"
      aria-pressed={isChosen}
      icon={isChosen ? icon : undefined}
      onClick={onChoose}
      className={cn(
        'min-h-11 min-w-24',
        isChosen && 'border-leaf bg-leaf-soft text-leaf-ink hover:bg-leaf-soft',
      )}
    >
      {children}
    </Button>
  );
}
