import { CalendarDays, Check, ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { cn } from '../cn.ts';
import { controlClass, readOnlyClass, useFieldAttributes } from './Field.tsx';

/** A native select. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block min-w-0">
      <select
        {...useFieldAttributes()}
        {...rest}
        className={cn(controlClass, 'cursor-pointer appearance-none pe-9', className)}
      >
        {children}
      </select>
      <ChevronDown className="pointer-events-none absolute inset-e-3 top-1/2 size-4 -translate-y-1/2 text-ink-soft" />
    </span>
  );
}

/** A multi-line text input that grows with its text in browsers with `field-sizing`. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldAttributes()}
      rows={rows}
      {...rest}
      className={cn(
        controlClass,
        readOnlyClass,
        'max-h-96 min-h-24 resize-y field-sizing-content',
        className,
      )}
    />
  );
}

/** A choice of several, of which one is chosen, with what it means. */
export function RadioCard({
  label,
  hint,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { label: string; hint?: string | undefined }) {
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 rounded border border-outline px-3 py-2 has-checked:border-leaf has-checked:bg-leaf-soft has-checked:text-leaf-ink has-disabled:cursor-not-allowed has-focus-visible:outline-2 has-focus-visible:outline-leaf">
      <input {...rest} type="radio" className="mt-1 accent-leaf" />
      <span>
        <span className="block font-medium">{label}</span>
        {hint && <span className="block text-sm">{hint}</span>}
      </span>
    </label>
  );
}

/** A checkbox with a clickable label. */
export function Checkbox({
  label,
  hint,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode }) {
  return (
    <label
      className={cn(
        'inline-flex cursor-pointer items-start gap-2.5 py-1.5 text-sm text-ink',
        'has-disabled:cursor-not-allowed has-disabled:text-ink-faint pointer-coarse:min-h-11',
        'pointer-coarse:items-center',
        className,
      )}
    >
      <span className="relative mt-px inline-grid size-5 shrink-0 place-items-center">
        <input
          {...rest}
          type="checkbox"
          className={cn(
            'peer size-5 cursor-pointer appearance-none rounded-xs border border-outline bg-surface',
            'checked:border-leaf checked:bg-leaf disabled:cursor-not-allowed disabled:bg-sunken',
          )}
        />
        <Check
          strokeWidth={3}
          className="pointer-events-none absolute size-3.5 text-on-leaf opacity-0 peer-checked:opacity-100"
        />
      </span>
      <span>
        {label}
        {hint && <span className="block text-ink-soft">{hint}</span>}
      </span>
    </label>
  );
}

/** A button that opens the browser's own picker of days, without the width of its field. */
export function AnyDay({
  value,
  onChange,
}: {
  /** `YYYY-MM-DD`, or empty for none. */
  value: string;
  onChange: (day: string) => void;
}) {
  return (
    <span className="relative grid size-10 shrink-0 place-items-center rounded border border-outline bg-surface text-leaf hover:bg-leaf-soft has-focus-visible:outline-2 has-focus-visible:outline-leaf pointer-coarse:size-11">
      <CalendarDays className="size-5" />
      <input
        type="date"
        aria-label={t('Another day')}
        value={value}
        onChange={(event) => event.target.value && onChange(event.target.value)}
        onClick={(event) => event.currentTarget.showPicker?.()}
        data-quiet-focus=""
        className="absolute -inset-px cursor-pointer opacity-0"
      />
    </span>
  );
}

/** A titled group of fields. */
export function FieldGroup({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children: ReactNode;
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="font-display text-lg font-semibold">{title}</legend>
      {text && <p className="mt-1 text-sm text-ink-soft">{text}</p>}
      <div className="mt-4 grid gap-5 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

/** What can be chosen in a select: a value of each, and how it is shown. */
export const Options = ({ of }: { of: readonly (readonly [string | number, string])[] }) =>
  of.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
