import { CalendarClock, Eye, EyeOff, Gauge, Lock, LockOpen } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { CAPACITY_LIMITS } from '#contract/farm/slots/constants';
import { type FarmSlot, UpdateSlot } from '#contract/farm/slots/slots';
import type { SlotOrder } from '#contract/ordering/moves/moves';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';
import { formatFullDay } from '#contract/platform/time/constants/clock';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { NumberField } from '../../platform/ui/form/fields.tsx';
import { Form, FormError, useZodForm } from '../../platform/ui/form/form.tsx';
import { PagedList } from '../../platform/ui/lists/LoadMore.tsx';
import { Button, StatusBadge } from '../../platform/ui/primitives/Button.tsx';
import { formatQuantities } from '../model/order-items.ts';
import { useUpdateSlot } from './commands.ts';
import { useSlotOrders } from './queries.ts';
import { placeLine, timesOf } from './rules.ts';
import { LoadBadges, loadOf } from './WeekGrid.tsx';

const SlotCapacity = z.object({ capacity: UpdateSlot.shape.capacity });

/** A slot of the farm, live: its load, its orders, and what can be done with it. */
export function SlotDialog({
  slot,
  farmToday,
  isPast,
  mayChange,
  mayMove,
  onMove,
  onClose,
}: {
  slot: FarmSlot;
  farmToday: string;
  isPast: boolean;
  /** Whether the reader may close it and change its capacity. */
  mayChange: boolean;
  /** Whether the reader may move its orders. */
  mayMove: boolean;
  onMove: () => void;
  onClose: () => void;
}) {
  const toggle = useUpdateSlot();
  const limit = useUpdateSlot();
  // Not open from the start: a phone would show its keyboard over the orders.
  const [isLimiting, setLimiting] = useState(false);
  const isOpen = slot.state === 'open';
  const isChangeable = mayChange && !isPast && slot.state !== 'cancelled';
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('{day}, {time}', {
        day: formatFullDay(slot.date, farmToday, 'year'),
        time: timesOf(slot),
      })}
      description={placeLine(slot.place)}
    >
      <div className="grid gap-6">
        <p className="flex flex-wrap items-center gap-2" aria-live="polite">
          <span className="tabular text-lg font-semibold">{loadOf(slot).text}</span>
          <span className="text-sm text-ink-soft">{t('taken')}</span>
          <LoadBadges slot={slot} />
        </p>
        {isChangeable && (
          <div className="grid gap-4">
            <div className="flex flex-wrap gap-2">
              <Button
                variant="secondary"
                size="sm"
                icon={isOpen ? <Lock /> : <LockOpen />}
                pending={toggle.isPending}
                onClick={() =>
                  toggle.mutate({
                    slotId: slot._id,
                    change: { state: isOpen ? 'closed' : 'open' },
                  })
                }
              >
                {isOpen ? t('Close this slot') : t('Open this slot')}
              </Button>
              <Button
                variant="secondary"
                size="sm"
                icon={<Gauge />}
                aria-expanded={isLimiting}
                onClick={() => setLimiting(!isLimiting)}
              >
                {t('Change the limit')}
              </Button>
            </div>
            {isLimiting && (
              <CapacityForm
                // Resets when somebody else has changed it.
                key={slot.capacity}
                slot={slot}
                onSave={async (capacity) => {
                  await limit.mutateAsync({ slotId: slot._id, change: { capacity } });
                  setLimiting(false);
                }}
              />
            )}
          </div>
        )}
        <Orders
          slotId={slot._id}
          onMove={mayMove && slot.taken > 0 ? onMove : undefined}
          onNavigate={onClose}
        />
      </div>
    </Dialog>
  );
}

function CapacityForm({
  slot,
  onSave,
}: {
  slot: FarmSlot;
  onSave: (capacity: number | null) => Promise<unknown>;
}) {
  const form = useZodForm(SlotCapacity, { defaultValues: { capacity: slot.capacity } });
  const { isSubmitting, isDirty } = form.formState;
  useEffect(() => form.setFocus('capacity'), [form.setFocus]);
  return (
    <Form
      form={form}
      label={t('Orders per slot')}
      draftKey={`slot:${slot._id}`}
      onSubmit={({ capacity }) => onSave(capacity ?? null)}
      className="grid gap-2"
    >
      <div className="flex items-end gap-2">
        <NumberField
          form={form}
          name="capacity"
          label={t('Most orders')}
          isOptional
          limits={CAPACITY_LIMITS}
          placeholder={t('No limit')}
          className="w-36"
        />
        <Button type="submit" variant="secondary" disabled={!isDirty} pending={isSubmitting}>
          {t('Save')}
        </Button>
      </div>
      <p className="text-xs text-ink-soft">
        {t('Fewer than are taken is fine: nobody loses their time, and no more orders come.')}
      </p>
      <FormError form={form} />
    </Form>
  );
}

/** The orders of a slot, by whom, and whether those that were moved know of it. */
function Orders({
  slotId,
  onMove,
  onNavigate,
}: {
  slotId: string;
  /** Moves those that are not handed over; undefined for a reader who may not. */
  onMove: (() => void) | undefined;
  onNavigate: () => void;
}) {
  const { query, orders, movable } = useSlotOrders(slotId);
  return (
    <section className="grid gap-2">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
        <h3 className="font-sans text-sm font-semibold">
          {query.data
            ? t('{count, plural, one {# order} other {# orders}}', { count: orders.length })
            : t('Orders')}
        </h3>
        {onMove && movable !== 0 && (
          <Button variant="secondary" size="sm" icon={<CalendarClock />} onClick={onMove}>
            {t('Move all')}
          </Button>
        )}
      </div>
      <PagedList
        query={query}
        items={orders}
        skeleton={<SkeletonRows rows={2} />}
        empty={<p className="text-sm text-ink-soft">{t('Nobody comes at this time yet.')}</p>}
      >
        {(shown) => (
          <ul className="grid divide-y divide-hairline">
            {shown.map((each) => (
              <OrderRow key={each.order._id} {...each} onNavigate={onNavigate} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

function OrderRow({
  order,
  moved,
  onNavigate,
}: SlotOrder & { order: Order; onNavigate: () => void }) {
  return (
    <li className="grid gap-1 py-2.5 text-sm">
      <span className="flex items-center justify-between gap-3">
        <Link
          href={`/orders/${order._id}`}
          onClick={onNavigate}
          className="link inline-flex min-h-8 min-w-0 items-center pointer-coarse:min-h-11"
        >
          <span dir="auto" className="truncate">
            {order.consumer.name}
          </span>
          <span className="sr-only"> #{shortId(order._id)}</span>
        </Link>
        <StatusBadge status={order.status} />
      </span>
      <span dir="auto" className="truncate text-ink-soft">
        {formatQuantities(order.items)}
      </span>
      {moved && (
        <span className="flex items-center gap-1.5 text-xs text-ink-soft">
          {moved.isRead ? <Eye className="size-4 text-leaf" /> : <EyeOff className="size-4" />}
          {moved.isRead
            ? t('Moved; the customer has seen it')
            : t('Moved; not seen by the customer yet')}
        </span>
      )}
    </li>
  );
}
