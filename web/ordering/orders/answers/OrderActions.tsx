import { Ban, CircleCheck, CircleX, PackageCheck } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import {
  type Cancellable,
  findTransition,
  mayCancel,
  type Party,
} from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { REASON_MAX } from '#contract/platform/orders/constants';
import { useAuth } from '../../../platform/session/use-auth.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { ConfirmDialog } from '../../../platform/ui/dialogs/ConfirmDialog.tsx';
import { Field } from '../../../platform/ui/fields/Field.tsx';
import { Textarea } from '../../../platform/ui/fields/Textarea.tsx';
import { Button, type ButtonProps } from '../../../platform/ui/primitives/Button.tsx';
import { itemsInWords } from '../../model/order-items.ts';
import { withWhom } from '../detail/OrderTitle.tsx';
import { UseEstimatesDialog } from '../figures/UseEstimates.tsx';
import { useUpdateOrderStatus } from '../queries.ts';
import { mayGive, whyNotNow } from './may-give.ts';
import { QueuedNote } from './QueuedNote.tsx';
import { useQueuedAnswer } from './queued-answers.ts';

type Step = {
  to: OrderStatus;
  label: string;
  icon: ReactNode;
  variant: NonNullable<ButtonProps['variant']>;
  /** The step cannot be undone, so it needs a confirmation. */
  final: boolean;
};

const steps: readonly Step[] = [
  {
    to: 'rejected',
    label: 'Reject',
    icon: <CircleX />,
    variant: 'danger-quiet',
    final: true,
  },
  { to: 'accepted', label: 'Accept', icon: <CircleCheck />, variant: 'primary', final: false },
  { to: 'cancelled', label: 'Cancel order', icon: <Ban />, variant: 'danger-quiet', final: true },
  { to: 'completed', label: 'Complete', icon: <PackageCheck />, variant: 'primary', final: false },
];

/** Returns the steps that a party is offered. Cancelling is not offered to those who may reject. */
export function offeredSteps(order: Cancellable, party: Party): OrderStatus[] {
  const allowed = steps
    .map((step) => step.to)
    .filter((to) =>
      to === 'cancelled' && party === 'consumer'
        ? mayCancel(order)
        : findTransition(order.status, to, party) !== undefined,
    );
  return allowed.includes('rejected') ? allowed.filter((to) => to !== 'cancelled') : allowed;
}

/**
 * The next steps of an order as buttons: accept and reject, complete, cancel. Steps that cannot be
 * undone open a confirmation with an optional reason. While an answer is on the way, a note about it
 * stands in their place.
 */
export function OrderActions({
  order,
  party,
  without,
  onAccept,
  onEnded,
  size,
  className,
}: {
  order: Order;
  party: Party;
  /** A step that is offered elsewhere. */
  without?: OrderStatus;
  /** Accepts the order; without it the order is accepted at once. */
  onAccept?: (order: Order) => void;
  /** Called after the order was rejected or cancelled here. */
  onEnded?: (order: Order) => void;
  size?: ButtonProps['size'];
  className?: string;
}) {
  const [confirming, setConfirming] = useState<OrderStatus | null>(null);
  const update = useUpdateOrderStatus();
  const held = useQueuedAnswer(order._id);
  const offered = offeredSteps(order, party);
  const { user } = useAuth();
  const isWithinRole = (to: OrderStatus) => party !== 'farmer' || mayGive(user, to);
  const shown = steps.filter(
    ({ to }) => offered.includes(to) && to !== without && isWithinRole(to),
  );
  const reasonId = useId();
  const reason = shown.map(({ to }) => whyNotNow(order, to)).find(Boolean);
  if (shown.length === 0 && confirming === null && !held) return null;
  return (
    <div data-print="hide" className={cn('flex flex-wrap gap-2', className)}>
      {held && <QueuedNote held={held} orderId={order._id} />}
      {(held ? [] : shown).map((step) => (
        <Button
          key={step.to}
          variant={step.variant}
          size={size}
          icon={step.icon}
          pending={update.isPending && update.variables.status === step.to}
          disabled={
            (update.isPending && update.variables.status !== step.to) ||
            whyNotNow(order, step.to) !== undefined
          }
          aria-describedby={whyNotNow(order, step.to) && reasonId}
          aria-label={`${step.label}${step.to === 'cancelled' ? '' : ' order'} ${shortId(order._id)}`}
          onClick={() => {
            const needsEstimates = step.to === 'completed' && !order.isTotalFinal;
            if (step.final || needsEstimates) setConfirming(step.to);
            else if (step.to === 'accepted' && onAccept) onAccept(order);
            else update.mutate({ order, status: step.to });
          }}
        >
          {step.label}
        </Button>
      ))}
      {reason && !held && (
        <p id={reasonId} className="order-last basis-full text-sm text-ink-soft">
          {reason}
        </p>
      )}
      {confirming === 'completed' && (
        <UseEstimatesDialog order={order} onClose={() => setConfirming(null)} />
      )}
      {confirming && confirming !== 'completed' && (
        <EndOrderDialog
          order={order}
          to={confirming}
          party={party}
          onClose={() => setConfirming(null)}
          {...(onEnded && { onEnded })}
        />
      )}
    </div>
  );
}

/** Asks for confirmation and a reason before an order is rejected or cancelled. */
export function EndOrderDialog({
  order,
  to,
  party,
  onClose,
  onEnded,
}: {
  order: Order;
  to: OrderStatus;
  party: Party;
  onClose: () => void;
  /** Called with the order once it has its status and the dialog is gone. */
  onEnded?: (order: Order) => void;
}) {
  const [reason, setReason] = useState('');
  const hasEnded = useRef(false);
  const update = useUpdateOrderStatus();
  const verb = to === 'rejected' ? 'Reject' : 'Cancel';
  const other = party === 'consumer' ? 'The farm' : 'The customer';
  const whose =
    party === 'consumer'
      ? `your order at ${withWhom(order, 'consumer')}`
      : `the order of ${withWhom(order, 'farmer')}`;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${verb} ${whose}?`}
      description={`Order #${shortId(order._id)}: ${itemsInWords(order.items)}. We'll tell ${other.toLowerCase()} at once. This action cannot be undone.`}
      confirmLabel={`${verb} order`}
      cancelLabel="Keep order"
      danger
      pending={update.isPending}
      onClosed={() => {
        if (hasEnded.current) onEnded?.(order);
      }}
      onConfirm={() =>
        update.mutate(
          { order, status: to, ...(reason.trim() ? { reason: reason.trim() } : {}) },
          {
            onSuccess: () => {
              hasEnded.current = true;
              onClose();
            },
          },
        )
      }
    >
      <Field label="Reason (optional)" hint={`${other} sees it on the order.`}>
        <Textarea
          rows={2}
          maxLength={REASON_MAX}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </ConfirmDialog>
  );
}
