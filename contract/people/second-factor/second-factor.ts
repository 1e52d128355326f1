import { Session } from '#contract/people/auth/auth';
import {
  Confirmation,
  CredentialCreation,
  credentialFields,
  SignedChallenge,
} from '#contract/people/auth/confirmation';
import {
  secondFactorApi as calls,
  REMOVAL_REASON_MAX,
} from '#contract/people/second-factor/constants';
import { ROLES } from '#contract/platform/http/constants';
import { endpoints } from '#contract/platform/http/endpoint';
import { Id, Instant, idParams, named, one, requiredText } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

/** A code of an authenticator app, or a recovery code, as somebody types it: with spaces, in any case. */
export const SecondFactorCode = requiredText(60, () => t('Enter the code.'));

export const ConfirmApp = z.object({ code: SecondFactorCode });

export const Passkey = named('Passkey', {
  _id: Id,
  /** What it was made with, in words, such as 'Firefox on Linux'. */
  device: z.string(),
  createdAt: Instant,
  /** Null until somebody signs in with it. */
  lastUsedAt: Instant.nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** How an account is protected beside its password. */
export const SecondFactor = named('SecondFactor', {
  /** Null while no authenticator app is on. */
  app: z.object({ since: Instant, recoveryCodesLeft: z.int() }).nullable(),
  /** The newest first. */
  passkeys: z.array(Passkey),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

/** What an authenticator app is set up with. */
export const AppSetup = named('AppSetup', {
  /** In base32, for typing it in. */
  secret: z.string(),
  /** The same as an `otpauth:` address, for a QR code. */
  uri: z.string(),
});
export type AppSetup = z.infer<typeof AppSetup>;

/** Recovery codes, which are shown this once. */
export const RecoveryCodes = named('RecoveryCodes', { recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/** What `navigator.credentials.create()` gave, as `toJSON()` writes it. */
export const AddPasskey = z.object({ ...credentialFields, response: CredentialCreation });
export type AddPasskey = z.infer<typeof AddPasskey>;

export const SignInWithPasskey = z.object({
  credential: SignedChallenge,
  /** Lengthens the token's life. */
  remember: z.boolean().default(false),
});
export type SignInWithPasskey = z.infer<typeof SignInWithPasskey>;

/** Removes the second factor of somebody who lost it. The reason is for the audit alone. */
export const RemoveSecondFactor = z.object({
  reason: requiredText(REMOVAL_REASON_MAX, () => t('Write how you know who asks.')),
});
export type RemoveSecondFactor = z.infer<typeof RemoveSecondFactor>;

/** Options for the browser, in the form of WebAuthn's JSON. */
export const PasskeyOptions = z
  .looseObject({ challenge: z.string() })
  .meta({ id: 'PasskeyOptions' });
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

export const secondFactorApi = endpoints(calls, {
  read: {
    summary: 'How the signed-in user is protected beside the password',
    access: ROLES,
    answer: one(SecondFactor),
  },
  beginApp: {
    summary: 'Begin to set up an authenticator app; it asks for codes once one is confirmed',
    access: ROLES,
    body: Confirmation,
    answer: one(AppSetup),
    rate: 'login',
    failures: [409],
  },
  confirmApp: {
    summary: 'Turn the authenticator app on with a code of it; the answer has the recovery codes',
    access: ROLES,
    body: ConfirmApp,
    answer: one(RecoveryCodes),
    rate: 'login',
    failures: [409],
  },
  makeRecoveryCodes: {
    summary: 'Make new recovery codes, in the place of all earlier ones',
    access: ROLES,
    body: Confirmation,
    answer: one(RecoveryCodes),
    rate: 'login',
    failures: [409],
  },
  turnOffApp: {
    summary: 'Turn the authenticator app off; its recovery codes end with it',
    access: ROLES,
    body: Confirmation,
    rate: 'login',
    failures: [409],
  },
  beginPasskey: {
    summary: 'What the browser needs to make a passkey, within five minutes',
    access: ROLES,
    body: Confirmation,
    answer: one(PasskeyOptions),
    rate: 'login',
    failures: [409],
  },
  addPasskey: {
    summary: 'Keep a passkey that the browser made',
    access: ROLES,
    body: AddPasskey,
    answer: one(Passkey),
    status: 201,
    rate: 'login',
    failures: [409],
  },
  removePasskey: {
    summary: 'Remove a passkey: nobody signs in with it any more',
    access: ROLES,
    params: idParams(() => t('Passkey not found')),
    body: Confirmation,
    rate: 'login',
  },
  removeOfUser: {
    summary:
      'Remove the app, recovery codes and passkeys of somebody else who lost them; their sessions end',
    access: ['admin'],
    params: idParams(() => t('User not found')),
    body: RemoveSecondFactor,
    failures: [403],
  },
  beginPasskeySignIn: {
    summary:
      'What the browser needs to sign in with a passkey, or to confirm with one, within five minutes',
    access: 'public',
    answer: one(PasskeyOptions),
    // Nothing can be guessed here.
  },
  signInWithPasskey: {
    summary: 'Sign in with a passkey, which counts as both factors',
    access: 'public',
    body: SignInWithPasskey,
    answer: Session,
    failures: [401],
    readsDeviceId: true,
  },
});
