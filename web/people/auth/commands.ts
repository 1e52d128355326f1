import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { QueryClient } from '@tanstack/react-query';
import type {
  ChangePassword,
  ForgotPassword,
  Login,
  Register,
  ResetPassword,
} from '#contract/people/auth/auth';
import { authApi, DEVICE_HEADER } from '#contract/people/auth/constants';
import { SECOND_FACTOR_REQUIRED, secondFactorApi } from '#contract/people/second-factor/constants';
import type {
  AddPasskey,
  PasskeyOptions,
  SignInWithPasskey,
} from '#contract/people/second-factor/second-factor';
import { usersApi } from '#contract/people/users/constants';
import type { UpdateProfile, User } from '#contract/people/users/users';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { call, newId } from '../../platform/api/api.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { readToken, store, userAtom } from '../../platform/session/session.ts';
import { storedAtom } from '../../platform/session/stored-atom.ts';
import { toastError, toastErrorOfEdit } from '../../platform/ui/feedback/toast.ts';
import { authKeys } from './queries.ts';
import { startSession } from './session.ts';

/** Returns whether this browser can make and use passkeys at this address: not without TLS, but for localhost. */
export const canUsePasskeys = (): boolean =>
  typeof window.PublicKeyCredential === 'function' && window.isSecureContext;

/** Loaded when somebody uses a passkey: most never do. */
const load = () => import('@simplewebauthn/browser');

/** What is said where the browser gave no passkey, by the name of its error. */
const WORDS: Record<string, Message> = {
  NotAllowedError: msg('The passkey was not unlocked. You can try again.'),
  AbortError: msg('The passkey was not unlocked. You can try again.'),
  InvalidStateError: msg('This device has a passkey of your account already.'),
  SecurityError: msg("Passkeys don't work at this address."),
  NotSupportedError: msg("This device can't make the kind of passkey that is needed."),
  ConstraintError: msg('Set up a screen lock or a PIN first: a passkey needs one.'),
};

/** Runs a dialog of the browser. @throws an error with a sentence for people */
async function ask<T>(dialog: () => Promise<T>): Promise<T> {
  try {
    return await dialog();
  } catch (error) {
    // The package keeps the name of the browser's error.
    const name = error instanceof Error ? error.name : '';
    const words = WORDS[name] ?? msg('The browser could not use a passkey. Please try again.');
    throw new Error(writeMessage(words), { cause: error });
  }
}

/** Makes a passkey, which the browser asks for. @throws an error with a sentence for people */
export const makePasskey = (options: PasskeyOptions): Promise<AddPasskey> =>
  ask(async () => {
    const { startRegistration } = await load();
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    return (await startRegistration({ optionsJSON })) as AddPasskey;
  });

/** Has a passkey sign, which the browser asks for. @throws an error with a sentence for people */
export async function signWithPasskey(): Promise<SignInWithPasskey['credential']> {
  const { data } = await call(secondFactorApi.beginPasskeySignIn, { anonymous: true });
  return ask(async () => {
    const { startAuthentication } = await load();
    const optionsJSON = data as unknown as PublicKeyCredentialRequestOptionsJSON;
    return (await startAuthentication({ optionsJSON })) as SignInWithPasskey['credential'];
  });
}

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

/** Starts the session that a command has begun. */
const begin = (cache: QueryClient, { token, user }: { token: string; user: User }): void =>
  startSession(cache, token, user);

/** Signs in. The route's guard then redirects to the home page of the role. */
export const useLogin = () =>
  useCommand((body: Login) => call(authApi.login, { body, ...fromThisDevice() }), {
    onSuccess: begin,
    done: t('Login successful!'),
    onError: (error) => {
      if (!isCodeRequired(error)) toastError(error);
    },
  });

/** Signs in with a passkey. */
export const usePasskeySignIn = () =>
  useCommand(
    async (remember: boolean) => {
      const body = { credential: await signWithPasskey(), remember };
      return call(secondFactorApi.signInWithPasskey, { body, ...fromThisDevice() });
    },
    { onSuccess: begin, done: t('Login successful!') },
  );

/** Creates an account and signs in with it. */
export const useRegister = () =>
  useCommand((body: Register) => call(authApi.register, { body, ...fromThisDevice() }), {
    onSuccess: begin,
    done: t('Registration successful!'),
  });

/** Updates the user's own name, phone and address. */
export const useUpdateProfile = () =>
  useCommand((body: UpdateProfile) => call(usersApi.updateProfile, { body }), {
    onSuccess: (cache, { data: user }) => {
      store.set(userAtom, user);
      cache.setQueryData(authKeys.me(readToken()), user);
    },
    done: t('Profile updated successfully!'),
    onError: toastErrorOfEdit,
  });

/** Sets a new password of the signed-in user. */
export const useChangePassword = () =>
  useCommand(
    (body: ChangePassword) =>
      call(authApi.changePassword, { body, headers: fromThisDevice().headers }),
    {
      onSuccess: (cache) => cache.invalidateQueries({ queryKey: authKeys.sessions }),
      done: t('Password changed. Other devices were signed out.'),
    },
  );

/** Ends one session of the signed-in user. */
export const useEndSession = () =>
  useCommand((id: string) => call(authApi.endSession, { params: { id } }), {
    done: t('Signed out there.'),
    invalidates: authKeys.sessions,
  });

/** Ends every session of the signed-in user but this one. */
export const useEndOtherSessions = () =>
  useCommand(() => call(authApi.endOtherSessions, {}), {
    done: t('Signed out everywhere else.'),
    invalidates: authKeys.sessions,
  });

/** Requests a password reset link. The response is the same whether or not the account exists. */
export const useForgotPassword = () =>
  useCommand(
    (body: ForgotPassword) => call(authApi.forgotPassword, { body, ...fromThisDevice() }),
    { onError: shownByForm },
  );

/** Sets a new password with the token of an emailed link. */
export const useResetPassword = () =>
  useCommand((body: ResetPassword) => call(authApi.resetPassword, { body, ...fromThisDevice() }), {
    onError: shownByForm,
  });
