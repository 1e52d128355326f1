import { CircleAlert } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { cn } from './cn.ts';

type Wiring = { id: string; describedBy: string | undefined; invalid: boolean; required: boolean };

const FieldContext = createContext<Wiring | null>(null);

/** The attributes that tie a control to the `Field` around it; empty outside of one. */
export function useFieldWiring(): {
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
  'aria-required'?: true;
} {
  const field = useContext(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    ...(field.describedBy ? { 'aria-describedby': field.describedBy } : {}),
    ...(field.invalid ? { 'aria-invalid': true as const } : {}),
    ...(field.required ? { 'aria-required': true as const } : {}),
  };
}

export type FieldProps = {
  label: ReactNode;
  /** What to write here, before one goes wrong. */
  hint?: ReactNode;
  /** What is wrong and how to mend it; nothing when all is well. */
  error?: string | undefined;
  /** Marks the field as one that must be filled. Those without it read '(optional)' nowhere. */
  required?: boolean | undefined;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/** A label, a control and its words, tied together for every kind of reader. */
export function Field({
  label,
  hint,
  error,
  required = false,
  hideLabel = false,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  const describedBy = [errorId, hintId].filter(Boolean).join(' ') || undefined;
  return (
    <div className={cn('grid min-w-0 content-start gap-1.5', className)}>
      <label htmlFor={id} className={cn('text-sm font-medium text-ink', hideLabel && 'sr-only')}>
        {label}
        {required && (
          <span aria-hidden="true" className="text-tomato">
            {' '}
            *
          </span>
        )}
      </label>
      <FieldContext value={{ id, describedBy, invalid: Boolean(error), required }}>
        {children}
      </FieldContext>
      {error && (
        <p id={errorId} className="flex items-start gap-1.5 text-sm text-tomato" role="alert">
          <CircleAlert aria-hidden="true" className="mt-[0.2em] size-[1em] shrink-0" />
          <span>{error}</span>
        </p>
      )}
      {hint && (
        <p id={hintId} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
    </div>
  );
}
