import { hash, verify as verifyHash } from '@node-rs/argon2';

/** Hashes a password with argon2id; the result holds its salt and parameters. */
export const hashPassword = (password: string): Promise<string> => hash(password);

// Computed at start, so that the first unknown account takes no longer than the next.
const dummyHash = hashPassword('nobody has this password');

/**
 * Returns whether the password matches the stored hash. Without one (an unknown account) it returns
 * false after the same time, so that timing does not reveal whether an account exists.
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  const matches = await verifyHash(stored ?? (await dummyHash), password);
  return stored !== undefined && matches;
}
