import { Session } from '#contract/auth';
import { PASSWORD_MAX_LENGTH } from '#contract/constants/auth';
import { secondFactorApi as calls } from '#contract/constants/second-factor';
import { Done, endpoint, Id, Instant, idParams, one, ROLES, text } from '#contract/http';
import { z } from '#contract/zod';

export * from '#contract/constants/second-factor';

/** The password once more: whoever finds a device unlocked cannot change how its owner signs in. */
export const WithPassword = z.object({
  password: z
    .string()
    .min(1, 'Enter your password.')
    .max(PASSWORD_MAX_LENGTH, 'That is not your password.'),
});
export type WithPassword = z.infer<typeof WithPassword>;

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

/** Recovery codes, which are told this once. */
export const RecoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()) })
  .meta({ id: 'RecoveryCodes' });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

const bytes = (max: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]*={0,2}$/)
    .max(max);

const credential = {
  id: bytes(2000).min(1),
  rawId: bytes(2000).min(1),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional(),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

/** What `navigator.credentials.create()` gave, as `toJSON()` writes it. */
export const AddPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8000),
    attestationObject: bytes(40_000),
    transports: z.array(text(30)).max(10).optional(),
  }),
});
export type AddPasskey = z.infer<typeof AddPasskey>;

/** What `navigator.credentials.get()` gave, as `toJSON()` writes it. */
export const SignInWithPasskey = z.object({
  credential: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(8000),
      authenticatorData: bytes(8000),
      signature: bytes(8000),
      userHandle: bytes(200).nullish(),
    }),
  }),
  /** Lengthens the token's life. */
  remember: z.boolean().default(false),
});
export type SignInWithPasskey = z.infer<typeof SignInWithPasskey>;

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
    body: WithPassword,
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
    body: WithPassword,
    answer: one(RecoveryCodes),
    rate: 'login',
    failures: [409],
  }),
  turnOffApp: endpoint({
    ...calls.turnOffApp,
    summary: 'Turn the authenticator app off; its recovery codes end with it',
    access: ROLES,
    body: WithPassword,
    answer: Done,
    rate: 'login',
    failures: [409],
  }),
  beginPasskey: endpoint({
    ...calls.beginPasskey,
    summary: 'What the browser needs to make a passkey, within five minutes',
    access: ROLES,
    body: WithPassword,
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
    body: WithPassword,
    answer: Done,
    rate: 'login',
    failures: [404],
  }),
  beginPasskeySignIn: endpoint({
    ...calls.beginPasskeySignIn,
    summary: 'What the browser needs to sign in with a passkey, within five minutes',
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
