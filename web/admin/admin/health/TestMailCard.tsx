import { healthApi, type TestMailOutcome } from '#contract/admin/health/constants';
import { SendTestMail, type TestMail } from '#contract/admin/health/health';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { call } from '../../../platform/api/api.ts';
import { shownByForm, useCommand } from '../../../platform/queries/use-command.ts';
import { useAuth } from '../../../platform/session/session.ts';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { EmailInput } from '../../../platform/ui/fields/Field.tsx';
import { Form, FormError, FormField, useZodForm } from '../../../platform/ui/form/form.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../../platform/ui/primitives/sections.tsx';
import { Fact } from '../../model/cells.tsx';
import { formatDecimal } from './HealthParts.tsx';

/** What became of a test mail, and what to do about it. */
const OUTCOMES: Record<TestMailOutcome, { isGood: boolean; text: Message }> = {
  taken: {
    isGood: true,
    text: msg('The mail server took it. See that it arrives, and not among spam.'),
  },
  refused: {
    isGood: false,
    text: msg(
      'The mail server refuses it. Most often it may not send for the address in MAIL_FROM.',
    ),
  },
  addressRefused: {
    isGood: false,
    text: msg('The mail server takes mails, but refuses this address: there is no such mailbox.'),
  },
  retry: {
    isGood: false,
    text: msg(
      'It was not taken. A mail of the market would be tried again for a day. See SMTP_URL.',
    ),
  },
  unknown: {
    isGood: false,
    text: msg(
      'The mail server had all of it and broke off without an answer. It may still arrive.',
    ),
  },
  waiting: {
    isGood: false,
    text: msg(
      'The mail server has not answered for 20 seconds. Worker processes wait for minutes, so mails go out, slowly.',
    ),
  },
  file: {
    isGood: false,
    text: msg('There is no mail server: worker processes write mails to files.'),
  },
};

/** Sends a mail at once and shows what the mail server answered. */
export function TestMailCard() {
  const { user } = useAuth();
  const send = useCommand((body: SendTestMail) => call(healthApi.sendTestMail, { body }), {
    onError: shownByForm,
  });
  const form = useZodForm(SendTestMail, { defaultValues: { to: user?.email ?? '' } });
  const { isSubmitting } = form.formState;
  return (
    <Card as="section" aria-labelledby="test-mail">
      <CardHeader id="test-mail" title={t('Test mail')} />
      <Form
        form={form}
        label={t('Test mail')}
        onSubmit={(values) => send.mutateAsync(values)}
        className="grid gap-3"
      >
        <FormError form={form} />
        <div className="flex flex-wrap items-end gap-3">
          <FormField
            form={form}
            name="to"
            label={t('mail|To')}
            className="min-w-0 flex-[0_1_24rem]"
          >
            {(field) => <EmailInput {...field} autoComplete="off" />}
          </FormField>
          <Button
            type="submit"
            variant="secondary"
            pending={isSubmitting}
            pendingLabel={t('Waiting for the mail server...')}
          >
            {t('Send a test mail')}
          </Button>
        </div>
      </Form>
      {send.data && !isSubmitting && <Result test={send.data.data} />}
    </Card>
  );
}

function Result({ test }: { test: TestMail }) {
  const { isGood, text } = OUTCOMES[test.outcome];
  return (
    <div className="mt-4 grid gap-3">
      <Alert kind={isGood ? 'success' : 'warning'}>
        <p className="font-medium">{writeMessage(text)}</p>
        {test.reason !== '' && <p className="mt-0.5 wrap-anywhere">{test.reason}</p>}
      </Alert>
      {test.server !== '' && (
        <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
          <Fact name={t('Mail server')}>{test.server}</Fact>
          <Fact name={t('mail|From')}>{test.from}</Fact>
          <Fact name={t('Took')}>
            {t('{seconds} s', { seconds: formatDecimal(test.milliseconds / 1000) })}
          </Fact>
        </dl>
      )}
      {test.replies.length > 0 && (
        <div className="text-sm">
          <h3 className="font-medium">{t('The mail server said')}</h3>
          <ol dir="ltr" className="mt-1 grid gap-1 font-mono text-xs">
            {test.replies.map((reply, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes, with repeats.
              <li key={index} className="whitespace-pre-wrap wrap-anywhere">
                {reply}
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}
