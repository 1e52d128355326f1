import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { ChangeEmail, VerifyEmail } from '#contract/people/auth/auth';
import type { Confirmation } from '#contract/people/auth/confirmation';
import { authApi } from '#contract/people/auth/constants';
import { secondFactorApi } from '#contract/people/second-factor/constants';
import { usersApi } from '#contract/people/users/constants';
import type { DeleteOwnAccount } from '#contract/people/users/users';
import { readableEmail } from '#contract/platform/http/email';
import { t } from '#contract/platform/text/constants/texts';
import { call, dataOf } from '../../../platform/api/api.ts';
import { shownByForm, useCommand } from '../../../platform/queries/use-command.ts';
import { readOwner } from '../../../platform/session/owned.ts';
import { removeOwned } from '../../../platform/session/owned-upkeep.ts';
import { makePasskey } from '../commands.ts';
import { authKeys } from '../queries.ts';
import { endSession } from '../session.ts';

/** Asks for another link that verifies the email. */
export const useSendVerification = () => useCommand(() => call(authApi.sendVerification, {}));

/** What a mailed link does may concern the user who is signed in here, and may end their session. */
const ofAccount = {
  onSuccess: (cache: QueryClient) => cache.invalidateQueries({ queryKey: authKeys.all }),
  onError: shownByForm,
};

/** Verifies an email with the token of a mailed link. */
export const useVerifyEmail = () =>
  useCommand(
    (body: VerifyEmail) => call(authApi.verifyEmail, { body, anonymous: true }),
    ofAccount,
  );

/** Says that a mailed link is about somebody else. */
export const useRefuseEmail = () =>
  useCommand(
    (body: VerifyEmail) => call(authApi.refuseEmail, { body, anonymous: true }),
    ofAccount,
  );

/** Changes the signed-in person's email: at once, or once the new one is confirmed. */
export const useChangeEmail = () =>
  useCommand((body: ChangeEmail) => call(authApi.changeEmail, { body }), {
    ...ofAccount,
    done: ({ data: { email, pending } }) =>
      pending
        ? t('We sent a link to {email}.', { email: readableEmail(pending.email) })
        : t('Your email is {email} now.', { email: readableEmail(email) }),
  });

/** Deletes the signed-in person's own account, and leads to the home page. */
export function useDeleteAccount() {
  const [, navigate] = useLocation();
  return useCommand((body: DeleteOwnAccount) => call(usersApi.removeOwn, { body }), {
    onSuccess: (cache) => {
      const owner = readOwner();
      // Navigates first, because the guard of the current page would redirect to the sign-in.
      navigate('/');
      endSession(cache);
      removeOwned(owner);
    },
    done: t('Your account was deleted.'),
  });
}

/** The forms show what was wrong with a password or a code; nothing else is said about it. */
const ofSecondFactor = { invalidates: authKeys.secondFactor, onError: shownByForm };

/** Begins to set up an authenticator app. */
export const useBeginApp = () =>
  useCommand(async (body: Confirmation) => (await call(secondFactorApi.beginApp, { body })).data, {
    onError: shownByForm,
  });

const refreshSessions = (cache: QueryClient) =>
  void cache.invalidateQueries({ queryKey: authKeys.sessions });

/** Turns the authenticator app on with one of its codes. */
export const useConfirmApp = () =>
  useCommand(
    async (code: string) =>
      (await call(secondFactorApi.confirmApp, { body: { code } })).data.recoveryCodes,
    {
      ...ofSecondFactor,
      onSuccess: refreshSessions,
      onError: (_, cache) => refreshSessions(cache),
    },
  );

/** Makes new recovery codes in the place of the earlier ones. */
export const useMakeRecoveryCodes = () =>
  useCommand(
    async (body: Confirmation) =>
      (await call(secondFactorApi.makeRecoveryCodes, { body })).data.recoveryCodes,
    ofSecondFactor,
  );

/** Turns the authenticator app off. */
export const useTurnOffApp = () =>
  useCommand((body: Confirmation) => call(secondFactorApi.turnOffApp, { body }), {
    ...ofSecondFactor,
    done: t('Your authenticator app is off.'),
  });

/** Adds a passkey of this device. */
export const useAddPasskey = () =>
  useCommand(
    async (confirmation: Confirmation) => {
      const begun = await call(secondFactorApi.beginPasskey, { body: confirmation });
      return call(secondFactorApi.addPasskey, { body: await makePasskey(begun.data) });
    },
    { ...ofSecondFactor, done: t('Passkey added.') },
  );

/** Removes a passkey. */
export const useRemovePasskey = () =>
  useCommand(
    ({ id, ...body }: Confirmation & { id: string }) =>
      call(secondFactorApi.removePasskey, { params: { id }, body }),
    { ...ofSecondFactor, done: t('Passkey removed.') },
  );

/** The open orders that the deletion of the account concerns. Read anew each time that it is asked about. */
export const deletionOutlookQuery = () =>
  queryOptions({
    queryKey: authKeys.outlook,
    queryFn: dataOf(usersApi.outlook),
    staleTime: 0,
    gcTime: 0,
  });
