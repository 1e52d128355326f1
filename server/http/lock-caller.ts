import type { Transaction } from '../../prisma/client.ts';
import { unauthorized } from './errors.ts';

/**
 * Locks the caller's own row until the transaction ends, so that an account cannot be deleted during
 * one of its writes. The lock is shared: writes of the same person do not wait for each other, only for
 * {@link lockAccount}.
 *
 * Lock order of all transactions: the key of a repeatable command (but for an order, which claims it last),
 * the caller's user row, other user rows, named locks, the farm profile, timers of
 * cut-offs, the category, orders, products by
 * ascending id, pickup slots by ascending id, and the event log's head last.
 * @throws 401 when the account is deleted or its person has left the farm that carries its id, also when that
 *   happened while waiting for the lock
 */
export async function lockCaller(tx: Transaction, userId: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users
    WHERE id = ${userId}::uuid AND deleted_at IS NULL AND NOT is_farm FOR KEY SHARE`;
  if (rows.length === 0) throw unauthorized('Your session has ended. Please sign in again.');
}

/**
 * Locks an account exclusively, to delete it: waits for running writes of its owner, and later ones wait
 * for it. Returns false when the account no longer exists.
 */
export async function lockAccount(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${userId}::uuid AND deleted_at IS NULL FOR UPDATE`;
  return rows.length > 0;
}
