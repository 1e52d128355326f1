import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { ChangeEmail, VerifyEmail } from '#contract/people/auth/auth';
import type { Confirmation } from '#contract/people/auth/confirmation';
import { authApi } from '#contract/people/auth/constants';
import { secondFactorApi } from '#contract/people/second-factor/constants';
import { usersApi } from '#contract/people/users/constants';
import type { DeleteOwnAccount } from '#contract/people/users/users';
import { call } from '../../../platform/api/api.ts';
import { readOwner } from '../../../platform/session/owned.ts';
import { removeOwned } from '../../../platform/session/owned-upkeep.ts';
import { toast, toastError } from '../../../platform/ui/feedback/toast.ts';
import { fromThisDevice } from '../commands.ts';
import { makePasskey, signWithPasskey } from '../passkey.ts';
import { authKeys } from '../queries.ts';
import { endSession, startSession } from '../session.ts';

/** Asks for another link that verifies the email. */
export function useSendVerification() {
  return useMutation({
    mutationFn: () => call(authApi.sendVerification, {}),
    onError: toastError,
  });
}

/** Verifies an email with the token of a mailed link. */
export function useVerifyEmail() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: VerifyEmail) => call(authApi.verifyEmail, { body, anonymous: true }),
    // Whoever is signed in here may be the one whose email it is.
    onSuccess: () => cache.invalidateQueries({ queryKey: authKeys.all }),
  });
}

/** Says that a mailed link is about somebody else. */
export function useRefuseEmail() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: VerifyEmail) => call(authApi.refuseEmail, { body, anonymous: true }),
    // It may have ended the session of whoever is signed in here.
    onSuccess: () => cache.invalidateQueries({ queryKey: authKeys.all }),
  });
}

/** Changes the signed-in person's email: at once, or once the new one is confirmed. The form shows a refusal. */
export function useChangeEmail() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (body: ChangeEmail) => (await call(authApi.changeEmail, { body })).data,
    onSuccess: ({ email, pending }) => {
      toast.success(
        pending ? `We sent a link to ${pending.email}.` : `Your email is ${email} now.`,
      );
      return cache.invalidateQueries({ queryKey: authKeys.all });
    },
  });
}

/** Deletes the signed-in person's own account, and leads to the home page. */
export function useDeleteAccount() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (body: DeleteOwnAccount) => call(usersApi.removeOwn, { body }),
    onSuccess: () => {
      const owner = readOwner();
      // Navigates first, because the guard of the current page would redirect to the sign-in.
      navigate('/');
      endSession(client);
      removeOwned(owner);
      toast.success('Your account was deleted.');
    },
    onError: toastError,
  });
}

// The forms show what was wrong with a password or a code; nothing else is said about it.

/** Refetches how the user is protected, whatever came of a change. */
function useRefresh() {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: authKeys.secondFactor });
}

/** Begins to set up an authenticator app. */
export const useBeginApp = () =>
  useMutation({
    mutationFn: async (body: Confirmation) => (await call(secondFactorApi.beginApp, { body })).data,
  });

/** Turns the authenticator app on with one of its codes. */
export function useConfirmApp() {
  const cache = useQueryClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (code: string) =>
      (await call(secondFactorApi.confirmApp, { body: { code } })).data.recoveryCodes,
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: authKeys.sessions });
      return refresh();
    },
  });
}

/** Makes new recovery codes in the place of the earlier ones. */
export function useMakeRecoveryCodes() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (body: Confirmation) =>
      (await call(secondFactorApi.makeRecoveryCodes, { body })).data.recoveryCodes,
    onSettled: refresh,
  });
}

/** Turns the authenticator app off. */
export function useTurnOffApp() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Confirmation) => call(secondFactorApi.turnOffApp, { body }),
    onSuccess: () => toast.success('Your authenticator app is off.'),
    onSettled: refresh,
  });
}

/** Adds a passkey of this device. */
export function useAddPasskey() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (confirmation: Confirmation) => {
      const begun = await call(secondFactorApi.beginPasskey, { body: confirmation });
      const body = await makePasskey(begun.data);
      return (await call(secondFactorApi.addPasskey, { body })).data;
    },
    onSuccess: () => toast.success('Passkey added.'),
    onSettled: refresh,
  });
}

/** Removes a passkey. */
export function useRemovePasskey() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, ...body }: Confirmation & { id: string }) =>
      call(secondFactorApi.removePasskey, { params: { id }, body }),
    onSuccess: () => toast.success('Passkey removed.'),
    onSettled: refresh,
  });
}

/** Signs in with a passkey. The route's guard then redirects to the home page of the role. */
export function usePasskeySignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (remember: boolean) => {
      const begun = await call(secondFactorApi.beginPasskeySignIn, { anonymous: true });
      const credential = await signWithPasskey(begun.data);
      const body = { credential, remember };
      return call(secondFactorApi.signInWithPasskey, { body, ...fromThisDevice() });
    },
    onSuccess: ({ token, user }) => {
      startSession(client, token, user);
      toast.success('Login successful!');
    },
    onError: toastError,
  });
}
