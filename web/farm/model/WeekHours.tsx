import { Copy, Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type FieldValues, useFieldArray, useWatch } from 'react-hook-form';
import { type Weekday, weekdays } from '#contract/farm/farmers/constants';
import { t } from '#contract/platform/text/constants/texts';
import { cn } from '../../platform/ui/cn.ts';
import { Menu, MenuItem, MenuSeparator } from '../../platform/ui/dialogs/Menu.tsx';
import { announce } from '../../platform/ui/feedback/announce.ts';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { Checkbox } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { EndTimeField } from '../../platform/ui/form/fields.tsx';
import { type AppForm, FormField } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { weekdayName } from './handoff.ts';
import { furtherHours, hoursToOpen, type Span, type Week } from './week-hours.ts';

type WeekForm = AppForm<{ hours: Week }, unknown>;
type Midnight = '00:00' | '24:00';
/** The path of hours in a form. */
export type SpanPath = `hours.${Weekday}.${number}`;

/** What stands beside the times of hours, such as the length of their slots. */
type Details<Hours extends Span> = (path: SpanPath, hours: Hours) => ReactNode;

/**
 * The hours of a week, in a form whose field `hours` is a {@link Week}. A day is opened and closed by its checkbox,
 * may have several hours, and its hours can be copied to other days.
 */
export function WeekHours<Hours extends Span, Values extends FieldValues, Output>({
  form,
  first,
  spansMax,
  midnight,
  details,
  hint,
}: {
  form: AppForm<Values, Output>;
  /** What the first day that is opened begins with. */
  first: Hours;
  /** Most hours of one day. */
  spansMax: number;
  /** How the form says that hours end with their day. */
  midnight: Midnight;
  details?: Details<Hours>;
  /** Says of hours what they make. */
  hint?: (hours: Hours) => string | undefined;
}) {
  const weekForm = form as unknown as WeekForm;
  const week = useWatch({ control: weekForm.control, name: 'hours' });
  const set = (weekday: Weekday, hours: Span[]) =>
    weekForm.setValue(`hours.${weekday}`, structuredClone(hours), {
      shouldDirty: true,
      shouldValidate: weekForm.formState.isSubmitted,
    });
  const copy = (from: Weekday, to: readonly Weekday[]) => {
    for (const day of to) set(day, week[from]);
    announce(
      t('{count, plural, one {Copied to # day.} other {Copied to # days.}}', { count: to.length }),
    );
  };
  return (
    <ul className="grid divide-y divide-hairline border-y border-hairline">
      {weekdays().map((weekday) => (
        <Day
          key={weekday}
          form={weekForm}
          weekday={weekday}
          week={week}
          opened={() => hoursToOpen(week, weekday, first)}
          spansMax={spansMax}
          midnight={midnight}
          details={details as Details<Span> | undefined}
          hint={hint as ((hours: Span) => string | undefined) | undefined}
          onSet={(hours) => set(weekday, hours)}
          onCopy={(to) => copy(weekday, to)}
        />
      ))}
    </ul>
  );
}

function Day({
  form,
  weekday,
  week,
  opened,
  spansMax,
  midnight,
  details,
  hint,
  onSet,
  onCopy,
}: {
  form: WeekForm;
  weekday: Weekday;
  week: Week;
  /** Returns the hours with which the day opens. */
  opened: () => Span[];
  spansMax: number;
  midnight: Midnight;
  details: Details<Span> | undefined;
  hint: ((hours: Span) => string | undefined) | undefined;
  onSet: (hours: Span[]) => void;
  onCopy: (to: readonly Weekday[]) => void;
}) {
  const { fields, append, remove } = useFieldArray({
    control: form.control,
    name: `hours.${weekday}`,
  });
  // A day that was closed by mistake opens as it was.
  const [closed, setClosed] = useState<Span[]>([]);
  const spans = week[weekday];
  const last = spans.at(-1);
  const name = weekdayName(weekday);
  const error = form.formState.errors.hours?.[weekday];
  const toggle = () => {
    if (spans.length > 0) setClosed(spans);
    onSet(spans.length > 0 ? [] : closed.length > 0 ? closed : opened());
  };
  const actions = last && (
    <DayActions
      {...{ name, weekday, week, onCopy }}
      className={cn(!details && 'max-sm:col-span-2 sm:order-last')}
    >
      {fields.length < spansMax && <Further name={name} onAdd={() => append(furtherHours(last))} />}
    </DayActions>
  );
  return (
    <li
      className={cn(
        'grid grid-cols-[1fr_auto] items-start gap-x-4 gap-y-2 py-2',
        !details && 'sm:grid-cols-[9rem_1fr_auto]',
      )}
    >
      <Checkbox
        label={<span className="font-medium">{name}</span>}
        name={`hours.${weekday}`}
        checked={spans.length > 0}
        onChange={toggle}
        className="min-h-10 items-center justify-self-start"
      />
      {spans.length === 0 && (
        <span className="self-center text-sm text-ink-soft">{t('Closed')}</span>
      )}
      {details && actions}
      {last && (
        <div className={cn('grid min-w-0 gap-2 max-sm:col-span-2', details && 'col-span-2')}>
          {fields.map(({ id }, index) => {
            const span = spans[index];
            return (
              span && (
                <SpanFields
                  key={id}
                  form={form}
                  path={`hours.${weekday}.${index}`}
                  name={
                    index > 0
                      ? t('{weekday}, range {number}', { weekday: name, number: index + 1 })
                      : name
                  }
                  midnight={midnight}
                  says={hint?.(span)}
                  onRemove={fields.length > 1 ? () => remove(index) : undefined}
                >
                  {details?.(`hours.${weekday}.${index}`, span)}
                </SpanFields>
              )
            );
          })}
        </div>
      )}
      {!details && actions}
      {(error?.message ?? error?.root?.message) && (
        <Alert kind="error" className="col-span-full">
          {error?.message ?? error?.root?.message}
        </Alert>
      )}
    </li>
  );
}

const Further = ({ name, onAdd }: { name: string; onAdd: () => void }) => (
  <Button
    variant="quiet"
    size="sm"
    icon={<Plus />}
    aria-label={t('Add hours on {weekday}', { weekday: name })}
    onClick={onAdd}
  >
    {t('Add hours')}
  </Button>
);

/** What can be done with the hours of an open day. */
function DayActions({
  name,
  weekday,
  week,
  onCopy,
  className,
  children,
}: {
  name: string;
  weekday: Weekday;
  week: Week;
  onCopy: (to: readonly Weekday[]) => void;
  className: string;
  children: ReactNode;
}) {
  const others = weekdays().filter((day) => day !== weekday);
  const open = others.filter((day) => week[day].length > 0);
  const label = t('Copy the hours of {weekday}', { weekday: name });
  return (
    <div className={cn('flex flex-wrap justify-end gap-1', className)}>
      {children}
      <Menu
        label={label}
        trigger={
          <Button variant="quiet" size="sm" icon={<Copy />} aria-label={label}>
            {t('Copy')}
          </Button>
        }
      >
        <MenuItem onSelect={() => onCopy(others)}>{t('To every day')}</MenuItem>
        {open.length > 0 && (
          <MenuItem onSelect={() => onCopy(open)}>{t('To all open days')}</MenuItem>
        )}
        <MenuSeparator />
        {others.map((day) => (
          <MenuItem key={day} onSelect={() => onCopy([day])}>
            {weekdayName(day)}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}

function SpanFields({
  form,
  path,
  name,
  midnight,
  says,
  onRemove,
  children,
}: {
  form: WeekForm;
  path: SpanPath;
  name: string;
  midnight: Midnight;
  says: string | undefined;
  onRemove: (() => void) | undefined;
  children: ReactNode;
}) {
  const label = t('Remove {name}', { name });
  return (
    <fieldset className={cn('grid min-w-0 gap-2', children && 'rounded bg-sunken p-3')}>
      <legend className="sr-only">{name}</legend>
      <div
        className={cn(
          'grid grid-cols-2 items-start gap-3',
          children ? 'sm:grid-cols-[1fr_1fr_1fr_1fr_auto]' : 'sm:max-w-80',
        )}
      >
        <div className="grid min-w-0 gap-1.5">
          <FormField
            form={form}
            name={`${path}.from`}
            label={t('time|From')}
            required
            hideLabel={!children}
          >
            {(field) => <Input type="time" className="max-sm:px-2" {...field} />}
          </FormField>
          {onRemove && !children && (
            <Button
              variant="danger-quiet"
              size="sm"
              icon={<X />}
              aria-label={label}
              onClick={onRemove}
              className="justify-self-start"
            >
              {t('Remove')}
            </Button>
          )}
        </div>
        <EndTimeField
          form={form}
          name={`${path}.to`}
          label={t('time|To')}
          required
          hideLabel={!children}
          midnight={midnight}
          inputClass="max-sm:px-2"
        />
        {children}
        {onRemove && children && (
          <Button
            variant="danger-quiet"
            size="icon"
            icon={<X />}
            aria-label={label}
            onClick={onRemove}
            className="col-span-2 justify-self-end sm:col-span-1 sm:mt-7"
          />
        )}
      </div>
      {says && <p className="text-xs text-ink-soft">{says}</p>}
    </fieldset>
  );
}
