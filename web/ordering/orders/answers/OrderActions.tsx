import { useAtomValue } from 'jotai';
import { Ban, CircleCheck, CircleX, CloudOff, PackageCheck, Undo2 } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import {
  type Cancellable,
  findTransition,
  mayCancel,
  type Party,
  permissionFor,
} from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import type { User } from '#contract/people/users/users';
import { shortId } from '#contract/platform/http/constants';
import { formatEstimate } from '#contract/platform/money/constants';
import { REASON_MAX } from '#contract/platform/orders/constants';
import { listOf } from '#contract/platform/text/constants/formats';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { connectionAtom } from '../../../platform/api/connection.ts';
import { mayForFarm, useAuth } from '../../../platform/session/session.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { ConfirmDialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Button, type ButtonProps } from '../../../platform/ui/primitives/Button.tsx';
import { useDialogField } from '../../model/ActionDialog.tsx';
import { formatItems, withWhom } from '../../model/order-items.ts';
import { useUpdateOrderStatus } from '../queries.ts';
import { type QueuedAnswer, takeBack, useQueuedAnswer } from './queued-answers.ts';

type Step = {
  to: OrderStatus;
  label: Message;
  /** What its button is called, for those who do not see of which order it is. */
  nameOf: (shortId: string) => string;
  icon: ReactNode;
  variant: NonNullable<ButtonProps['variant']>;
  /** The step cannot be undone, so it needs a confirmation. */
  final: boolean;
};

const steps: readonly Step[] = [
  {
    to: 'rejected',
    label: msg('Reject'),
    nameOf: (shortId) => t('Reject order {shortId}', { shortId }),
    icon: <CircleX />,
    variant: 'danger-quiet',
    final: true,
  },
  {
    to: 'accepted',
    label: msg('Accept'),
    nameOf: (shortId) => t('Accept order {shortId}', { shortId }),
    icon: <CircleCheck />,
    variant: 'primary',
    final: false,
  },
  {
    to: 'cancelled',
    label: msg('Cancel order'),
    nameOf: (shortId) => t('Cancel order {shortId}', { shortId }),
    icon: <Ban />,
    variant: 'danger-quiet',
    final: true,
  },
  {
    to: 'completed',
    label: msg('verb|Complete'),
    nameOf: (shortId) => t('Complete order {shortId}', { shortId }),
    icon: <PackageCheck />,
    variant: 'primary',
    final: false,
  },
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
  onAccept?: ((order: Order) => void) | undefined;
  /** Called after the order was rejected or cancelled here. */
  onEnded?: ((order: Order) => void) | undefined;
  size?: ButtonProps['size'];
  className?: string;
}) {
  const [confirming, setConfirming] = useState<OrderStatus | null>(null);
  const close = () => setConfirming(null);
  const update = useUpdateOrderStatus();
  const held = useQueuedAnswer(order._id);
  const offered = offeredSteps(order, party);
  const { user } = useAuth();
  const isWithinRole = (to: OrderStatus) => party !== 'farmer' || mayGive(user, to);
  const shown = steps.filter(
    ({ to }) => offered.includes(to) && to !== without && isWithinRole(to),
  );
  const reasonId = useId();
  const reason = shown.map(({ to }) => refusalNow(order, to)).find(Boolean);
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
            refusalNow(order, step.to) !== undefined
          }
          aria-describedby={refusalNow(order, step.to) && reasonId}
          aria-label={step.nameOf(shortId(order._id))}
          onClick={() => {
            const needsEstimates = step.to === 'completed' && !order.isTotalFinal;
            if (step.final || needsEstimates) setConfirming(step.to);
            else if (step.to === 'accepted' && onAccept) onAccept(order);
            else update.mutate({ order, status: step.to });
          }}
        >
          {writeMessage(step.label)}
        </Button>
      ))}
      {reason && !held && (
        <p id={reasonId} className="order-last basis-full text-sm text-ink-soft">
          {reason}
        </p>
      )}
      {confirming === 'completed' && <UseEstimatesDialog order={order} onClose={close} />}
      {confirming && confirming !== 'completed' && (
        <EndOrderDialog
          order={order}
          to={confirming}
          party={party}
          onClose={close}
          onEnded={onEnded}
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
  onEnded?: ((order: Order) => void) | undefined;
}) {
  const hasEnded = useRef(false);
  const update = useUpdateOrderStatus();
  const isOwn = party === 'consumer';
  const named = { shortId: shortId(order._id), items: formatItems(order.items) };
  const [reason, reasonField] = useDialogField(`${to}:${order._id}`, {
    label: t('Reason (optional)'),
    hint: isOwn ? t('The farm sees it on the order.') : t('The customer sees it on the order.'),
    maxLength: REASON_MAX,
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        isOwn
          ? t('Cancel your order at {farm}?', { farm: withWhom(order, 'consumer') })
          : to === 'rejected'
            ? t('Reject the order of {name}?', { name: withWhom(order, 'farmer') })
            : t('Cancel the order of {name}?', { name: withWhom(order, 'farmer') })
      }
      description={
        isOwn
          ? t(
              "Order #{shortId}: {items}. We'll tell the farm at once. This action cannot be undone.",
              named,
            )
          : t(
              "Order #{shortId}: {items}. We'll tell the customer at once. This action cannot be undone.",
              named,
            )
      }
      confirmLabel={to === 'rejected' ? t('Reject order') : t('Cancel order')}
      cancelLabel={t('Keep order')}
      danger
      pending={update.isPending}
      onClosed={() => {
        if (hasEnded.current) onEnded?.(order);
      }}
      onConfirm={() =>
        update.mutate(
          { order, status: to, ...(reason && { reason }) },
          {
            onSuccess: () => {
              hasEnded.current = true;
              onClose();
            },
          },
        )
      }
    >
      {reasonField}
    </ConfirmDialog>
  );
}

/** Whether somebody's role on their farm lets them give an order this status. */
const mayGive = (user: User | null, to: OrderStatus): boolean =>
  mayForFarm(user, permissionFor(to));

/** Whether the signed-in person's role on their farm lets them give an order this status. */
export const useMayGive = (to: OrderStatus): boolean => mayGive(useAuth().user, to);

/**
 * Returns why an order cannot get a status now although it may: the farm asked the consumer to change it. Rejecting and
 * cancelling are possible all the same.
 */
export const refusalNow = ({ openChange, consumer }: Order, to: OrderStatus): string | undefined =>
  openChange && (to === 'accepted' || to === 'completed')
    ? t("Waiting for {name}'s answer", { name: consumer.name })
    : undefined;

/** Stands in place of an order's actions while its answer is on the way, and takes back what is not sent. */
function QueuedNote({ held, orderId }: { held: QueuedAnswer; orderId: string }) {
  const { state } = useAtomValue(connectionAtom);
  const isWaiting = held.state === 'unsent' || (held.state === 'held' && state === 'offline');
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <p role="status" className="flex items-center gap-2 text-ink-soft">
        {isWaiting && <CloudOff className="size-5 shrink-0 text-orange-ink" />}
        {[
          t(
            '{status, select, accepted {Accepted.} rejected {Rejected.} completed {Completed.} cancelled {Cancelled.} other {Pending.}}',
            { status: held.status },
          ),
          isWaiting ? t("Not sent yet. We'll send it when you're back.") : t('Sent in a moment.'),
        ].join(' ')}
      </p>
      {held.state === 'unsent' && (
        <Button
          size="sm"
          variant="quiet"
          icon={<Undo2 />}
          aria-label={t('Take back the answer to order {shortId}', { shortId: shortId(orderId) })}
          onClick={() => takeBack(held.id)}
        >
          {t('Take back')}
        </Button>
      )}
    </div>
  );
}

/** Returns the names of what is priced by weight in an order and was not weighed, each once. */
export const unweighedNames = ({ items }: Pick<Order, 'items'>): string[] => [
  ...new Set(items.filter(({ isFinal }) => !isFinal).map(({ product }) => product.name)),
];

/** Asks whether an order is completed with estimated prices, since something in it was not weighed. */
function UseEstimatesDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const update = useUpdateOrderStatus();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('Complete with estimated prices?')}
      description={t(
        'Not weighed yet in order #{shortId}: {goods}. Your customer then pays the estimate, {total}, for good.',
        {
          shortId: shortId(order._id),
          goods: listOf(unweighedNames(order), 'unit'),
          total: formatEstimate(order.totalAmount),
        },
      )}
      confirmLabel={t('Use the estimates')}
      cancelLabel={t('Weigh it first')}
      pending={update.isPending}
      onConfirm={() =>
        update.mutate(
          { order, status: 'completed', usesEstimates: true },
          { onSuccess: onClose, onError: onClose },
        )
      }
    />
  );
}
