import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Confirmation } from '#contract/people/auth/confirmation';
import { secondFactorApi } from '#contract/people/second-factor/constants';
import { call } from '../../../platform/api/api.ts';
import { toast, toastError } from '../../../platform/ui/feedback/toast.ts';
import { fromThisDevice } from '../device.ts';
import { authKeys } from '../keys.ts';
import { makePasskey, signWithPasskey } from '../passkey.ts';
import { startSession } from '../session.ts';

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
