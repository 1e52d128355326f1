import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field, Input } from '../../platform/ui/fields/Field.tsx';
import type { SecondFactorStep } from './second-factor-step.ts';

/** Asks for the second factor below the password, of an account that has one: a code, or a passkey in its place. */
export function SecondFactorField({
  step: { isAsked, hasPasskey, isByPasskey, setByPasskey },
  field,
  error,
}: {
  step: SecondFactorStep;
  /** Of the form's `code`. */
  field: UseFormRegisterReturn;
  error: string | undefined;
}) {
  if (!isAsked) return null;
  return (
    <div className="grid gap-1">
      {isByPasskey ? (
        <p className="text-sm text-ink-soft">Your device asks you to unlock your passkey next.</p>
      ) : (
        <Field
          label="Code from your app"
          hint="A recovery code will do too."
          error={error}
          required
        >
          <Input
            {...field}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
          />
        </Field>
      )}
      {hasPasskey && (
        <div>
          <button
            type="button"
            onClick={() => setByPasskey(!isByPasskey)}
            className="link inline-flex min-h-9 items-center text-sm pointer-coarse:min-h-11"
          >
            {isByPasskey ? 'Enter a code instead' : 'Use a passkey instead'}
          </button>
        </div>
      )}
    </div>
  );
}
