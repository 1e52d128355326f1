import { useState } from 'react';
import type { FarmSlot, OfferedSlot } from '#contract/farm/slots/slots';
import { MoveDay, type MovedDay } from '#contract/ordering/moves/moves';
import { REASON_MAX } from '#contract/platform/orders/constants';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, clockMs, formatNearDay } from '#contract/platform/time/constants';
import { formatFullDay } from '#contract/platform/time/constants/clock';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { Alert, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { Checkbox, Textarea } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { ActionDialog, NotLoaded, useDialogField } from '../model/ActionDialog.tsx';
import { useMoveDay, useMoveSlot } from './commands.ts';
import { farmSlotsQuery, useSlotOrders, useSlotsAhead } from './queries.ts';
import { asTarget, availabilityOf, firstChoice, timesOf } from './rules.ts';
import { SlotPicker } from './SlotPicker.tsx';

/** Moves all open orders of a slot to another one, with a reason that their consumers read. */
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
  const title =
    movable === undefined
      ? t('Move the orders')
      : t('Move {count, plural, one {# order} other {# orders}}', { count: movable });
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
  const [reason, reasonField] = useDialogField(`move-slot:${slot._id}`, {
    label: t('Reason'),
    hint: t('Customers see it with the new time.'),
    maxLength: REASON_MAX,
  });
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
    <ActionDialog
      title={title}
      description={t(
        'Their customers are told at once, with your reason. All of them move, or none.',
      )}
      label={title}
      pending={move.isPending}
      disabled={target === undefined || movable === 0}
      onAction={() => {
        if (!target) return;
        move.mutate(
          { slotId: slot._id, toSlotId: target._id, reason },
          { onSuccess: () => onMoved(target) },
        );
      }}
      onClose={onClose}
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
        ) : (
          <NotLoaded query={query}>
            <SkeletonRows rows={4} />
          </NotLoaded>
        )}
        {reasonField}
        <ErrorAlert error={move.error} />
      </div>
    </ActionDialog>
  );
}

/** Moves the open orders of a day to the same times of another day, as when a market falls on a holiday. */
export function MoveDayDialog({
  date,
  farmToday,
  onClose,
}: {
  date: string;
  farmToday: string;
  onClose: () => void;
}) {
  const move = useMoveDay();
  const [result, setResult] = useState<MovedDay | null>(null);
  const form = useZodForm(MoveDay, {
    defaultValues: { date, toDate: addDays(date, 1), reason: '', closesSlots: true },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !move.isPending && onClose()}
      title={t('Move {day}', { day: formatFullDay(date, farmToday, 'year') })}
      description={t(
        'Each order moves to the same place and time of the other day. Their customers are told at once.',
      )}
    >
      {result ? (
        <Result result={result} farmToday={farmToday} onClose={onClose} />
      ) : (
        <Form
          form={form}
          label={t('Move the day')}
          draftKey={`move-day:${date}`}
          onSubmit={async (input) => setResult((await move.mutateAsync(input)).data)}
          className="grid gap-5"
        >
          <FormField form={form} name="toDate" label={t('New day')} required>
            {(field) => <Input type="date" min={farmToday} {...field} />}
          </FormField>
          <FormField
            form={form}
            name="reason"
            label={t('Reason')}
            hint={t('Customers see it with the new time.')}
          >
            {(field) => <Textarea rows={2} maxLength={REASON_MAX} {...field} />}
          </FormField>
          <Checkbox
            label={t('Close the slots of this day too')}
            hint={t('So that nobody orders for it meanwhile.')}
            {...form.register('closesSlots')}
          />
          <FormError form={form} />
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button variant="secondary" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" pending={move.isPending}>
              {t('Move the day')}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

/** What moved, and what stayed for which reason. */
function Result({
  result: { moved, stayed },
  farmToday,
  onClose,
}: {
  result: MovedDay;
  farmToday: string;
  onClose: () => void;
}) {
  return (
    <div className="grid gap-4">
      <Alert kind={stayed.length === 0 ? 'success' : 'warning'}>
        {[
          t('{count, plural, one {# order was} other {# orders were}} moved.', { count: moved }),
          stayed.length > 0 &&
            t('{count, plural, one {# slot} other {# slots}} could not move.', {
              count: stayed.length,
            }),
        ]
          .filter(Boolean)
          .join(' ')}
      </Alert>
      {stayed.length > 0 && (
        <ul className="grid divide-y divide-hairline text-sm">
          {stayed.map(({ slot, message }) => (
            <li key={slot._id} className="grid gap-0.5 py-2">
              <span className="font-medium">
                {t('{day}, {time}, {place}: {count, plural, one {# order} other {# orders}}', {
                  day: formatNearDay(slot.date, farmToday),
                  time: timesOf(slot),
                  place: slot.place.name,
                  count: slot.taken,
                })}
              </span>
              <span className="text-ink-soft">{message}</span>
            </li>
          ))}
        </ul>
      )}
      <Button onClick={onClose} className="justify-self-end">
        {t('Done')}
      </Button>
    </div>
  );
}
