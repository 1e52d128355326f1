import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  ChangePassword,
  ForgotPassword,
  Login,
  Register,
  ResetPassword,
} from '#contract/people/auth/auth';
import { authApi, DEVICE_HEADER } from '#contract/people/auth/constants';
import { SECOND_FACTOR_REQUIRED } from '#contract/people/second-factor/constants';
import { usersApi } from '#contract/people/users/constants';
import type { UpdateProfile } from '#contract/people/users/users';
import { call } from '../../platform/api/api.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { newId } from '../../platform/api/new-id.ts';
import { userAtom } from '../../platform/session/atoms.ts';
import { readToken } from '../../platform/session/session.ts';
import { store } from '../../platform/session/store.ts';
import { storedAtom } from '../../platform/session/stored-atom.ts';
import { toast, toastError, toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { authKeys } from './queries.ts';
import { startSession } from './session.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isDeviceId = (value: unknown): value is string =>
  typeof value === 'string' && UUID.test(value);

/**
 * This browser's id, created once and kept after signing out. The server recognizes devices that
 * signed in to an account before, so that failed attempts of strangers do not lock them out.
 */
const deviceAtom = storedAtom<string | null>('device', isDeviceId, null, 'text');

/** Returns the options of an anonymous call that carries the id of this browser. */
export function fromThisDevice(): { anonymous: true; headers: Record<string, string> } {
  let id = store.get(deviceAtom);
  if (id === null) {
    id = newId();
    store.set(deviceAtom, id);
  }
  return { anonymous: true, headers: { [DEVICE_HEADER]: id } };
}

/** Returns whether the password was right and a code is to follow, which is no failure. */
export const isCodeRequired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === SECOND_FACTOR_REQUIRED;

/** Signs in. The route's guard then redirects to the home page of the role. */
export function useLogin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Login) => call(authApi.login, { body, ...fromThisDevice() }),
    onSuccess: ({ token, user }) => {
      startSession(client, token, user);
      toast.success('Login successful!');
    },
    onError: (error) => {
      if (!isCodeRequired(error)) toastError(error);
    },
  });
}

/** Creates an account and signs in with it. */
export function useRegister() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Register) => call(authApi.register, { body, ...fromThisDevice() }),
    onSuccess: ({ token, user }) => {
      startSession(client, token, user);
      toast.success('Registration successful!');
    },
    onError: toastError,
  });
}

/** Updates the user's own name, phone and address. */
export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateProfile) => call(usersApi.updateProfile, { body }),
    onSuccess: ({ data: user }) => {
      store.set(userAtom, user);
      client.setQueryData(authKeys.me(readToken()), user);
      toast.success('Profile updated successfully!');
    },
    onError: toastErrorOfEdit,
  });
}

/** Sets a new password of the signed-in user. */
export function useChangePassword() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangePassword) =>
      call(authApi.changePassword, { body, headers: fromThisDevice().headers }),
    onSuccess: () => {
      toast.success('Password changed. Other devices were signed out.');
      return cache.invalidateQueries({ queryKey: authKeys.sessions });
    },
    onError: toastError,
  });
}

/** Ends one session of the signed-in user. */
export function useEndSession() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(authApi.endSession, { params: { id } }),
    onSuccess: () => toast.success('Signed out there.'),
    onError: toastError,
    onSettled: () => cache.invalidateQueries({ queryKey: authKeys.sessions }),
  });
}

/** Ends every session of the signed-in user but this one. */
export function useEndOtherSessions() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call(authApi.endOtherSessions, {}),
    onSuccess: () => toast.success('Signed out everywhere else.'),
    onError: toastError,
    onSettled: () => cache.invalidateQueries({ queryKey: authKeys.sessions }),
  });
}

/** Requests a password reset link. The response is the same whether or not the account exists. */
export function useForgotPassword() {
  return useMutation({
    mutationFn: (body: ForgotPassword) =>
      call(authApi.forgotPassword, { body, ...fromThisDevice() }),
  });
}

/** Sets a new password with the token of an emailed link. */
export function useResetPassword() {
  return useMutation({
    mutationFn: (body: ResetPassword) => call(authApi.resetPassword, { body, ...fromThisDevice() }),
  });
}
