import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { EmailLink } from '#contract/people/auth/auth';
import { readableEmail } from '#contract/platform/http/email';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { AuthFrame, IncompleteLink } from '../../people/auth/AuthFrame.tsx';
import { useRefuseEmail, useVerifyEmail } from '../../people/auth/security/commands.ts';
import { emailLinkQuery } from '../../people/auth/security/queries.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { rich } from '../../platform/format/rich.tsx';
import { useAuth } from '../../platform/session/session.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { Alert, ErrorState, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';

type Purpose = EmailLink['purpose'];

/** What the page says for each kind of link. `refuse` stands in the dialog of "This wasn't me". */
const texts: Record<
  Purpose,
  {
    title: Message;
    text: Message;
    confirmLabel?: Message;
    refuse: { title: Message; description: Message; confirmLabel: Message };
    refused: { title: Message; text: Message; next?: { href: string; label: Message } };
  }
> = {
  verify: {
    title: msg('Confirm your email'),
    text: msg('Then farms and customers know that they can reach you.'),
    confirmLabel: msg('Confirm my email'),
    refuse: {
      title: msg('Lock this account?'),
      description: msg(
        'The person who opened it with your email is signed out, cannot sign in any more, and we mail you nothing more about it.',
      ),
      confirmLabel: msg('Lock the account'),
    },
    refused: {
      title: msg('The account is locked'),
      text: msg(
        'Nobody can sign in to it. If you want an account yourself, set a password for it.',
      ),
      next: { href: '/forgot-password', label: msg('Set a password') },
    },
  },
  change: {
    title: msg('Confirm your new email'),
    text: msg('Then you sign in with it, and we mail you there.'),
    confirmLabel: msg('Confirm my new email'),
    refuse: {
      title: msg('Is this account not yours?'),
      description: msg('Then your email is not given to it, and the link works no more.'),
      confirmLabel: msg('It is not mine'),
    },
    refused: {
      title: msg('Your email was not given to the account'),
      text: msg('Thank you. There is nothing else to do.'),
    },
  },
  undo: {
    title: msg('The email of your account changes'),
    text: msg('If you asked for it, there is nothing to do.'),
    refuse: {
      title: msg('Undo the change?'),
      description: msg(
        'Your account has this email again. Every device is signed out, and the password opens nothing any more: the person who asked for the change knew it. We mail you a link to set a new one.',
      ),
      confirmLabel: msg('Undo the change'),
    },
    refused: {
      title: msg('Your account has this email again'),
      text: msg('We sent you a link to set a new password. It works once, within the hour.'),
    },
  },
};

const accountOf: Record<EmailLink['account']['role'], Message> = {
  consumer: msg("A customer's account"),
  farmer: msg("A farmer's account"),
  admin: msg("An admin's account"),
};

/**
 * Says what a mailed link about an email is for, and of whose account, and lets its reader confirm it or say that it
 * was somebody else. It waits for a press: programs that open the links of a mail before its reader does would verify
 * the address of somebody who never asked for it.
 */
export default function VerifyEmailPage() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const { user } = useAuth();
  const { data: link, error, refetch, isFetching } = useQuery(emailLinkQuery(token));
  const verify = useVerifyEmail();
  const refuse = useRefuseEmail();
  const [isRefusing, setRefusing] = useState(false);
  const another = (
    <Link href={user ? '/profile' : '/login'} className="link inline-block py-0.5">
      {user ? t('Send another link from your profile') : t('Sign in to send another link')}
    </Link>
  );
  if (link && (refuse.isSuccess || (link.isDone && link.purpose === 'undo'))) {
    return <Done {...texts[link.purpose].refused} />;
  }
  if (verify.isSuccess || link?.isDone) {
    return (
      <Done
        title={msg('Your email is confirmed')}
        text={msg('Thank you. You can go on where you left off.')}
        next={user ? { href: '/', label: msg('Go on') } : { href: '/login', label: msg('Sign in') }}
      />
    );
  }
  if (token === '') return <IncompleteLink another={another} />;
  if (error instanceof ApiError && error.status === 400) {
    return (
      <AuthFrame title={t('This link no longer works')} foot={another}>
        <ErrorAlert error={error} />
      </AuthFrame>
    );
  }
  if (!link) {
    return error ? (
      <ErrorState error={error} onRetry={refetch} pending={isFetching} />
    ) : (
      <Loading className="wrap py-14">
        <Skeleton className="mx-auto h-96 max-w-md" />
      </Loading>
    );
  }
  const { title, text, confirmLabel, refuse: refusal } = texts[link.purpose];
  return (
    <AuthFrame
      title={writeMessage(title)}
      text={writeMessage(text)}
      foot={link.purpose === 'verify' ? rich('Did the link expire? {another}', { another }) : null}
    >
      <WhoseAccount link={link} />
      <ErrorAlert error={verify.error} />
      {confirmLabel && (
        <Button
          size="lg"
          pending={verify.isPending}
          pendingLabel={t('Confirming...')}
          onClick={() => verify.mutate({ token })}
        >
          {writeMessage(confirmLabel)}
        </Button>
      )}
      <Button
        variant="secondary"
        size="lg"
        pending={refuse.isPending}
        onClick={() => setRefusing(true)}
      >
        {t("This wasn't me")}
      </Button>
      <ConfirmDialog
        title={writeMessage(refusal.title)}
        description={writeMessage(refusal.description)}
        confirmLabel={writeMessage(refusal.confirmLabel)}
        open={isRefusing}
        onOpenChange={setRefusing}
        danger
        onConfirm={() => {
          setRefusing(false);
          refuse.mutate({ token });
        }}
      />
      <ErrorAlert error={refuse.error} />
    </AuthFrame>
  );
}

/** Names the account that a link is about: its reader may know nothing of it. */
function WhoseAccount({ link }: { link: EmailLink }) {
  const { account, email, newEmail, purpose } = link;
  return (
    <div className="rounded border border-hairline px-4 py-3">
      <p className="font-medium wrap-anywhere">{account.name}</p>
      <p className="text-sm text-ink-soft wrap-anywhere">
        {rich('{account}, opened {date}', {
          account: writeMessage(accountOf[account.role]),
          date: <Time value={account.createdAt} as="date" inSentence />,
        })}
      </p>
      <p className="mt-1 wrap-anywhere">{readableEmail(email)}</p>
      {purpose === 'undo' && newEmail && (
        <p className="text-sm text-ink-soft wrap-anywhere">
          {t('New email: {email}', { email: readableEmail(newEmail) })}
        </p>
      )}
    </div>
  );
}

const Done = ({
  title,
  text,
  next = { href: '/', label: msg('To the market') },
}: (typeof texts)[Purpose]['refused']) => (
  <AuthFrame title={writeMessage(title)} foot={null}>
    <Alert kind="success">{writeMessage(text)}</Alert>
    <LinkButton href={next.href} size="lg">
      {writeMessage(next.label)}
    </LinkButton>
  </AuthFrame>
);
