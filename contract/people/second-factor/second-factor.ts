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
import { endpoint } from '#contract/platform/http/endpoint';
import { Done, Id, Instant, idParams, one, text } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

/** A code of an authenticator app, or a recovery code, as somebody types it: with spaces, in any case. */
export const SecondFactorCode = text(60, 'Enter the code.').min(1, 'Enter the code.');

export const ConfirmApp = z.object({ code: SecondFactorCode });
export type ConfirmApp = z.infer<typeof ConfirmApp>;

export const Passkey = z
  .object({
    _id: Id,
    /** What it was made with, in words, such as 'Firefox on Linux'. */
    device: z.string(),
    createdAt: Instant,
    /** Null until somebody signs in with it. */
    lastUsedAt: Instant.nullable(),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.infer<typeof Passkey>;

/** How an account is protected beside its password. */
export const SecondFactor = z
  .object({
    /** Null while no authenticator app is on. */
    app: z.object({ since: Instant, recoveryCodesLeft: z.number().int() }).nullable(),
    /** The newest first. */
    passkeys: z.array(Passkey),
  })
  .meta({ id: 'SecondFactor' });
export type SecondFactor = z.infer<typeof SecondFactor>;

/** What an authenticator app is set up with. */
export const AppSetup = z
  .object({
    /** In base32, for typing it in. */
    secret: z.string(),
    /** The same as an `otpauth:` address, for a QR code. */
    uri: z.string(),
  })
  .meta({ id: 'AppSetup' });
export type AppSetup = z.infer<typeof AppSetup>;

/** Recovery codes, which are shown this once. */
export const RecoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()) })
  .meta({ id: 'RecoveryCodes' });
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
  reason: text(REMOVAL_REASON_MAX, 'Write how you know who asks.').min(
    1,
    'Write how you know who asks.',
  ),
});
export type RemoveSecondFactor = z.infer<typeof RemoveSecondFactor>;

/** Options for the browser, in the form of WebAuthn's JSON. */
export const PasskeyOptions = z
  .looseObject({ challenge: z.string() })
  .meta({ id: 'PasskeyOptions' });
export type PasskeyOptions = z.infer<typeof PasskeyOptions>;

export const secondFactorApi = {
  read: endpoint({
    ...calls.read,
    summary: 'How the signed-in user is protected beside the password',
    access: ROLES,
    answer: one(SecondFactor),
  }),
  beginApp: endpoint({
    ...calls.beginApp,
    summary: 'Begin to set up an authenticator app; it asks for codes once one is confirmed',
    access: ROLES,
    body: Confirmation,
    answer: one(AppSetup),
    rate: 'login',
    failures: [409],
  }),
  confirmApp: endpoint({
    ...calls.confirmApp,
    summary: 'Turn the authenticator app on with a code of it; the answer has the recovery codes',
    access: ROLES,
    body: ConfirmApp,
    answer: one(RecoveryCodes),
    rate: 'login',
    failures: [409],
  }),
  makeRecoveryCodes: endpoint({
    ...calls.makeRecoveryCodes,
    summary: 'Make new recovery codes, in the place of all earlier ones',
    access: ROLES,
    body: Confirmation,
    answer: one(RecoveryCodes),
    rate: 'login',
    failures: [409],
  }),
  turnOffApp: endpoint({
    ...calls.turnOffApp,
    summary: 'Turn the authenticator app off; its recovery codes end with it',
    access: ROLES,
    body: Confirmation,
    answer: Done,
    rate: 'login',
    failures: [409],
  }),
  beginPasskey: endpoint({
    ...calls.beginPasskey,
    summary: 'What the browser needs to make a passkey, within five minutes',
    access: ROLES,
    body: Confirmation,
    answer: one(PasskeyOptions),
    rate: 'login',
    failures: [409],
  }),
  addPasskey: endpoint({
    ...calls.addPasskey,
    summary: 'Keep a passkey that the browser made',
    access: ROLES,
    body: AddPasskey,
    answer: one(Passkey),
    status: 201,
    rate: 'login',
    failures: [409],
  }),
  removePasskey: endpoint({
    ...calls.removePasskey,
    summary: 'Remove a passkey: nobody signs in with it any more',
    access: ROLES,
    params: idParams('Passkey not found'),
    body: Confirmation,
    answer: Done,
    rate: 'login',
    failures: [404],
  }),
  removeOfUser: endpoint({
    ...calls.removeOfUser,
    summary:
      'Remove the app, recovery codes and passkeys of somebody else who lost them; their sessions end',
    access: ['admin'],
    params: idParams('User not found'),
    body: RemoveSecondFactor,
    answer: Done,
    rate: 'writes',
    failures: [403, 404, 409],
  }),
  beginPasskeySignIn: endpoint({
    ...calls.beginPasskeySignIn,
    summary:
      'What the browser needs to sign in with a passkey, or to confirm with one, within five minutes',
    access: 'public',
    answer: one(PasskeyOptions),
    // Nothing can be guessed here.
    rate: 'writes',
  }),
  signInWithPasskey: endpoint({
    ...calls.signInWithPasskey,
    summary: 'Sign in with a passkey, which counts as both factors',
    access: 'public',
    body: SignInWithPasskey,
    answer: Session,
    rate: 'writes',
    failures: [401],
    readsDeviceId: true,
  }),
};

declare module '#contract/platform/http/endpoint' {
  interface ApiRegistry {
    secondFactor: typeof secondFactorApi;
  }
}
