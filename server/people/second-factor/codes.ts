import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  randomInt,
} from 'node:crypto';
import { verifySync } from 'otplib';
import { RECOVERY_CODES, SECOND_FACTOR_REQUIRED } from '#contract/people/second-factor/constants';
import { msg } from '#contract/platform/text/constants/texts';
import { withAsciiDigits } from '#contract/platform/text/constants/typed-numbers';
import type { Transaction } from '../../../prisma/client.ts';
import type { Role } from '../../../prisma/generated/client.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { recordSecurityChange } from '../auth/sessions.ts';
import type { Source } from '../auth/sources.ts';

/** How far the clock of a phone may be off, in seconds: one step of a code either side. */
const DRIFT_SECONDS = 30;

/** Crockford's base32: no letter looks like a digit, so a code can be read from paper. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 80 bits, which nobody guesses, and nobody finds from a hash either. */
const RECOVERY_LENGTH = 16;

/** Digits, as an app shows them, once spaces are gone. */
const APP_CODE = /^\d{6}$/;

/** Returns the code as it is compared: without spaces and dashes, in upper case, with ASCII digits. */
const normalized = (code: string): string =>
  withAsciiDigits(code.normalize('NFKC'))
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();

/** Returns whether somebody typed the code of an app; anything else can only be a recovery code. */
export const isAppCode = (code: string): boolean => APP_CODE.test(normalized(code));

/**
 * Returns the time step (RFC 6238, 30 seconds) at which an app with this secret shows the code; undefined if none
 * near `now` does. `now` is in milliseconds since the epoch, by the database's clock.
 */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const token = normalized(code);
  if (!APP_CODE.test(token)) return undefined;
  const epoch = Math.floor(now / 1000);
  const result = verifySync({ secret, token, epoch, epochTolerance: DRIFT_SECONDS });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** Makes recovery codes, in groups of four: `7Q2M-04XK-…`. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET[randomInt(32)]);
    return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
  });

/**
 * Returns what is stored of a recovery code, whatever its case and spaces, and with O, I and L for the digits they
 * look like. Without a key, so that the codes outlive a change of JWT_SECRET; bound to the account.
 */
export function hashRecoveryCode(userId: string, code: string): string {
  const letters = normalized(code).replaceAll('O', '0').replace(/[IL]/g, '1');
  return createHash('sha256').update(`${userId} ${letters}`).digest('base64url');
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Derives the key, so that JWT_SECRET itself is used for one thing only. */
const keyOf = (jwtSecret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', jwtSecret, '', 'farmgate authenticator app secret', 32));

/**
 * Encrypts the secret of an authenticator app. A hash would not do, since codes are computed from the secret itself;
 * the key is derived from JWT_SECRET, which is not in the database, so that a copy of the database alone computes
 * no codes. The sealed text is bound to its account: in the row of another one it does not open.
 */
export function sealSecret(jwtSecret: string, userId: string, secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(jwtSecret), iv).setAAD(Buffer.from(userId));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/**
 * Decrypts what {@link sealSecret} returned. Returns undefined where it does not open, as after a change of
 * JWT_SECRET: then no code of the app is right any more, and recovery codes, which do not depend on it, still are.
 */
export function openSecret(jwtSecret: string, userId: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const iv = bytes.subarray(0, IV_BYTES);
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(jwtSecret), iv)
      .setAAD(Buffer.from(userId))
      .setAuthTag(tag);
    const opened = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Returns whether signing in to the account asks for a code. */
export async function hasApp({ db }: Pick<Platform, 'db'>, userId: string): Promise<boolean> {
  const on = await db.authenticatorApp.count({ where: { userId, confirmedAt: { not: null } } });
  return on > 0;
}

/**
 * Takes the code of somebody whose password is right, if the account asks for one. Each code counts once: of two
 * sign-ins with one code at the same moment, one is refused. The caller holds a lock on the user's row.
 * @throws what `missing` returns without a code, 400 at `code` for a wrong one
 */
export async function takeCode(
  { env }: Platform,
  tx: Transaction,
  user: { id: string; role: Role },
  code: string | undefined,
  source: Source,
  missing: () => AppError = codeRequired,
): Promise<void> {
  const [app] = await tx.$queryRaw<{ sealedSecret: string; now: Date }[]>`
    SELECT sealed_secret AS "sealedSecret", clock_timestamp() AS now
    FROM authenticator_apps WHERE user_id = ${user.id}::uuid AND confirmed_at IS NOT NULL`;
  if (!app) return;
  if (!code) throw missing();
  if (isAppCode(code)) {
    const secret = openSecret(env.JWT_SECRET, user.id, app.sealedSecret);
    const step = secret === undefined ? undefined : stepOfCode(secret, code, app.now.getTime());
    if (step === undefined) throw wrongCode();
    const { count } = await tx.authenticatorApp.updateMany({
      where: { userId: user.id, sealedSecret: app.sealedSecret, lastStep: { lt: step } },
      data: { lastStep: step },
    });
    if (count === 0) throw wrongCode();
    return;
  }
  const { count } = await tx.recoveryCode.deleteMany({
    where: { userId: user.id, codeHash: hashRecoveryCode(user.id, code) },
  });
  if (count === 0) throw wrongCode();
  await recordSecurityChange(tx, user, 'recoveryCodeUsed', source.name);
}

/** Asks for a code. Only the person who sent the right password learns that there is a second factor. */
export const codeRequired = () =>
  new AppError(
    401,
    SECOND_FACTOR_REQUIRED,
    msg('Enter the code that your authenticator app shows.'),
  );

const wrongCode = () =>
  invalidField(
    'code',
    msg('That code is not right. Each one counts once: try the next, or a recovery code.'),
  );
