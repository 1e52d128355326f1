import { createHash, randomInt } from 'node:crypto';
import { verifySync } from 'otplib';
import { RECOVERY_CODES } from '#contract/people/second-factor/constants';
import { withAsciiDigits } from '#contract/platform/text/constants/typed-numbers';

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
