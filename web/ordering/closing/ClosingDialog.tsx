import { CalendarClock, CircleX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatSlot, wayOf } from '#contract/farm/slots/constants';
import { ordersApi } from '#contract/ordering/orders/constants';
import type { MetOrder, OrdersMet } from '#contract/platform/orders/closing';
import { REASON_MAX } from '#contract/platform/orders/constants';
import { t } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { errorMessage } from '../../platform/api/api-error.ts';
import { localToday } from '../../platform/format/format.ts';
import { useTicks } from '../../platform/hooks/use-stable-callback.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { ConfirmDialog, Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { announce } from '../../platform/ui/feedback/announce.ts';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { Checkbox } from '../../platform/ui/fields/controls.tsx';
import { Button, StatusBadge } from '../../platform/ui/primitives/Button.tsx';
import { useDialogField } from '../model/ActionDialog.tsx';

/** Renders the dialog that moves an order to another time. */
export type MoveOrder = (orderId: string, onClose: () => void) => ReactNode;

/**
 * The open orders that a change meets, before it is saved: those who save look through them, move or cancel what they
 * cannot hand over, and keep the others.
 */
export default function ClosingDialog({
  met: first,
  preview,
  problem,
  moveOrder,
  answer,
}: {
  met: OrdersMet;
  preview: () => Promise<OrdersMet>;
  problem?: string | undefined;
  moveOrder?: MoveOrder | undefined;
  /** Called with the key of the orders that are kept; with nothing where nothing is to be saved. */
  answer: (keeps: string | undefined) => void;
}) {
  const [met, setMet] = useState(first);
  const [moving, setMoving] = useState<string | null>(null);
  const [isCancelling, setCancelling] = useState(false);
  const { ticked, isTicked, toggle, setAll } = useTicks(met.orders);
  const look = useCommand(preview, { onSuccess: (_, now) => setMet(now), onError: shownByForm });
  const more = met.count - met.orders.length;
  const hasNone = met.count === 0;
  return (
    <Dialog
      open
      role="alertdialog"
      onOpenChange={(open) => !open && answer(undefined)}
      title={
        hasNone
          ? t('No open order is affected any more')
          : t(
              '{count, plural, one {# open order is affected} other {# open orders are affected}}',
              {
                count: met.count,
              },
            )
      }
      description={t(
        "Saving changes no order. Move or cancel what you can't hand over. The others stay as agreed, and we tell their customers so.",
      )}
      footer={
        <>
          <Button variant="secondary" onClick={() => answer(undefined)}>
            {t('Go back')}
          </Button>
          <Button pending={look.isPending} onClick={() => answer(met.key)}>
            {hasNone
              ? t('Save')
              : t(
                  '{count, plural, one {Save and keep this order} other {Save and keep # orders}}',
                  {
                    count: met.count,
                  },
                )}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {problem && <Alert kind="warning">{problem}</Alert>}
        <ErrorAlert error={look.error} />
        {!hasNone && (
          <div className="flex min-h-11 flex-wrap items-center justify-between gap-2">
            <Checkbox
              label={t('Select all')}
              checked={ticked.length > 0 && ticked.length === met.orders.length}
              onChange={({ target }) => setAll(target.checked)}
            />
            <Button
              variant="secondary"
              size="sm"
              icon={<CircleX />}
              disabled={ticked.length === 0}
              onClick={() => setCancelling(true)}
            >
              {ticked.length === 0
                ? t('Cancel orders')
                : t('{count, plural, one {Cancel # order} other {Cancel # orders}}', {
                    count: ticked.length,
                  })}
            </Button>
          </div>
        )}
        <ul className="grid divide-y divide-hairline border-y border-hairline empty:hidden">
          {met.orders.map((order) => (
            <Row
              key={order._id}
              order={order}
              isTicked={isTicked(order)}
              onTick={() => toggle(order)}
              onMove={moveOrder && order.slotId ? () => setMoving(order._id) : undefined}
            />
          ))}
        </ul>
        {more > 0 && (
          <p className="text-sm text-ink-soft">
            {t(
              '{count, plural, one {One more order is not listed here. It is kept as well.} other {# more orders are not listed here. They are kept as well.}}',
              { count: more },
            )}
          </p>
        )}
      </div>
      {moving !== null &&
        moveOrder?.(moving, () => {
          setMoving(null);
          look.mutate();
        })}
      {isCancelling && (
        <CancelDialog
          orders={ticked}
          onClose={() => setCancelling(false)}
          onDone={() => {
            setCancelling(false);
            setAll(false);
            look.mutate();
          }}
        />
      )}
    </Dialog>
  );
}

function Row({
  order,
  isTicked,
  onTick,
  onMove,
}: {
  order: MetOrder;
  isTicked: boolean;
  onTick: () => void;
  onMove: (() => void) | undefined;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 py-1.5 text-sm">
      <Checkbox
        label={<span className="sr-only">{t('Select {order}', { order: order.title })}</span>}
        checked={isTicked}
        onChange={onTick}
      />
      <span className="grid min-w-0 flex-1 basis-40">
        <a
          href={`/orders/${order._id}`}
          target="_blank"
          rel="noreferrer"
          className="link min-w-0 truncate font-medium"
        >
          <bdi>{order.title}</bdi>
          <span className="sr-only"> {t('Opens in a new tab.')}</span>
        </a>
        <span className="text-ink-soft">
          {t('{way} {when}', { way: wayOf(order), when: formatSlot(order, localToday()) })}
        </span>
      </span>
      <span className="flex items-center justify-between gap-3 max-sm:basis-full max-sm:ps-8">
        <StatusBadge status={order.status} />
        {onMove && (
          <Button
            variant="secondary"
            size="sm"
            icon={<CalendarClock />}
            aria-label={t('Move {order}', { order: order.title })}
            onClick={onMove}
          >
            {t('Move')}
          </Button>
        )}
      </span>
    </li>
  );
}

/** Cancels orders at once, with a reason that their customers read. */
function CancelDialog({
  orders,
  onClose,
  onDone,
}: {
  orders: readonly MetOrder[];
  onClose: () => void;
  onDone: () => void;
}) {
  const ids = orders.map(({ _id }) => _id);
  const [reason, reasonField] = useDialogField(`closing:${ids[0] ?? ''}`, {
    label: t('Reason (optional)'),
    hint: t('The customers see it on their orders.'),
    maxLength: REASON_MAX,
  });
  const cancel = useCommand(
    async () => {
      const body = { ids, status: 'cancelled' as const, ...(reason && { reason }) };
      const { data } = await call(ordersApi.updateStatuses, { body });
      const refused = data.find((each) => 'message' in each);
      if (refused && 'message' in refused) throw new Error(refused.message);
    },
    {
      onSuccess: () => {
        announce(
          t('{count, plural, one {# order was cancelled.} other {# orders were cancelled.}}', {
            count: ids.length,
          }),
        );
        onDone();
      },
      onError: shownByForm,
    },
  );
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && (cancel.isError ? onDone() : onClose())}
      title={t('{count, plural, one {Cancel # order?} other {Cancel # orders?}}', {
        count: ids.length,
      })}
      description={t("We'll tell the customers at once. This action cannot be undone.")}
      confirmLabel={t('{count, plural, one {Cancel # order} other {Cancel # orders}}', {
        count: ids.length,
      })}
      cancelLabel={t('Keep them')}
      danger
      pending={cancel.isPending}
      onConfirm={() => cancel.mutate()}
    >
      {reasonField}
      {cancel.error && <Alert kind="error">{errorMessage(cancel.error)}</Alert>}
    </ConfirmDialog>
  );
}
