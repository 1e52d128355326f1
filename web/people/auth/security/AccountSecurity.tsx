import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { ChangePassword, type SignedInDevice } from '#contract/people/auth/auth';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../../platform/format/rich.tsx';
import { useAuth } from '../../../platform/session/session.ts';
import { Alert, Fetched, Loading, Skeleton } from '../../../platform/ui/feedback/states.tsx';
import { Checkbox } from '../../../platform/ui/fields/controls.tsx';
import { PasswordInput } from '../../../platform/ui/fields/PasswordInput.tsx';
import { Form, FormError, FormField, useZodForm } from '../../../platform/ui/form/form.tsx';
import { Badge, Button } from '../../../platform/ui/primitives/Button.tsx';
import { Card } from '../../../platform/ui/primitives/sections.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import {
  confirmation,
  mismatch,
  NewPasswordFields,
  passwordsMatch,
} from '../../model/NewPasswordFields.tsx';
import { useChangePassword, useEndOtherSessions, useEndSession } from '../commands.ts';
import { sessionsQuery } from '../queries.ts';
import { SecondFactorField, useSecondFactorStep } from '../SecondFactorField.tsx';
import { AccountEmail } from './AccountEmail.tsx';
import { AuthenticatorApp } from './AuthenticatorApp.tsx';
import { Passkeys } from './Passkeys.tsx';
import { secondFactorQuery } from './queries.ts';

/** The email and the password, what protects the account beside it, and where the user is signed in. */
export function AccountSecurity({
  email,
  calendar,
  isSecondFactorAsked = false,
}: {
  email: string;
  /** Where the user has a private calendar, whose address can be renewed along. */
  calendar?: OwnCalendar | undefined;
  /** Whether to ask for a second factor, as admins are. */
  isSecondFactorAsked?: boolean;
}) {
  return (
    <Card as="section" aria-labelledby="security" className="grid gap-6">
      <h2 id="security" className="text-lg font-semibold">
        {t('Sign-in and security')}
      </h2>
      <AccountEmail email={email} />
      <PasswordForm email={email} calendar={calendar} />
      <SecondFactors isAsked={isSecondFactorAsked} />
      <Sessions calendar={calendar} />
    </Card>
  );
}

const secondFactorsSkeleton = (
  <Loading className="grid gap-6">
    <Skeleton className="h-28" />
    <Skeleton className="h-28" />
  </Loading>
);

/**
 * What protects the account beside the password: an authenticator app and passkeys. `isAsked` says that one of them
 * is wished for.
 */
function SecondFactors({ isAsked }: { isAsked: boolean }) {
  const { user } = useAuth();
  return (
    <Fetched query={useQuery(secondFactorQuery())} skeleton={secondFactorsSkeleton}>
      {({ app, passkeys }) => (
        <>
          {user?.isEmailVerified === false && (
            <Alert kind="info">
              {t('Confirm your email before you add one of these: what is added before ends then.')}
            </Alert>
          )}
          {isAsked && !app && passkeys.length === 0 && (
            <Alert kind="info">
              {t('We ask every admin for one of these: an app or a passkey.')}
            </Alert>
          )}
          <AuthenticatorApp app={app} />
          <Passkeys passkeys={passkeys} />
        </>
      )}
    </Fetched>
  );
}

const PasswordChange = ChangePassword.omit({ passkey: true })
  .extend(confirmation)
  .refine(
    ({ newPassword: password, confirmPassword }) => passwordsMatch({ password, confirmPassword }),
    mismatch,
  );

const NO_PASSWORDS = { currentPassword: '', code: '', newPassword: '', confirmPassword: '' };
const EMPTY = { ...NO_PASSWORDS, renewsCalendar: true };

/** The user's private calendar of the farm's days. */
interface OwnCalendar {
  /** Call when its address was renewed. */
  onRenewed: () => void;
}

/** Sets a new password, which signs out every other device. */
function PasswordForm({ email, calendar }: { email: string; calendar: OwnCalendar | undefined }) {
  const change = useChangePassword();
  const secondFactor = useSecondFactorStep();
  const form = useZodForm(PasswordChange, { defaultValues: EMPTY });
  return (
    <Form
      form={form}
      label={t('Change password')}
      onSubmit={async ({ confirmPassword: _, code, ...input }) => {
        await secondFactor.confirm(code, (proof) => change.mutateAsync({ ...input, ...proof }));
        form.reset(EMPTY);
        if (input.renewsCalendar) calendar?.onRenewed();
      }}
      className="grid gap-5"
    >
      <FormError form={form} />
      {/* Password managers keep the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <FormField form={form} name="currentPassword" label={t('Current password')} required>
        {(field) => <PasswordInput {...field} autoComplete="current-password" />}
      </FormField>
      <div className="grid gap-5 sm:grid-cols-2">
        <NewPasswordFields
          form={form}
          password={{ name: 'newPassword', label: t('New password') }}
          repeated={{ name: 'confirmPassword', label: t('Repeat new password') }}
        />
      </div>
      {calendar && (
        <Checkbox
          {...form.register('renewsCalendar')}
          label={t('Give my calendar a new address')}
          hint={t('Calendars with the address you have now stop getting news.')}
        />
      )}
      <SecondFactorField step={secondFactor} form={form} />
      <div>
        <Button
          type="submit"
          variant="secondary"
          pending={form.formState.isSubmitting}
          pendingLabel={t('Saving...')}
          className="w-full sm:w-auto"
        >
          {t('Change password')}
        </Button>
      </div>
    </Form>
  );
}

const sessionsSkeleton = (
  <Loading>
    <Skeleton className="h-14" />
  </Loading>
);

/** Where the user is signed in, each to be signed out from here. */
function Sessions({ calendar }: { calendar: OwnCalendar | undefined }) {
  const query = useQuery(sessionsQuery());
  const endOthers = useEndOtherSessions();
  const title = useRef<HTMLHeadingElement>(null);
  const hasOthers = query.data?.some(({ isCurrent }) => !isCurrent);
  return (
    <div className="grid gap-3">
      <h3 ref={title} tabIndex={-1} className="font-semibold">
        {t('Where you are signed in')}
      </h3>
      <Fetched query={query} skeleton={sessionsSkeleton}>
        {(sessions) => (
          <ul className="grid divide-y divide-hairline border-y border-hairline">
            {sessions.map((session) => (
              <SessionRow
                key={session._id}
                session={session}
                onEnded={() => title.current?.focus()}
              />
            ))}
          </ul>
        )}
      </Fetched>
      {hasOthers && (
        <div>
          <Button
            variant="secondary"
            pending={endOthers.isPending}
            aria-describedby={calendar && 'calendar-renewed'}
            onClick={() =>
              endOthers.mutate(undefined, {
                onSuccess: () => {
                  title.current?.focus();
                  calendar?.onRenewed();
                },
              })
            }
          >
            {t('Sign out all other devices')}
          </Button>
          {calendar && (
            <p id="calendar-renewed" className="mt-2 text-sm text-ink-soft">
              {t(
                'Your calendar gets a new address then. Calendars with the one you have now stop getting news.',
              )}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

function SessionRow({ session, onEnded }: { session: SignedInDevice; onEnded: () => void }) {
  const { _id, device, createdAt, lastSeenAt, isCurrent } = session;
  const end = useEndSession();
  const name = device || t('A device');
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {isCurrent && <Badge tone="leaf">{t('This device')}</Badge>}
        </p>
        <p className="text-sm text-ink-soft">
          {isCurrent
            ? rich('Signed in {time}', { time: <Time value={createdAt} inSentence /> })
            : rich('Signed in {time}, last seen {lastTime}', {
                time: <Time value={createdAt} inSentence />,
                lastTime: <Time value={lastSeenAt} inSentence />,
              })}
        </p>
      </div>
      {!isCurrent && (
        <Button
          variant="secondary"
          size="sm"
          pending={end.isPending}
          aria-label={t('Sign out {name}', { name })}
          onClick={() => end.mutate(_id, { onSuccess: onEnded })}
        >
          {t('Sign out')}
        </Button>
      )}
    </li>
  );
}
