import { createHash } from 'node:crypto';
import { hash, verify as verifyHash } from '@node-rs/argon2';
import { normalPassword } from '#contract/people/auth/constants';

/** Hashes a password in its normal form with argon2id; the result holds its salt and parameters. */
export const hashPassword = (password: string): Promise<string> => hash(normalPassword(password));

/**
 * Returns every form in which the hash may hold this password. Hashes from before the normal form are of what was
 * typed: composed letters, decomposed ones, or as now. A password of ASCII has one form.
 */
const formsOf = (password: string): Set<string> =>
  new Set([
    normalPassword(password),
    password,
    password.normalize('NFC'),
    password.normalize('NFD'),
  ]);

// Computed at start, so that the first unknown account takes no longer than the next.
const dummyHash = hashPassword('nobody has this password');

/**
 * Returns whether the password matches the stored hash, in any form. Without one (an unknown account) it returns
 * false after the same time, so that timing does not reveal whether an account exists.
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  const hashed = stored ?? (await dummyHash);
  for (const form of formsOf(password)) {
    if (await verifyHash(hashed, form)) return stored !== undefined;
  }
  return false;
}

/** Returns the SHA-256 of a mailed secret in hex: only the hash is stored. */
export const hashSecretToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
