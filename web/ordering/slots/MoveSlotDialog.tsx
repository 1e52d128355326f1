import { useState } from 'react';
import type { FarmSlot, OfferedSlot } from '#contract/farm/slots/slots';
import { REASON_MAX } from '#contract/platform/orders/constants';
import { addDays, clockMs } from '#contract/platform/time/constants';
import { plural } from '../../platform/format/format.ts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { ErrorState } from '../../platform/ui/feedback/ErrorState.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { Textarea } from '../../platform/ui/fields/Textarea.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useMoveSlot } from './commands.ts';
import { farmSlotsQuery } from './queries.ts';
import { asTarget, availabilityOf, firstChoice } from './rules.ts';
import { SlotPicker } from './SlotPicker.tsx';
import { useSlotOrders } from './use-slot-orders.ts';
import { useSlotsAhead } from './use-slots-ahead.ts';

/** Moves all open orders of a slot to another one, with a reason that their buyers read. */
export function MoveSlotDialog({
  slot,
  timeZone,
  farmToday,
  onClose,
  onMoved,
}: {
  slot: FarmSlot;
  timeZone: string | undefined;
  farmToday: string;
  onClose: () => void;
  /** Called with the slot that the orders have then. */
  onMoved: (to: OfferedSlot) => void;
}) {
  const { movable } = useSlotOrders(slot._id);
  // All that are taken, until it is known which of them were handed over already.
  const orders = movable ?? slot.taken;
  const inWords = movable === undefined ? 'the orders' : plural(movable, 'order');
  const nextDay = addDays(slot.date, 1);
  const query = useSlotsAhead({
    queryOf: farmSlotsQuery,
    today: farmToday,
    // From the next day on there is most likely room at the same time.
    needsLater: (nearer) =>
      !nearer.some(
        (each) =>
          each.date >= nextDay && availabilityOf(asTarget(each), clockMs(), orders) === 'free',
      ),
  });
  const [wanted, setWanted] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const move = useMoveSlot();
  const others = query.slots?.filter(({ _id }) => _id !== slot._id).map(asTarget);
  const usual = firstChoice(
    others ?? [],
    clockMs(),
    { placeId: slot.place._id, date: nextDay, from: slot.from },
    orders,
  );
  const target = others?.find(({ _id }) => _id === wanted) ?? usual;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !move.isPending && onClose()}
      title={`Move ${inWords}`}
      description="Their customers are told at once, with your reason. All of them move, or none."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            pending={move.isPending}
            disabled={target === undefined || movable === 0}
            onClick={() => {
              if (!target) return;
              move.mutate(
                { slotId: slot._id, toSlotId: target._id, reason: reason.trim() },
                { onSuccess: () => onMoved(target) },
              );
            }}
          >
            Move {inWords}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        {others ? (
          <SlotPicker
            slots={others}
            value={target?._id ?? ''}
            orders={orders}
            later={query.later}
            onChange={({ _id }) => {
              move.reset();
              setWanted(_id);
            }}
            timeZone={timeZone}
          />
        ) : query.error ? (
          <ErrorState error={query.error} onRetry={query.refetch} pending={query.isFetching} />
        ) : (
          <SkeletonRows rows={4} />
        )}
        <Field label="Reason" hint="Customers see it with the new time.">
          <Textarea
            rows={2}
            maxLength={REASON_MAX}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        <ErrorAlert error={move.error} />
      </div>
    </Dialog>
  );
}
