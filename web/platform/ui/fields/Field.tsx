import { CircleAlert } from 'lucide-react';
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react';
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
          <CircleAlert className="mt-[0.2em] size-[1em] shrink-0" />
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

/** The classes shared by all form controls. Phones zoom into controls with text below 16 px. */
export const controlClass = cn(
  'w-full min-w-0 min-h-10 rounded border border-outline bg-surface px-3 py-2 text-base text-ink',
  'transition-colors hover:border-ink-soft',
  'focus-visible:outline-2 focus-visible:outline-leaf focus-visible:outline-offset-1',
  'aria-invalid:border-tomato aria-invalid:bg-tomato-soft/40',
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-faint',
  'pointer-coarse:min-h-11 sm:text-sm pointer-coarse:text-base',
);

/** The classes of read-only controls. Not for a `<select>`, which always matches `:read-only`. */
export const readOnlyClass = 'read-only:bg-sunken read-only:text-ink-soft';

/** A single-line text input, labelled by its `Field`. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      {...useFieldAttributes()}
      {...rest}
      className={cn(controlClass, readOnlyClass, className)}
    />
  );
}

/** An input for an email address, which no keyboard capitalizes or corrects. */
export function EmailInput(props: ComponentProps<'input'>) {
  return <Input {...props} type="email" autoCapitalize="none" spellCheck={false} />;
}
