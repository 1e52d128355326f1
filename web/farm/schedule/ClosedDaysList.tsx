import { CalendarX } from 'lucide-react';
import { useState } from 'react';
import { CLOSED_DAYS_AHEAD_MAX } from '#contract/farm/schedule/constants';
import type { FarmSchedule } from '#contract/farm/schedule/schedule';
import { z } from '#contract/platform/http/zod';
import { addDays } from '#contract/platform/time/constants';
import { plural } from '../../platform/format/format.ts';
import { announce } from '../../platform/ui/feedback/announce.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { Input } from '../../platform/ui/fields/Input.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useChangeClosedDays } from './commands.ts';
import { type ClosedDays, daysOf, formatRow, rowsOf } from './schedule-form.ts';

const RowInput = z
  .object({ from: z.iso.date('Choose a day.'), to: z.union([z.literal(''), z.iso.date()]) })
  .refine(({ from, to }) => to === '' || to >= from, {
    path: ['to'],
    message: "The last day can't be before the first.",
  })
  .refine(({ from, to }) => to === '' || to <= addDays(from, CLOSED_DAYS_AHEAD_MAX), {
    path: ['to'],
    message: 'Choose a day within the next two years.',
  });

/** The days on which the farm is closed, in rows; each row is closed and opened in one action. */
export function ClosedDaysList({
  schedule,
  mayChange,
  today,
}: {
  schedule: FarmSchedule;
  mayChange: boolean;
  /** Where the farm is. */
  today: string;
}) {
  const rows = rowsOf(schedule.exceptions);
  return (
    <div className="grid gap-5">
      {rows.length > 0 ? (
        <ul className="grid divide-y divide-hairline" aria-label="Closed days">
          {rows.map((row) => (
            <Row key={row.from} row={row} schedule={schedule} mayChange={mayChange} />
          ))}
        </ul>
      ) : (
        <p className="text-sm text-ink-soft">No closed days ahead.</p>
      )}
      {mayChange && <CloseDays schedule={schedule} today={today} />}
    </div>
  );
}

function Row({
  row,
  schedule,
  mayChange,
}: {
  row: ClosedDays;
  schedule: FarmSchedule;
  mayChange: boolean;
}) {
  const change = useChangeClosedDays();
  const count = daysOf(row).length;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
      <span className="min-w-0">
        <span className="block font-medium">{formatRow(row)}</span>
        {count > 1 && <span className="text-sm text-ink-soft">{plural(count, 'day')}</span>}
      </span>
      {mayChange && (
        <Button
          variant="secondary"
          size="sm"
          pending={change.isPending}
          aria-label={`Open again: ${formatRow(row)}`}
          onClick={() =>
            change.mutate(
              { schedule, row, isClosed: false },
              {
                onSuccess: () => announce(`${formatRow(row)}: open again.`),
                onError: toastError,
              },
            )
          }
        >
          Open again
        </Button>
      )}
    </li>
  );
}

function CloseDays({ schedule, today }: { schedule: FarmSchedule; today: string }) {
  const change = useChangeClosedDays();
  const form = useZodForm(RowInput, { defaultValues: { from: '', to: '' } });
  const max = addDays(today, CLOSED_DAYS_AHEAD_MAX);
  const [lastFrom, setLastFrom] = useState('');
  return (
    <Form
      form={form}
      label="Close days"
      className="grid items-start gap-4 border-t border-hairline pt-4 sm:grid-cols-[1fr_1fr_auto]"
      onSubmit={async ({ from, to }) => {
        const row = { from, to: to === '' ? from : to };
        await change.mutateAsync({ schedule, row, isClosed: true });
        announce(`${formatRow(row)}: closed.`);
        form.reset();
        setLastFrom('');
      }}
    >
      <FormField
        form={form}
        name="from"
        label="From"
        registerOptions={{ onChange: ({ target }) => setLastFrom(target.value) }}
      >
        {(field) => <Input type="date" min={today} max={max} {...field} />}
      </FormField>
      <FormField form={form} name="to" label="To (optional)">
        {(field) => <Input type="date" min={lastFrom || today} max={max} {...field} />}
      </FormField>
      <Button
        type="submit"
        icon={<CalendarX />}
        className="sm:mt-6.5"
        pending={form.formState.isSubmitting}
      >
        Close these days
      </Button>
      <div className="sm:col-span-3">
        <FormError form={form} />
      </div>
    </Form>
  );
}
