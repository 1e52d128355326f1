import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { ChangeEmail, VerifyEmail } from '#contract/people/auth/auth';
import { authApi } from '#contract/people/auth/constants';
import { usersApi } from '#contract/people/users/constants';
import type { DeleteOwnAccount } from '#contract/people/users/users';
import { call } from '../../../platform/api/api.ts';
import { readOwner } from '../../../platform/session/owned.ts';
import { removeOwned } from '../../../platform/session/owned-upkeep.ts';
import { toast, toastError } from '../../../platform/ui/feedback/toast.ts';
import { authKeys } from '../keys.ts';
import { endSession } from '../session.ts';

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
