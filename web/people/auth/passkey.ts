import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { secondFactorApi } from '#contract/people/second-factor/constants';
import type {
  AddPasskey,
  PasskeyOptions,
  SignInWithPasskey,
} from '#contract/people/second-factor/second-factor';
import { call } from '../../platform/api/api.ts';

/** Returns whether this browser can make and use passkeys at this address: not without TLS, but for localhost. */
export const canUsePasskeys = (): boolean =>
  typeof window.PublicKeyCredential === 'function' && window.isSecureContext;

/** Loaded when somebody uses a passkey: most never do. */
const load = () => import('@simplewebauthn/browser');

/** What is said where the browser gave no passkey, by the name of its error. */
const WORDS: Record<string, string> = {
  NotAllowedError: 'The passkey was not unlocked. You can try again.',
  AbortError: 'The passkey was not unlocked. You can try again.',
  InvalidStateError: 'This device has a passkey of your account already.',
  SecurityError: "Passkeys don't work at this address.",
  NotSupportedError: "This device can't make the kind of passkey that is needed.",
  ConstraintError: 'Set up a screen lock or a PIN first: a passkey needs one.',
};

/** Runs a dialog of the browser. @throws an error with a sentence for people */
async function ask<T>(dialog: () => Promise<T>): Promise<T> {
  try {
    return await dialog();
  } catch (error) {
    // The package keeps the name of the browser's error.
    const name = error instanceof Error ? error.name : '';
    throw new Error(WORDS[name] ?? 'The browser could not use a passkey. Please try again.', {
      cause: error,
    });
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
