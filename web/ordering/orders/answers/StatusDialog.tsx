import { type FormEvent, useId, useState } from 'react';
import { isFinal, ORDER_TRANSITIONS } from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { ORDER_STATUSES, REASON_MAX } from '#contract/platform/orders/constants';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { useAuth } from '../../../platform/session/session.ts';
import { Checkbox } from '../../../platform/ui/fields/controls.tsx';
import { Button, type ButtonProps, StatusBadge } from '../../../platform/ui/primitives/Button.tsx';
import { ActionDialog, useDialogField } from '../../model/ActionDialog.tsx';
import { RadioRow } from '../../model/choices.tsx';
import { useUpdateOrderStatus } from '../queries.ts';
import { refusalNow, unweighedNames, useMayGive } from './OrderActions.tsx';
import { useQueuedAnswer } from './queued-answers.ts';

/**
 * The button that opens the status dialog; disabled for completed and cancelled orders, and while an
 * answer to the order is on the way.
 */
export function UpdateStatusButton({
  order,
  ...button
}: { order: Order } & Pick<ButtonProps, 'variant' | 'size' | 'className'>) {
  const { user } = useAuth();
  const [open, setOpen] = useState(false);
  const isHeld = useQueuedAnswer(order._id) !== undefined;
  const mayAnswer = useMayGive('accepted');
  const isEnded = order.status === 'completed' || order.status === 'cancelled';
  // Who may only hand over has the button to complete.
  if (user?.role === 'farmer' && !mayAnswer) return null;
  return (
    <>
      <Button
        variant="secondary"
        {...button}
        disabled={isEnded || isHeld}
        aria-label={t('Update Status of order {shortId}', { shortId: shortId(order._id) })}
        onClick={() => setOpen(true)}
      >
        {t('Update Status')}
      </Button>
      {open && <StatusDialog order={order} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Returns why an order cannot get a status now, or nothing. The server decides all the same. */
export function statusHint(from: OrderStatus, to: OrderStatus): string | undefined {
  if (from === to) return t('As it is now');
  if (ORDER_TRANSITIONS.some((way) => way.from === from && way.to === to)) return undefined;
  if (isFinal(from))
    return t(
      '{status, select, rejected {Not once it is rejected} completed {Not once it is completed} cancelled {Not once it is cancelled} other {Not possible now}}',
      { status: from },
    );
  if (from === 'pending' && to === 'completed') return t('Accept it first');
  return t('Not possible now');
}

/** Offers all five statuses and a reason. The server checks which one is allowed. */
export function StatusDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const formId = useId();
  const [status, setStatus] = useState<OrderStatus>(order.status);
  const [reason, reasonField] = useDialogField(`status:${order._id}`, {
    label: t('Reason (optional)'),
    hint: t('Both sides see it on the order.'),
    maxLength: REASON_MAX,
  });
  const [usesEstimates, setUsesEstimates] = useState(false);
  const unweighed = unweighedNames(order);
  const needsEstimates = status === 'completed' && unweighed.length > 0;
  const update = useUpdateOrderStatus();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (update.isPending) return;
    update.mutate(
      {
        order,
        status,
        ...(reason && { reason }),
        ...(needsEstimates && usesEstimates ? { usesEstimates } : {}),
      },
      { onSuccess: onClose },
    );
  };
  return (
    <ActionDialog
      title={t('Update Status')}
      description={t("{name}'s order #{shortId}", {
        name: order.consumer.name,
        shortId: shortId(order._id),
      })}
      label={t('Update Status')}
      formId={formId}
      pending={update.isPending}
      onClose={onClose}
    >
      <form id={formId} onSubmit={submit} className="grid gap-5">
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-sm font-medium">{t('Status')}</legend>
          {ORDER_STATUSES.map((value) => {
            const hint = refusalNow(order, value) ?? statusHint(order.status, value);
            return (
              <div key={value} className="relative">
                <RadioRow
                  name="status"
                  value={value}
                  checked={status === value}
                  onChange={() => setStatus(value)}
                  aria-describedby={hint && `${formId}-${value}`}
                >
                  <StatusBadge status={value} />
                </RadioRow>
                {hint && (
                  <span
                    id={`${formId}-${value}`}
                    className="pointer-events-none absolute inset-e-3 top-1/2 -translate-y-1/2 text-sm text-ink-soft"
                  >
                    {hint}
                  </span>
                )}
              </div>
            );
          })}
        </fieldset>
        {needsEstimates && (
          <Checkbox
            label={t('Use the estimated prices')}
            hint={t('Not weighed yet: {goods}.', { goods: listOf(unweighed, 'unit') })}
            checked={usesEstimates}
            onChange={(event) => setUsesEstimates(event.target.checked)}
          />
        )}
        {reasonField}
      </form>
    </ActionDialog>
  );
}
