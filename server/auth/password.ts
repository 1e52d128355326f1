import { hash, verify } from '@node-rs/argon2';

/** Turns a password into what may be stored: argon2id, with its own salt and parameters. */
export const hashPassword = (password: string): Promise<string> => hash(password);

let nobodysHash: Promise<string> | undefined;

/**
 * Whether the password is the one behind `stored`. Without one (an unknown account) it takes the
 * same time and answers no, so that the time does not tell whether an account exists.
 */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  nobodysHash ??= hashPassword('nobody has this password');
  const matches = await verify(stored ?? (await nobodysHash), password);
  return stored !== undefined && matches;
}
