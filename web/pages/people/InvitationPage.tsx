import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useParams } from 'wouter';
import { AcceptInvitation, type Invitation } from '#contract/farm/members/members';
import type { User } from '#contract/people/users/users';
import { readableEmail } from '#contract/platform/http/email';
import { t } from '#contract/platform/text/constants/texts';
import { useAcceptInvitation } from '../../farm/members/commands.ts';
import { invitationQuery } from '../../farm/members/queries.ts';
import { AuthFrame } from '../../people/auth/AuthFrame.tsx';
import { startSession } from '../../people/auth/session.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { rich } from '../../platform/format/rich.tsx';
import { signInHref } from '../../platform/session/return-path.ts';
import { useAuth } from '../../platform/session/session.ts';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { EmailInput } from '../../platform/ui/fields/Field.tsx';
import { PasswordInput } from '../../platform/ui/fields/PasswordInput.tsx';
import { ConsentField, TextField } from '../../platform/ui/form/fields.tsx';
import { Form, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';

/** All are needed for a new account; the email is that of the invitation, if it names one. */
const NewMember = AcceptInvitation.required();

/** Accepts an invitation to work for a farm, with a new account or the one signed in. */
export default function InvitationPage() {
  const { token = '' } = useParams<{ token: string }>();
  const { user } = useAuth();
  const { data: invitation, error, refetch, isFetching } = useQuery(invitationQuery(token));
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        drawing="letter"
        title={t('This invitation has ended')}
        text={t('It was used already, withdrawn, or is too old. Ask the farm for a new one.')}
        level={1}
      >
        <LinkButton href="/">{t('Back to the market')}</LinkButton>
      </EmptyState>
    );
  }
  if (error) return <ErrorState error={error} onRetry={refetch} pending={isFetching} />;
  if (!invitation) {
    return (
      <Loading className="wrap py-14">
        <Skeleton className="mx-auto h-96 max-w-md" />
      </Loading>
    );
  }
  return (
    <AuthFrame
      title={t('Work for {farm}', { farm: invitation.farm.farmName })}
      text={t(
        '{role, select, owner {You are invited as owner: you do everything, the people and the farm itself included.} manager {You are invited as manager: you look after orders, products, messages and the farm profile.} packer {You are invited as packer: you see orders and products, and you pack.} seller {You are invited as seller: you hand orders over and answer messages.} other {You are invited.}}',
        { role: invitation.role },
      )}
      foot={
        user
          ? null
          : rich('Have an account? <a>Sign in</a>', {
              a: (inner) => <a href={signInHref('/login', location.pathname)}>{inner}</a>,
            })
      }
    >
      {user ? (
        <AcceptAs user={user} token={token} />
      ) : (
        <NewAccount token={token} invitation={invitation} />
      )}
    </AuthFrame>
  );
}

/** Returns the command to accept, which signs in and opens the farm's dashboard. */
function useAccept(token: string) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const command = useAcceptInvitation(token);
  const accept = async (input: AcceptInvitation) => {
    const session = await command.mutateAsync(input);
    startSession(cache, session.token, session.user);
    navigate('/farmer/dashboard');
  };
  return { ...command, accept };
}

/** Accepts as the person signed in. */
function AcceptAs({ user, token }: { user: User; token: string }) {
  const { accept, error, isPending } = useAccept(token);
  return (
    <div className="grid gap-5">
      <ErrorAlert error={error} />
      <p>{t('You are signed in as {name}.', { name: user.name })}</p>
      <Button
        size="lg"
        pending={isPending}
        // A failure is shown above.
        onClick={() => accept({}).catch(() => {})}
      >
        {t('Accept')}
      </Button>
    </div>
  );
}

/** Opens an account for the invited address. */
function NewAccount({ token, invitation }: { token: string; invitation: Invitation }) {
  const { accept, error, isPending } = useAccept(token);
  const form = useZodForm(NewMember, {
    defaultValues: { name: '', email: invitation.email, password: '', acceptsTerms: false },
  });
  return (
    <Form form={form} label={t('Accept the invitation')} onSubmit={accept} className="grid gap-5">
      <ErrorAlert error={error} />
      {invitation.email !== '' && (
        <p className="wrap-anywhere text-sm text-ink-soft">
          {rich('Your account is for {email}.', {
            email: <strong className="text-ink">{readableEmail(invitation.email)}</strong>,
          })}
        </p>
      )}
      <TextField form={form} name="name" label={t('Name')} required autoComplete="name" />
      {invitation.email === '' && (
        <FormField form={form} name="email" label={t('Email')} required>
          {(field) => <EmailInput {...field} autoComplete="email" />}
        </FormField>
      )}
      <FormField form={form} name="password" label={t('Password')} required>
        {(field) => <PasswordInput {...field} autoComplete="new-password" />}
      </FormField>
      <ConsentField form={form} />
      <Button type="submit" size="lg" pending={isPending}>
        {t('Accept')}
      </Button>
    </Form>
  );
}
