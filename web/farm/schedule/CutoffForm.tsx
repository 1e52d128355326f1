import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { type AtCutoff, BOOKABLE_DAYS_MAX } from '#contract/farm/schedule/constants';
import type { FarmSchedule, UpdateFarmSchedule } from '#contract/farm/schedule/schedule';
import { SLOT_DAYS_AHEAD } from '#contract/farm/slots/constants';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { useFollowedEdit } from '../../platform/queries/versioned-edit.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { LeaveGuard } from '../../platform/ui/dialogs/LeaveGuard.tsx';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { Options, RadioCard, Select } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { NumberField } from '../../platform/ui/form/fields.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { SaveButton } from '../model/SaveButton.tsx';
import {
  closingChoices,
  cutoffSentence,
  isCutoff,
  ScheduleInput,
  toChange,
  toScheduleInput,
  useUpdateSchedule,
} from './schedule-form.ts';

const BOOKABLE_DAYS_LIMITS = { decimals: 0, min: 1, max: BOOKABLE_DAYS_MAX };

const OUTCOMES: readonly { value: AtCutoff; label: Message; hint: Message }[] = [
  { value: 'remind', label: msg('Remind me'), hint: msg('They keep waiting for your answer.') },
  { value: 'accept', label: msg('Accept them'), hint: msg('Customers are told at once.') },
  {
    value: 'reject',
    label: msg('Reject them'),
    hint: msg('Customers are told at once, and the goods go back to your shelf.'),
  },
];

/** Orders that saving would answer at once, until somebody has said whether it may. */
type Question = { count: number; atCutoff: AtCutoff; answer: (isYes: boolean) => void };

/** Returns how many waiting orders a change would answer as soon as it is saved; orders are another feature's. */
export type CountAnswered = (before: FarmSchedule, change: UpdateFarmSchedule) => Promise<number>;

export type ScheduleProps = {
  schedule: FarmSchedule;
  mayChange: boolean;
  /** Where the farm is. */
  today: string;
};

/** Until when customers can order for a day, and what becomes of unanswered orders then. */
export function CutoffForm({
  schedule,
  mayChange,
  today,
  countAnswered,
}: ScheduleProps & { countAnswered: CountAnswered }) {
  const update = useUpdateSchedule();
  const form = useZodForm(ScheduleInput, { defaultValues: toScheduleInput(schedule) });
  const edit = useFollowedEdit(form, schedule, toScheduleInput);
  const [question, setQuestion] = useState<Question | null>(null);
  const { isDirty, isSubmitting } = form.formState;
  const values = useWatch({ control: form.control }) as ScheduleInput;

  return (
    <Form
      form={form}
      label={t('When orders close')}
      draftKey="schedule"
      onSubmit={async (input, show) => {
        const count = await countAnswered(schedule, toChange(input));
        const mayAnswer =
          count === 0 ||
          (await new Promise<boolean>((answer) =>
            setQuestion({ count, atCutoff: input.atCutoff, answer }),
          ));
        setQuestion(null);
        if (!mayAnswer) return false;
        const saved = await edit.save(
          input,
          async (merged, _, expectedVersion) =>
            (await update.mutateAsync({ ...toChange(merged), expectedVersion })).data,
        );
        show(toScheduleInput(saved));
        toast.success(t('Saved. Customers see it at once.'));
        return true;
      }}
      className="grid gap-5"
    >
      <fieldset disabled={!mayChange} className="grid min-w-0 gap-5">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <FormField form={form} name="closes" label={t('Orders for a day close')}>
            {(field) => (
              <Select {...field}>
                <Options of={closingChoices()} />
              </Select>
            )}
          </FormField>
          {isCutoff(values.closes) && (
            <FormField form={form} name="time" label={t('time|At')} required>
              {(field) => <Input type="time" {...field} />}
            </FormField>
          )}
        </div>
        <p aria-live="polite" className="text-sm text-ink-soft">
          {cutoffSentence(values, today)}
        </p>
        {isCutoff(values.closes) && (
          <fieldset className="grid min-w-0 gap-2">
            <legend className="mb-1.5 text-sm font-medium">
              {t("Orders that you haven't answered by then")}
            </legend>
            {OUTCOMES.map(({ value, label, hint }) => (
              <RadioCard
                key={value}
                value={value}
                label={writeMessage(label)}
                hint={writeMessage(hint)}
                {...form.register('atCutoff')}
              />
            ))}
          </fieldset>
        )}
        {schedule.bookableDays !== undefined && (
          <NumberField
            form={form}
            name="bookableDays"
            limits={BOOKABLE_DAYS_LIMITS}
            label={t('Days ahead that customers can order')}
            required
            hint={t(
              'From 1 to {max}. Pickup times are made {days, plural, one {# day} other {# days}} ahead, so nobody can order for later ones of your places.',
              { max: BOOKABLE_DAYS_MAX, days: SLOT_DAYS_AHEAD },
            )}
            className="sm:max-w-64"
          />
        )}
      </fieldset>
      <FormError form={form} />
      <SaveButton mayChange={mayChange} isSaving={isSubmitting} />
      {question && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && question.answer(false)}
          title={
            question.atCutoff === 'accept'
              ? t('Accept {count, plural, one {# order} other {# orders}} now?', question)
              : t('Reject {count, plural, one {# order} other {# orders}} now?', question)
          }
          description={t(
            'For the days of {count, plural, one {# waiting order} other {# waiting orders}} this time is over already. Their customers are told at once. To answer them yourself, do so before you save.',
            { count: question.count },
          )}
          confirmLabel={
            question.atCutoff === 'accept' ? t('Save and accept') : t('Save and reject')
          }
          danger={question.atCutoff === 'reject'}
          onConfirm={() => question.answer(true)}
        />
      )}
      <LeaveGuard when={isDirty && !isSubmitting} />
    </Form>
  );
}
