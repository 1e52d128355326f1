import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { EmailLink } from '#contract/people/auth/auth';
import { t } from '#contract/platform/text/constants/texts';
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
    title: string;
    text: string;
    confirmLabel?: string;
    refuse: { title: string; description: string; confirmLabel: string };
    refused: { title: string; text: ReactNode; next?: { href: string; label: string } };
  }
> = {
  verify: {
    title: 'Confirm your email',
    text: 'Then farms and customers know that they can reach you.',
    confirmLabel: 'Confirm my email',
    refuse: {
      title: 'Lock this account?',
      description:
        'The person who opened it with your email is signed out, cannot sign in any more, and we mail you nothing more about it.',
      confirmLabel: 'Lock the account',
    },
    refused: {
      title: 'The account is locked',
      text: 'Nobody can sign in to it. If you want an account yourself, set a password for it.',
      next: { href: '/forgot-password', label: 'Set a password' },
    },
  },
  change: {
    title: 'Confirm your new email',
    text: 'Then you sign in with it, and we mail you there.',
    confirmLabel: 'Confirm my new email',
    refuse: {
      title: 'Is this account not yours?',
      description: 'Then your email is not given to it, and the link works no more.',
      confirmLabel: 'It is not mine',
    },
    refused: {
      title: 'Your email was not given to the account',
      text: 'Thank you. There is nothing else to do.',
    },
  },
  undo: {
    title: 'The email of your account changes',
    text: 'If you asked for it, there is nothing to do.',
    refuse: {
      title: 'Undo the change?',
      description:
        'Your account has this email again. Every device is signed out, and the password opens nothing any more: the person who asked for the change knew it. We mail you a link to set a new one.',
      confirmLabel: 'Undo the change',
    },
    refused: {
      title: 'Your account has this email again',
      text: 'We sent you a link to set a new password. It works once, within the hour.',
    },
  },
};

const accountOf: Record<EmailLink['account']['role'], string> = {
  consumer: "A customer's account",
  farmer: "A farmer's account",
  admin: "An admin's account",
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
        title={t('Your email is confirmed')}
        text={t('Thank you. You can go on where you left off.')}
        next={user ? { href: '/', label: t('Go on') } : { href: '/login', label: t('Sign in') }}
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
  const { title, text, confirmLabel } = texts[link.purpose];
  return (
    <AuthFrame
      title={title}
      text={text}
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
          {confirmLabel}
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
        {...texts[link.purpose].refuse}
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
        {t('{value}, opened', { value: accountOf[account.role] })}{' '}
        <Time value={account.createdAt} as="date" inSentence />
      </p>
      <p className="mt-1 wrap-anywhere">{email}</p>
      {purpose === 'undo' && newEmail && (
        <p className="text-sm text-ink-soft wrap-anywhere">
          {t('New email: {newEmail}', { newEmail })}
        </p>
      )}
    </div>
  );
}

const Done = ({
  title,
  text,
  next = { href: '/', label: t('To the market') },
}: (typeof texts)[Purpose]['refused']) => (
  <AuthFrame title={title} foot={null}>
    <Alert kind="success">{text}</Alert>
    <LinkButton href={next.href} size="lg">
      {next.label}
    </LinkButton>
  </AuthFrame>
);
