import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import type { AccountEmail as AccountEmailOnWire } from '#contract/people/auth/auth';
import { NO_EMAIL_ENDING } from '#contract/people/auth/constants';
import { readableEmail } from '#contract/platform/http/email';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../../platform/format/rich.tsx';
import { useAuth } from '../../../platform/session/session.ts';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { lazyWithRetry } from '../../../platform/ui/lazy-with-retry.tsx';
import { Badge, Button } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { useSendVerification } from './commands.ts';
import { emailQuery } from './queries.ts';

// Loaded when it is opened: few people ever do.
const ChangeEmailDialog = lazyWithRetry(() => import('./ChangeEmailDialog.tsx'));

/** Opens the dialog to change one's email. */
function ChangeEmailButton({ size }: { size?: 'sm' }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" size={size} onClick={() => setOpen(true)}>
        {t('Change email')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ChangeEmailDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The email that the user signs in with, and a new one that waits for its confirmation. */
export function AccountEmail({ email }: { email: string }) {
  const { data } = useQuery(emailQuery());
  const shown = readableEmail(data?.email ?? email);
  return (
    <section aria-labelledby="account-email" className="grid gap-3">
      <h3 id="account-email" className="font-semibold">
        {t('Email')}
      </h3>
      <p className="flex flex-wrap items-center gap-2 wrap-anywhere">
        <span>{shown.endsWith(NO_EMAIL_ENDING) ? t('None. Give yours.') : shown}</span>
        {data?.isVerified && !data.unreachable && <Badge tone="leaf">{t('Confirmed')}</Badge>}
        {data?.unreachable && <Badge tone="tomato">{t("Can't be reached")}</Badge>}
      </p>
      {data?.pending && <PendingEmail pending={data.pending} />}
      <div>
        <ChangeEmailButton />
      </div>
    </section>
  );
}

/** The new email, which waits for its confirmation. */
const PendingEmail = ({ pending }: { pending: NonNullable<AccountEmailOnWire['pending']> }) =>
  pending.isUnreachable ? (
    <Alert kind="warning">
      {t(
        "We can't reach {email}: its mail server refuses it, so we sent no link. Change your email again, as it is spelt.",
        { email: readableEmail(pending.email) },
      )}
    </Alert>
  ) : (
    <p role="status" className="text-sm text-ink-soft wrap-anywhere">
      {rich(
        'We sent a link to {email}. It replaces this one as soon as you open the link, until {time}.',
        {
          email: <bdi>{readableEmail(pending.email)}</bdi>,
          time: <Time value={pending.until} inSentence />,
        },
      )}
    </p>
  );

/** Says that a mail server refuses one's email, in its words, and how one gets mails again. Renders nothing otherwise. */
export function UnreachableEmail() {
  const { user } = useAuth();
  const { data } = useQuery({ ...emailQuery(), enabled: user?.isEmailUnreachable === true });
  const send = useSendVerification();
  if (!data?.unreachable) return null;
  const { unreachable } = data;
  const email = readableEmail(data.email);
  return (
    <Alert kind="warning">
      <p className="font-medium wrap-anywhere">{t("We can't reach {email}", { email })}</p>
      <p className="mt-0.5">
        {rich(
          'Its mail server has refused our mails since {day}, so we send no more. If it is misspelt or no longer yours, change it. If it is right, have us send a link and open it: then you get our mails again.',
          { day: <Time value={unreachable.since} as="date" inSentence /> },
        )}
      </p>
      <p className="mt-2 text-ink-soft wrap-anywhere">
        {t('The mail server says: {reply}', { reply: unreachable.reply })}
      </p>
      {send.isSuccess && (
        <p role="status" className="mt-2">
          {t('We try to send a link to {email}.', { email })}
        </p>
      )}
      <Buttons>
        <ChangeEmailButton size="sm" />
        <SendButton send={send}>{t('Send a link')}</SendButton>
      </Buttons>
    </Alert>
  );
}

/**
 * Asks somebody to confirm their email, and offers another link, or another email where it was mistyped. `children` say
 * what for.
 */
export function ConfirmEmail({
  email,
  kind = 'warning',
  children,
}: {
  email: string;
  kind?: 'warning' | 'info';
  children?: ReactNode;
}) {
  const send = useSendVerification();
  if (email.endsWith(NO_EMAIL_ENDING)) {
    return (
      <Alert kind={kind}>
        <p className="font-medium">{t('Your account has no email')}</p>
        <p className="mt-0.5">
          {t('The one it had belongs to somebody else.')} {children}
        </p>
        <Buttons>
          <ChangeEmailButton size="sm" />
        </Buttons>
      </Alert>
    );
  }
  return (
    <Alert kind={kind}>
      <p className="font-medium">{t('Confirm your email')}</p>
      <p className="mt-0.5 wrap-anywhere">
        {send.isSuccess
          ? t('We sent another link to {email}. Open it on any device.', {
              email: readableEmail(email),
            })
          : t('We sent a link to {email}. Open it on any device.', {
              email: readableEmail(email),
            })}{' '}
        {children}
      </p>
      {send.isSuccess && <p className="mt-2">{t('Nothing there? It may be among spam.')}</p>}
      <Buttons>
        <SendButton send={send}>{t('Send the link again')}</SendButton>
        <ChangeEmailButton size="sm" />
      </Buttons>
    </Alert>
  );
}

/** Sends a link that verifies the email; it is gone once one was sent. */
const SendButton = ({
  send,
  children,
}: {
  send: ReturnType<typeof useSendVerification>;
  children: string;
}) =>
  !send.isSuccess && (
    <Button variant="secondary" size="sm" pending={send.isPending} onClick={() => send.mutate()}>
      {children}
    </Button>
  );

const Buttons = ({ children }: { children: ReactNode }) => (
  <div className="mt-2 flex flex-wrap gap-2">{children}</div>
);
