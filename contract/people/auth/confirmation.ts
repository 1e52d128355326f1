import { normalPassword, PASSWORD_MAX_LENGTH } from '#contract/people/auth/constants';
import { text, type Words } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

const bytes = (max: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]*={0,2}$/)
    .max(max);

/** What `navigator.credentials` gives in any case, as `toJSON()` writes it; extended by what a use needs. */
export const credentialFields = {
  id: bytes(2000).min(1),
  rawId: bytes(2000).min(1),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional(),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

/** The answer of an authenticator to `navigator.credentials.create()`. */
export const CredentialCreation = z.object({
  clientDataJSON: bytes(8000),
  attestationObject: bytes(40_000),
  transports: z.array(text(30)).max(10).optional(),
});

/** What `navigator.credentials.get()` gave, as `toJSON()` writes it. */
export const SignedChallenge = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: bytes(8000),
    authenticatorData: bytes(8000),
    signature: bytes(8000),
    userHandle: bytes(200).nullish(),
  }),
});
export type SignedChallenge = z.infer<typeof SignedChallenge>;

/** What an account with an authenticator app asks for beside the password: one of the two. */
export const secondFactorFields = {
  /** A code of the authenticator app, or a recovery code. */
  code: text(60).optional(),
  /** A passkey of the account, which signed what `POST /auth/passkeys/sign-in/begin` gave. */
  passkey: SignedChallenge.optional(),
};

/** A password that is compared with the account's. It stays as typed, since old hashes are of what was typed. */
export const typedPassword = (missing: Words, wrong: Words) =>
  z
    .string({ error: missing })
    .min(1, { error: missing })
    .refine((password) => normalPassword(password).length <= PASSWORD_MAX_LENGTH, { error: wrong });

/**
 * The password once more, and the second factor where the account has one: anyone who finds a device unlocked, or knows
 * the password alone, cannot change how its owner signs in.
 */
export const Confirmation = z.object({
  password: typedPassword(
    () => t('Enter your password.'),
    () => t('That is not your password.'),
  ),
  ...secondFactorFields,
});
export type Confirmation = z.infer<typeof Confirmation>;
