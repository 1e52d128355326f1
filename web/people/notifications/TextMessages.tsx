import { CircleCheck, Smartphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { PHONE_CODE_LENGTH } from '#contract/people/phone/constants';
import { ChangePhone, ConfirmPhone, type Phone } from '#contract/people/phone/phone';
import { t } from '#contract/platform/text/constants/texts';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useChangePhone, useConfirmPhone } from './phone.ts';

/** The number that urgent news is texted to, and how it is verified. */
export function TextMessages({ phone }: { phone: Phone }) {
  const [isChanging, setChanging] = useState(false);
  const step = isChanging ? 'number' : stepOf(phone);
  return (
    <section className="grid gap-3" aria-labelledby="text-messages">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 text-sm">
          <h3 id="text-messages" className="font-medium">
            {t('Text messages')}
          </h3>
          <Told step={step} number={phone.phone} />
        </div>
        {step === 'verified' && (
          <Button variant="secondary" icon={<Smartphone />} onClick={() => setChanging(true)}>
            {t('Change number')}
          </Button>
        )}
      </div>
      {step === 'number' && (
        <NumberForm
          number={phone.phone}
          onSent={() => setChanging(false)}
          onCancel={isChanging ? () => setChanging(false) : undefined}
        />
      )}
      {step === 'code' && <CodeForm number={phone.phone} onChange={() => setChanging(true)} />}
    </section>
  );
}

type Step = 'number' | 'code' | 'verified';

function stepOf({ isVerified, codeEndsAt }: Phone): Step {
  if (isVerified) return 'verified';
  return codeEndsAt === null ? 'number' : 'code';
}

/** Said again when it changes. */
function Told({ step, number }: { step: Step; number: string }) {
  const texts: Record<Step, () => ReactNode> = {
    number: () =>
      t(
        'Urgent news can reach you by SMS. Enter your number, and we text you a code to verify it.',
      ),
    code: () => t('We texted a code to {number}. Enter it below.', { number }),
    verified: () => (
      <>
        <CircleCheck className="me-1.5 inline size-[1.1em] align-[-0.15em] text-leaf" aria-hidden />
        <span>{t('{number} is verified. Choose above what we text you.', { number })}</span>
      </>
    ),
  };
  return (
    <p role="status" className="text-ink-soft">
      {texts[step]()}
    </p>
  );
}

function NumberForm({
  number,
  onSent,
  onCancel,
}: {
  number: string;
  onSent: () => void;
  /** Absent where there is no number to stay with. */
  onCancel: (() => void) | undefined;
}) {
  const form = useZodForm(ChangePhone, { mode: 'onSubmit', defaultValues: { phone: number } });
  const change = useChangePhone();
  return (
    <Form
      form={form}
      label={t('Text messages')}
      className="grid gap-3"
      onSubmit={async (values) => {
        await change.mutateAsync(values);
        onSent();
      }}
    >
      <FormError form={form} />
      <FormField form={form} name="phone" label={t('Phone number')} required className="max-w-xs">
        {(field) => <Input {...field} type="tel" autoComplete="tel" dir="ltr" />}
      </FormField>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={form.formState.isSubmitting} pendingLabel={t('Sending...')}>
          {t('Send code')}
        </Button>
        {onCancel && (
          <Button variant="secondary" onClick={onCancel}>
            {t('Cancel')}
          </Button>
        )}
      </div>
    </Form>
  );
}

function CodeForm({ number, onChange }: { number: string; onChange: () => void }) {
  // Not on blur: what it says would move the buttons below from under a finger.
  const form = useZodForm(ConfirmPhone, { mode: 'onSubmit', defaultValues: { code: '' } });
  const confirm = useConfirmPhone();
  const again = useZodForm(ChangePhone, { defaultValues: { phone: number } });
  const change = useChangePhone();
  return (
    <>
      <Form
        form={form}
        label={t('Verify your number')}
        className="grid gap-3"
        onSubmit={(values) => confirm.mutateAsync(values)}
      >
        <FormError form={form} />
        <FormField form={form} name="code" label={t('Code')} required className="max-w-xs">
          {(field) => (
            <Input
              {...field}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={PHONE_CODE_LENGTH * 2}
              dir="ltr"
              spellCheck={false}
            />
          )}
        </FormField>
        <div>
          <Button
            type="submit"
            pending={form.formState.isSubmitting}
            pendingLabel={t('Checking...')}
          >
            {t('Verify')}
          </Button>
        </div>
      </Form>
      <Form
        form={again}
        label={t('Send another code')}
        className="grid gap-3"
        // To the present number: it may have changed elsewhere since this was shown.
        onSubmit={() => change.mutateAsync({ phone: number })}
      >
        <FormError form={again} />
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" type="submit" pending={again.formState.isSubmitting}>
            {t('Send another code')}
          </Button>
          <Button variant="secondary" onClick={onChange}>
            {t('Change number')}
          </Button>
        </div>
      </Form>
    </>
  );
}
