import { CalendarOff, Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useWatch } from 'react-hook-form';
import type { FarmEscalation } from '#contract/ordering/attention/attention';
import { ESCALATION_LIMITS as LIMITS, STEP_CHANNELS } from '#contract/ordering/attention/constants';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { SaveButton } from '../../../farm/model/SaveButton.tsx';
import { useFollowedEdit } from '../../../platform/queries/versioned-edit.ts';
import { LeaveGuard } from '../../../platform/ui/dialogs/LeaveGuard.tsx';
import { toast } from '../../../platform/ui/feedback/toast.ts';
import { Checkbox, Options, Select } from '../../../platform/ui/fields/controls.tsx';
import { Input } from '../../../platform/ui/fields/Field.tsx';
import { NumberField } from '../../../platform/ui/form/fields.tsx';
import {
  type AppForm,
  Form,
  FormError,
  FormField,
  useZodForm,
} from '../../../platform/ui/form/form.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { useUpdatePlan } from '../commands.ts';
import {
  backOnLimits,
  nextStep,
  PERSON_PREFIX,
  PlanInput,
  stepsOf,
  TIME_UNITS,
  type TimeUnit,
  toPlan,
  toPlanInput,
} from './plan-form.ts';
import {
  CHANNEL_LABELS,
  describeRest,
  describeStep,
  type Person,
  RECEIVER_LABELS,
} from './plan-words.ts';

type PlanFormOf = AppForm<PlanInput, PlanInput>;

const UNIT_LABELS: Readonly<Record<TimeUnit, Message>> = {
  seconds: msg('seconds'),
  minutes: msg('minutes'),
  hours: msg('hours'),
};

const wholeFrom = (min: number, max: number) => ({ decimals: 0, min, max });

/** How the farm is told of new orders: step by step, until somebody answers. */
export function PlanForm({
  plan,
  mayChange,
  people,
  timeZone,
}: {
  plan: FarmEscalation;
  mayChange: boolean;
  /** Who works for the farm. */
  people: readonly Person[];
  /** The farm's. */
  timeZone: string | undefined;
}) {
  const update = useUpdatePlan();
  const toInput = toPlanInput(timeZone);
  const form = useZodForm(PlanInput, { defaultValues: toInput(plan) });
  const edit = useFollowedEdit(form, plan, toInput);
  const { isDirty, isSubmitting } = form.formState;
  const values = useWatch({ control: form.control }) as PlanInput;
  return (
    <Form
      form={form}
      label={t('How new orders reach you')}
      draftKey="escalation"
      onSubmit={async (input, show) => {
        const saved = await edit.save(
          input,
          async (merged, _, expectedVersion) =>
            (await update.mutateAsync({ ...toPlan(merged, timeZone), expectedVersion })).data,
        );
        show(toInput(saved));
        toast.success(t('Saved. The next order is told like this.'));
      }}
      className="grid grid-cols-1 gap-6"
    >
      <fieldset disabled={!mayChange} className="grid min-w-0 grid-cols-1 gap-6">
        <StepsField form={form} people={people} hasSms={plan.hasSms} values={values} />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <NumberField
            form={form}
            name="rounds"
            limits={wholeFrom(1, LIMITS.rounds)}
            label={t('How many times in all')}
            hint={t('If nobody answers, all steps begin again.')}
            required
          />
          <NumberField
            form={form}
            name="ackMinutes"
            limits={wholeFrom(1, LIMITS.ackMinutes)}
            label={t('"I\'m on it" holds for so many minutes')}
            hint={t('An order that still waits after that rings again.')}
            required
          />
        </div>
        <QuietFields form={form} isQuiet={values.isQuiet} />
        <PauseField form={form} pauses={values.pauses} />
        <FormField
          form={form}
          name="backOn"
          label={t('On holiday: back on')}
          hint={t(
            'Until that day nobody is told of anything outside the app. Leave it empty while you are there. Orders still come in; close those days under Days.',
          )}
        >
          {(field) => (
            <Input type="date" {...field} {...backOnLimits(timeZone)} className="sm:max-w-60" />
          )}
        </FormField>
      </fieldset>
      <Summary values={values} people={people} />
      <FormError form={form} />
      <SaveButton mayChange={mayChange} isSaving={isSubmitting} />
      <LeaveGuard when={isDirty && !isSubmitting} />
    </Form>
  );
}

function StepsField({
  form,
  people,
  hasSms,
  values,
}: {
  form: PlanFormOf;
  people: readonly Person[];
  hasSms: boolean;
  values: PlanInput;
}) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'steps' });
  const error = form.formState.errors.steps;
  const message = error?.message ?? error?.root?.message;
  return (
    <fieldset className="min-w-0">
      <legend className="font-display text-base font-semibold">{t('Steps')}</legend>
      <p className="mt-1 mb-3 max-w-prose text-sm text-ink-soft">
        {t(
          'One after the other, until somebody says "I\'m on it" or answers the order. What somebody has turned off under Notifications does not reach them here either.',
        )}
      </p>
      <ol className="grid grid-cols-1 gap-3">
        {fields.map(({ id }, index) => (
          <li key={id}>
            <StepFields
              form={form}
              index={index}
              people={people}
              hasSms={hasSms || (values.steps[index]?.channels.includes('sms') ?? false)}
              onRemove={fields.length > 1 ? () => remove(index) : undefined}
            />
          </li>
        ))}
      </ol>
      {message && (
        <p role="alert" className="mt-2 text-sm text-tomato">
          {message}
        </p>
      )}
      {fields.length < LIMITS.steps && (
        <Button
          variant="secondary"
          size="sm"
          icon={<Plus />}
          className="mt-3"
          onClick={() => append(nextStep(values))}
        >
          {t('Add a step')}
        </Button>
      )}
    </fieldset>
  );
}

function StepFields({
  form,
  index,
  people,
  hasSms,
  onRemove,
}: {
  form: PlanFormOf;
  index: number;
  people: readonly Person[];
  hasSms: boolean;
  onRemove: (() => void) | undefined;
}) {
  const name = t('Step {number}', { number: index + 1 });
  const channels = STEP_CHANNELS.filter((each) => each !== 'sms' || hasSms);
  const message = form.formState.errors.steps?.[index]?.channels?.message;
  const who = form.getValues(`steps.${index}.who`);
  const isKnown =
    !who.startsWith(PERSON_PREFIX) || people.some(({ _id }) => PERSON_PREFIX + _id === who);
  return (
    <fieldset
      aria-label={name}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-2 rounded border border-hairline p-3 sm:grid-cols-[7rem_9rem_minmax(0,1fr)_auto]"
    >
      <NumberField
        form={form}
        name={`steps.${index}.after`}
        limits={wholeFrom(0, LIMITS.afterSeconds)}
        label={t('delay of a step|After')}
        required
      />
      <FormField
        form={form}
        name={`steps.${index}.unit`}
        label={t('unit of time|Unit')}
        className="max-sm:col-span-2"
      >
        {(field) => (
          <Select {...field}>
            <Options of={TIME_UNITS.map((unit) => [unit, writeMessage(UNIT_LABELS[unit])])} />
          </Select>
        )}
      </FormField>
      <FormField
        form={form}
        name={`steps.${index}.who`}
        label={t('receiver|Who')}
        className="max-sm:col-span-2 max-sm:row-start-2"
      >
        {(field) => (
          <Select {...field}>
            <Options
              of={Object.entries(RECEIVER_LABELS).map(([value, label]) => [
                value,
                writeMessage(label),
              ])}
            />
            <Options of={people.map((person) => [PERSON_PREFIX + person._id, person.name])} />
            {!isKnown && <option value={who}>{t('Somebody who has left')}</option>}
          </Select>
        )}
      </FormField>
      <Button
        variant="danger-quiet"
        size="icon"
        icon={<Trash2 />}
        aria-label={t('Remove step {number}', { number: index + 1 })}
        disabled={onRemove === undefined}
        onClick={onRemove}
        className="mt-7 size-11 max-sm:col-start-3 max-sm:row-start-2"
      />
      <fieldset className="col-span-full min-w-0">
        <legend className="sr-only">{t('How')}</legend>
        <div className="flex flex-wrap gap-x-5">
          {channels.map((channel) => (
            <Checkbox
              key={channel}
              label={writeMessage(CHANNEL_LABELS[channel])}
              value={channel}
              aria-invalid={message ? true : undefined}
              {...form.register(`steps.${index}.channels`)}
            />
          ))}
        </div>
        {message && (
          <p role="alert" className="text-sm text-tomato">
            {message}
          </p>
        )}
      </fieldset>
    </fieldset>
  );
}

function QuietFields({ form, isQuiet }: { form: PlanFormOf; isQuiet: boolean }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <Checkbox
        label={<span className="font-medium">{t('Quiet hours')}</span>}
        hint={t(
          "By the farm's clock. The bell shows orders at once, and you are told when the quiet hours end. Customers read from when you answer. What can't wait that long is told at once.",
        )}
        className="pointer-coarse:items-start"
        {...form.register('isQuiet')}
      />
      {isQuiet && (
        <div className="ms-7.5 grid max-w-84 grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-3">
          <FormField form={form} name="quietFrom" label={t('time|From')} required>
            {(field) => <Input type="time" {...field} />}
          </FormField>
          <FormField form={form} name="quietTo" label={t('time|To')} required>
            {(field) => <Input type="time" {...field} />}
          </FormField>
        </div>
      )}
    </div>
  );
}

function PauseField({ form, pauses }: { form: PlanFormOf; pauses: boolean }) {
  return (
    <div className="grid gap-2">
      <Checkbox
        label={<span className="font-medium">{t('Pause the shop when nobody answers')}</span>}
        hint={t('It then takes no orders until you next open, or until you resume it.')}
        className="pointer-coarse:items-start"
        {...form.register('pauses')}
      />
      {pauses && (
        <NumberField
          form={form}
          name="pauseAfter"
          limits={wholeFrom(1, LIMITS.pauseAfter)}
          label={t('After so many orders in a row')}
          required
          className="ms-7.5 max-w-60"
        />
      )}
    </div>
  );
}

/** The plan in words, as it is typed. */
function Summary({ values, people }: { values: PlanInput; people: readonly Person[] }) {
  const isReadable = values.steps.every(({ after, channels }) => after >= 0 && channels.length > 0);
  return (
    <section
      aria-labelledby="plan-in-words"
      className="rounded border border-hairline bg-sunken px-4 py-3 text-sm"
    >
      <h3 id="plan-in-words" className="mb-1 font-sans text-sm font-semibold">
        {t('In words')}
      </h3>
      <ol className="grid gap-0.5">
        {isReadable &&
          stepsOf(values).map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be the same
            <li key={index}>{describeStep(step, people)}</li>
          ))}
      </ol>
      <p className="mt-1 text-ink-soft">{describeRest(values).join(' ')}</p>
      {values.backOn !== '' && (
        <p className="mt-1 flex items-center gap-1.5 font-medium text-straw-ink">
          <CalendarOff className="size-4 shrink-0" />
          {t('Until you are back, none of this happens.')}
        </p>
      )}
    </section>
  );
}
