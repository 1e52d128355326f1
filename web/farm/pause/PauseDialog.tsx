import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { PAUSE_DAYS_MAX, PAUSE_NOTE_MAX, pauseApi } from '#contract/farm/pause/constants';
import { type FarmPause, PauseFarm } from '#contract/farm/pause/pause';
import { z } from '#contract/platform/http/zod';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { addDays, clockMs, dayIn, wallClockIn } from '#contract/platform/time/constants';
import { call } from '../../platform/api/api.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { Dialog, FormButtons } from '../../platform/ui/dialogs/Dialog.tsx';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { RadioCard, Textarea } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { farmClockNote } from '../model/farm-clock.ts';
import { ownPauseQuery } from './queries.ts';

const HOUR_MS = 3_600_000;

const CHOICES = ['opening', 'hour', 'today', 'moment'] as const;
const LABELS: Record<(typeof CHOICES)[number], { label: Message; hint?: Message }> = {
  opening: {
    label: msg('Until we open next'),
    hint: msg('By your hours, or for 24 hours if you list none.'),
  },
  hour: { label: msg('For an hour') },
  today: { label: msg('Until the end of today') },
  moment: { label: msg('Until a day and time') },
};

const PauseInput = z
  .object({
    choice: z.enum(CHOICES),
    date: z.string(),
    time: z.string(),
    note: PauseFarm.shape.note,
  })
  .refine(({ choice, date }) => choice !== 'moment' || date !== '', {
    path: ['date'],
    error: () => t('Choose a day.'),
  })
  .refine(({ choice, time }) => choice !== 'moment' || time !== '', {
    path: ['time'],
    error: () => t('Choose a time.'),
  });
type PauseInput = z.infer<typeof PauseInput>;

/** Returns what a form asks for at a farm of this time zone. */
function toPause(
  { choice, date, time, note }: PauseInput,
  timeZone: string | undefined,
): PauseFarm {
  switch (choice) {
    case 'opening':
      return { note };
    case 'hour':
      return { until: new Date(clockMs() + HOUR_MS).toISOString(), note };
    case 'today':
      return { until: { date: addDays(dayIn(timeZone), 1) }, note };
    case 'moment':
      return { until: { date, time }, note };
  }
}

/**
 * Asks until when the farm takes no orders, and what it says to its customers meanwhile. Of a farm that is paused it
 * keeps the end until another one is chosen.
 */
export default function PauseDialog({
  pause: present,
  onClose,
}: {
  /** Undefined while the farm takes orders. */
  pause: FarmPause | undefined;
  onClose: () => void;
}) {
  const { timeZone } = useQuery(ownPauseQuery()).data ?? {};
  const today = dayIn(timeZone);
  const pause = useCommand((body: PauseFarm) => call(pauseApi.pause, { body }), {
    refetches: ownPauseQuery().queryKey,
    onError: shownByForm,
  });
  const form = useZodForm(PauseInput, {
    defaultValues: present?.pausedUntil
      ? {
          choice: 'moment',
          ...wallClockIn(timeZone, Date.parse(present.pausedUntil)),
          note: present.pauseNote ?? '',
        }
      : { choice: 'opening', date: today, time: '', note: '' },
  });
  const choice = useWatch({ control: form.control, name: 'choice' });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !pause.isPending && onClose()}
      title={t('Pause orders')}
      description={t(
        'Customers cannot order or add to orders meanwhile. The orders you have go on.',
      )}
    >
      <Form
        form={form}
        label={t('Pause orders')}
        onSubmit={async (input) => {
          await pause.mutateAsync(toPause(input, timeZone));
          toast.success(t('Paused. Customers see it at once.'));
          onClose();
        }}
        className="grid gap-4"
      >
        <fieldset className="grid min-w-0 gap-2">
          <legend className="mb-1.5 text-sm font-medium">{t('How long?')}</legend>
          {CHOICES.map((value) => (
            <RadioCard
              key={value}
              value={value}
              label={writeMessage(LABELS[value].label)}
              hint={LABELS[value].hint && writeMessage(LABELS[value].hint)}
              {...form.register('choice')}
            />
          ))}
        </fieldset>
        {choice === 'moment' && (
          <div className="grid gap-4 sm:grid-cols-2">
            <FormField form={form} name="date" label={t('Day')} required>
              {(field) => (
                <Input type="date" min={today} max={addDays(today, PAUSE_DAYS_MAX)} {...field} />
              )}
            </FormField>
            <FormField
              form={form}
              name="time"
              label={t('Time')}
              hint={farmClockNote(timeZone)}
              required
            >
              {(field) => <Input type="time" {...field} />}
            </FormField>
          </div>
        )}
        <FormField
          form={form}
          name="note"
          label={t('Note to customers (optional)')}
          hint={t('Shown with your farm and its products.')}
        >
          {(field) => <Textarea {...field} rows={2} maxLength={PAUSE_NOTE_MAX} />}
        </FormField>
        <FormError form={form} />
        <FormButtons label={t('Pause orders')} pending={pause.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
