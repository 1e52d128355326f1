import type { Transaction } from '../../prisma/client.ts';
import { type AppError, invalidField } from '../http/errors.ts';
import { sessionEnded } from '../http/lock-caller.ts';
import type { Platform } from '../http/platform.ts';
import { verifyPassword } from './password.ts';

/**
 * Checks the password of somebody who is signed in, before they change what only its owner may.
 * @returns the hash it matched, for {@link lockWithPassword}
 * @throws what `refusal` returns (400 at `password`) for a wrong one, 401 the account is gone
 */
export async function confirmPassword(
  { db }: Platform,
  userId: string,
  password: string,
  refusal: () => AppError = wrongPassword,
): Promise<string> {
  const known = await db.user.findUnique({
    where: { id: userId, deletedAt: null, isFarm: false },
    select: { passwordHash: true },
  });
  if (!known) throw sessionEnded();
  if (!(await verifyPassword(known.passwordHash, password))) throw refusal();
  return known.passwordHash;
}

/**
 * Locks the caller's own row, in the place of `lockCaller`, if it still has the password that was confirmed: of a
 * new password and a change that relies on the old one at the same moment, the old one no longer counts.
 * @throws 400 at `password`, 401 as `lockCaller`
 */
export async function lockWithPassword(
  tx: Transaction,
  userId: string,
  passwordHash: string,
): Promise<void> {
  const [row] = await tx.$queryRaw<{ hash: string }[]>`
    SELECT password_hash AS hash FROM users
    WHERE id = ${userId}::uuid AND deleted_at IS NULL AND NOT is_farm FOR SHARE`;
  if (!row) throw sessionEnded();
  if (row.hash !== passwordHash) throw wrongPassword();
}

/** Refuses a password that is not the account's. */
export const wrongPassword = () => invalidField('password', 'That is not your password.');
