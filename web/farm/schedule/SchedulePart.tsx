import { useQuery } from '@tanstack/react-query';
import { CalendarX } from 'lucide-react';
import { useState } from 'react';
import { CLOSED_DAYS_AHEAD_MAX } from '#contract/farm/schedule/constants';
import type { User } from '#contract/people/users/users';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { useNow } from '../../platform/hooks/use-now.ts';
import { mayForFarm } from '../../platform/session/session.ts';
import { announce } from '../../platform/ui/feedback/announce.ts';
import { Fetched, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { type CountAnswered, CutoffForm, type ScheduleProps } from './CutoffForm.tsx';
import { ownScheduleQuery } from './queries.ts';
import {
  type ClosedDays,
  daysOf,
  formatRow,
  rowsOf,
  useChangeClosedDays,
} from './schedule-form.ts';

/** Until when customers can order for a day, what becomes of unanswered orders then, and closed days. */
export function SchedulePart({
  me,
  timeZone,
  countAnswered,
}: {
  me: User;
  countAnswered: CountAnswered;
  /** The farm's; undefined until it is known. */
  timeZone: string | undefined;
}) {
  const query = useQuery(ownScheduleQuery());
  const mayChange = mayForFarm(me, 'changeFarm');
  const today = dayIn(timeZone, useNow());
  return (
    <div className="grid max-w-3xl gap-6">
      <Card as="section" aria-labelledby="cutoff">
        <CardHeader id="cutoff" title={t('When orders close')} />
        <Fetched query={query} skeleton={<SkeletonRows rows={2} />}>
          {(schedule) => <CutoffForm {...{ schedule, mayChange, today, countAnswered }} />}
        </Fetched>
      </Card>
      <Card as="section" aria-labelledby="closed-days">
        <CardHeader id="closed-days" title={t('Closed days')} />
        <p className="mb-4 max-w-prose text-sm text-ink-soft">
          {t(
            'Nobody can order for these days. Orders that you have for them already stay as they are.',
          )}
        </p>
        <Fetched query={query} skeleton={<SkeletonRows rows={2} />}>
          {(schedule) => <ClosedDaysList {...{ schedule, mayChange, today }} />}
        </Fetched>
      </Card>
    </div>
  );
}

const RowInput = z
  .object({
    from: z.iso.date({ error: () => t('Choose a day.') }),
    to: z.union([z.literal(''), z.iso.date()]),
  })
  .refine(({ from, to }) => to === '' || to >= from, {
    path: ['to'],
    error: () => t("The last day can't be before the first."),
  })
  .refine(({ from, to }) => to === '' || to <= addDays(from, CLOSED_DAYS_AHEAD_MAX), {
    path: ['to'],
    error: () => t('Choose a day within the next two years.'),
  });

/** The days on which the farm is closed, in rows; each row is closed and opened in one action. */
export function ClosedDaysList({ schedule, mayChange, today }: ScheduleProps) {
  const rows = rowsOf(schedule.exceptions);
  return (
    <div className="grid gap-5">
      {rows.length > 0 ? (
        <ul className="grid divide-y divide-hairline" aria-label={t('Closed days')}>
          {rows.map((row) => (
            <Row key={row.from} row={row} schedule={schedule} mayChange={mayChange} />
          ))}
        </ul>
      ) : (
        <p className="text-sm text-ink-soft">{t('No closed days ahead.')}</p>
      )}
      {mayChange && <CloseDays schedule={schedule} today={today} />}
    </div>
  );
}

type RowProps = Omit<ScheduleProps, 'today'> & { row: ClosedDays };

function Row({ row, schedule, mayChange }: RowProps) {
  const change = useChangeClosedDays();
  const count = daysOf(row).length;
  const name = formatRow(row);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
      <span className="min-w-0">
        <span className="block font-medium">{name}</span>
        {count > 1 && (
          <span className="text-sm text-ink-soft">
            {t('{count, plural, one {# day} other {# days}}', { count })}
          </span>
        )}
      </span>
      {mayChange && (
        <Button
          variant="secondary"
          size="sm"
          pending={change.isPending}
          aria-label={t('Open again: {days}', { days: name })}
          onClick={() =>
            change.mutate(
              { schedule, row, isClosed: false },
              {
                onSuccess: () => announce(t('{days}: open again.', { days: name })),
                onError: toastError,
              },
            )
          }
        >
          {t('Open again')}
        </Button>
      )}
    </li>
  );
}

function CloseDays({ schedule, today }: Omit<ScheduleProps, 'mayChange'>) {
  const change = useChangeClosedDays();
  const form = useZodForm(RowInput, { defaultValues: { from: '', to: '' } });
  const max = addDays(today, CLOSED_DAYS_AHEAD_MAX);
  const [lastFrom, setLastFrom] = useState('');
  return (
    <Form
      form={form}
      label={t('Close days')}
      draftKey="closed-days"
      className="grid items-start gap-4 border-t border-hairline pt-4 sm:grid-cols-[1fr_1fr_auto]"
      onSubmit={async ({ from, to }) => {
        const row = { from, to: to === '' ? from : to };
        await change.mutateAsync({ schedule, row, isClosed: true });
        announce(t('{days}: closed.', { days: formatRow(row) }));
        form.reset();
        setLastFrom('');
      }}
    >
      <FormField
        form={form}
        name="from"
        label={t('time|From')}
        registerOptions={{ onChange: ({ target }) => setLastFrom(target.value) }}
      >
        {(field) => <Input type="date" min={today} max={max} {...field} />}
      </FormField>
      <FormField form={form} name="to" label={t('To (optional)')}>
        {(field) => <Input type="date" min={lastFrom || today} max={max} {...field} />}
      </FormField>
      <Button
        type="submit"
        icon={<CalendarX />}
        className="sm:mt-6.5"
        pending={form.formState.isSubmitting}
      >
        {t('Close these days')}
      </Button>
      <div className="sm:col-span-3">
        <FormError form={form} />
      </div>
    </Form>
  );
}
