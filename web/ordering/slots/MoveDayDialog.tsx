import { useState } from 'react';
import { MoveDay, type MovedDay } from '#contract/ordering/moves/moves';
import { REASON_MAX } from '#contract/platform/orders/constants';
import { addDays, formatFullDay, formatNearDay } from '#contract/platform/time/constants';
import { plural } from '../../platform/format/format.ts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { Checkbox } from '../../platform/ui/fields/Checkbox.tsx';
import { Input } from '../../platform/ui/fields/Input.tsx';
import { Textarea } from '../../platform/ui/fields/Textarea.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useMoveDay } from './commands.ts';
import { timesOf } from './rules.ts';

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
      title={`Move ${formatFullDay(date, farmToday, 'year')}`}
      description="Each order moves to the same place and time of the other day. Their customers are told at once."
    >
      {result ? (
        <Result result={result} farmToday={farmToday} onClose={onClose} />
      ) : (
        <Form
          form={form}
          label="Move the day"
          onSubmit={async (input) => setResult((await move.mutateAsync(input)).data)}
          className="grid gap-5"
        >
          <FormField form={form} name="toDate" label="New day" required>
            {(field) => <Input type="date" min={farmToday} {...field} />}
          </FormField>
          <FormField
            form={form}
            name="reason"
            label="Reason"
            hint="Customers see it with the new time."
          >
            {(field) => <Textarea rows={2} maxLength={REASON_MAX} {...field} />}
          </FormField>
          <Checkbox
            label="Close the slots of this day too"
            hint="So that nobody orders for it meanwhile."
            {...form.register('closesSlots')}
          />
          <FormError form={form} />
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" pending={move.isPending}>
              Move the day
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
        {plural(moved, 'order was', 'orders were')} moved.
        {stayed.length > 0 && ` ${plural(stayed.length, 'slot', 'slots')} could not move.`}
      </Alert>
      {stayed.length > 0 && (
        <ul className="grid divide-y divide-hairline text-sm">
          {stayed.map(({ slot, message }) => (
            <li key={slot._id} className="grid gap-0.5 py-2">
              <span className="font-medium">
                {formatNearDay(slot.date, farmToday)}, {timesOf(slot)}, {slot.place.name}:{' '}
                {plural(slot.taken, 'order')}
              </span>
              <span className="text-ink-soft">{message}</span>
            </li>
          ))}
        </ul>
      )}
      <Button onClick={onClose} className="justify-self-end">
        Done
      </Button>
    </div>
  );
}
