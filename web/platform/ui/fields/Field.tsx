import { CircleAlert } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { cn } from '../cn.ts';

/** The attributes that connect a control to its `Field`. */
type FieldAttributes = {
  id?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
  'aria-required'?: true | undefined;
};

/** Returns the id of the label of the control with this id. */
export const labelIdOf = (id: string): string => `${id}-label`;

const FieldContext = createContext<FieldAttributes>({});

/** Returns the attributes that connect a control to its `Field`; none outside of one. */
export const useFieldAttributes = (): FieldAttributes => useContext(FieldContext);

export type FieldProps = {
  label: ReactNode;
  /** A hint about the expected value. */
  hint?: ReactNode;
  /** The validation error, if any. */
  error?: string | undefined;
  /** Marks the field as required. Other fields are not marked as optional. */
  required?: boolean | undefined;
  /** Shows the label to screen readers only. */
  hideLabel?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/** A control with its label, hint and error, connected by ARIA attributes. */
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
  const attributes: FieldAttributes = {
    id,
    'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-required': required || undefined,
  };
  return (
    <div className={cn('grid min-w-0 content-start gap-1.5', className)}>
      <label
        id={labelIdOf(id)}
        htmlFor={id}
        className={cn('text-sm font-medium text-ink', hideLabel && 'sr-only')}
      >
        {label}
        {required && (
          <span aria-hidden="true" className="text-tomato">
            {' '}
            *
          </span>
        )}
      </label>
      <FieldContext value={attributes}>{children}</FieldContext>
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
