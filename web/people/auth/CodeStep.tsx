import { useState } from 'react';
import { ConfirmApp } from '#contract/people/second-factor/second-factor';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';

const kinds = {
  app: { label: 'Code from your app', other: 'Use a recovery code', inputMode: 'numeric' },
  recovery: { label: 'Recovery code', other: 'Use a code from your app', inputMode: 'text' },
} as const;

/** The second step of signing in: a code. The field takes either kind; which is asked for changes the keyboard. */
export function CodeStep({
  onCode,
  onBack,
}: {
  /** Signs in with the code; what it throws is shown in the form. */
  onCode: (code: string) => Promise<unknown>;
  onBack: () => void;
}) {
  const [kind, setKind] = useState<keyof typeof kinds>('app');
  const form = useZodForm(ConfirmApp, { mode: 'onSubmit', defaultValues: { code: '' } });
  const { label, other, inputMode } = kinds[kind];
  return (
    <Form
      form={form}
      label="Enter a code"
      onSubmit={({ code }) => onCode(code)}
      className="grid gap-5"
    >
      <FormError form={form} />
      <FormField form={form} name="code" label={label} required>
        {(field) => (
          <Input
            // Another keyboard on a phone shows only once the field is focused again.
            key={kind}
            {...field}
            autoComplete="one-time-code"
            inputMode={inputMode}
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
          />
        )}
      </FormField>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <button
          type="button"
          onClick={() => {
            setKind(kind === 'app' ? 'recovery' : 'app');
            form.reset({ code: '' });
          }}
          className="link inline-flex min-h-9 items-center text-sm pointer-coarse:min-h-11"
        >
          {other}
        </button>
        <button
          type="button"
          onClick={onBack}
          className="link inline-flex min-h-9 items-center text-sm pointer-coarse:min-h-11"
        >
          Use another account
        </button>
      </div>
      <Button
        type="submit"
        size="lg"
        pending={form.formState.isSubmitting}
        pendingLabel="Signing in..."
      >
        Sign in
      </Button>
    </Form>
  );
}
