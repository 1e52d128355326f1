import {
  canActFor,
  type FarmPermission,
  includesRole,
  type Membership,
  type Worker,
} from '#contract/platform/session/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { forbidden, unauthorized } from '../http/errors.ts';
import type { SessionUser } from './sessions.ts';

/** Refuses a member of a farm whose role does not go that far. */
export const withoutPermission = () =>
  forbidden(msg('Your role on this farm does not include this. Ask an owner of the farm.'));

/** Returns the id of the farm for which the caller acts. @throws 403 who works for no farm */
export function actingFarm({ membership }: SessionUser): string {
  if (!membership) throw forbidden(msg('You do not work for a farm at the moment.'));
  return membership.farmId;
}

/** Requires what an endpoint declares in its `farmPermission`. @throws 403 */
export function requirePermission(user: SessionUser, permission: FarmPermission): void {
  if (!canActFor(user, actingFarm(user), permission)) throw withoutPermission();
}

/** Whether a row of `users` is a person who may act: see {@link lockCaller}. */
export const MAY_ACT = 'deleted_at IS NULL AND suspended_at IS NULL AND NOT is_farm';

/**
 * Locks the caller's own row until the transaction ends, so that an account cannot be deleted or suspended during one
 * of its writes. The lock is shared: writes of the same person do not wait for each other, only for {@link
 * lockAccount}.
 *
 * Lock order of all transactions: the key of a repeatable command (but for an order, which claims it last), the
 * caller's user row and their role on a farm, other user rows, named locks, the market's settings, the farm profile,
 * timers of cut-offs and alerts, the category, orders, products by ascending id, pickup slots and then alerts by ascending
 * id, and the event log's head last.
 * @throws 401 when the account is deleted or suspended, or its person has left the farm that carries its id, also when
 * that
 *   happened while waiting for the lock
 */
export async function lockCaller(tx: Transaction, userId: string): Promise<void> {
  if (!(await lockUser(tx, userId, MAY_ACT, 'KEY SHARE'))) throw sessionEnded();
}

/**
 * Locks the caller as {@link lockCaller} does, and alone: for a write that counts what the same person has already,
 * which of two at the same moment would see the same number.
 * @throws 401 as {@link lockCaller}
 */
export async function lockCallerAlone(tx: Transaction, userId: string): Promise<void> {
  if (!(await lockUser(tx, userId, MAY_ACT, 'NO KEY UPDATE'))) throw sessionEnded();
}

/** Refuses somebody who is no longer signed in, or no longer as who they were. */
export const sessionEnded = () =>
  unauthorized(msg('Your session has ended. Please sign in again.'));

/**
 * Locks an account exclusively, to delete or suspend it: waits for running writes of its owner, and later ones wait
 * for it. Returns false when the account no longer exists.
 */
export const lockAccount = (tx: Transaction, userId: string): Promise<boolean> =>
  lockUser(tx, userId, 'deleted_at IS NULL', 'UPDATE');

/** Locks a row of `users` until the transaction ends. Returns whether it is there and meets the condition then. */
async function lockUser(
  tx: Transaction,
  id: string,
  condition: string,
  strength: 'KEY SHARE' | 'NO KEY UPDATE' | 'UPDATE',
): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM users WHERE id = ${id}::uuid AND ${Prisma.raw(condition)}
    FOR ${Prisma.raw(strength)}`;
  return rows.length > 0;
}

/** What {@link LOCKED_WORKER} selects. */
export interface LockedWorker {
  isThere: boolean;
  /** Their role on a farm by now; null where they have none, or were not said to work for one. */
  role: Membership | null;
}

/**
 * The parts of a statement that lock the caller `$1`, and then their role where `$2` says that they work for a farm.
 * What is locked after it asks for `(SELECT count(*) FROM worker) <= 1`, so that it is.
 */
export const LOCK_WORKER = `caller AS MATERIALIZED (
    SELECT id FROM users
    WHERE id = $1::uuid AND ${MAY_ACT}
    FOR KEY SHARE
  ), worker AS MATERIALIZED (
    SELECT farm_id, role FROM farm_members
    WHERE user_id = (SELECT id FROM caller) AND $2::boolean
    FOR SHARE
  )`;

/** What a statement with {@link LOCK_WORKER} selects for {@link requireWorker}. */
export const LOCKED_WORKER = `EXISTS (SELECT FROM caller) AS "isThere",
  (SELECT json_build_object('farmId', farm_id, 'role', role) FROM worker) AS role`;

/**
 * Locks the caller as {@link lockCaller} does and, for anyone who works for a farm, their role there too: it can
 * be changed or taken away before the command, which is then refused, or after it, and not meanwhile. The
 * role is locked right after the caller.
 * @throws 401 as {@link lockCaller}, or when they were removed from the farm; 403 when their role includes less
 *   than when the command began
 */
export async function lockWorker(tx: Transaction, user: Worker & { id: string }): Promise<void> {
  const [locked] = await tx.$queryRawUnsafe<LockedWorker[]>(
    `WITH ${LOCK_WORKER} SELECT ${LOCKED_WORKER}`,
    user.id,
    user.membership !== null,
  );
  requireWorker(locked, user);
}

/** Refuses anyone who is no longer who the command began for. @throws as {@link lockWorker} */
export function requireWorker(locked: LockedWorker | undefined, { membership }: Worker): void {
  if (!locked?.isThere) throw sessionEnded();
  if (membership) requireRole(locked.role, membership);
}

/** Locks the caller's role on their farm alone; see {@link lockWorker}. */
export async function lockRole(
  tx: Transaction,
  { id, membership }: Worker & { id: string },
): Promise<void> {
  if (!membership) return;
  const [now] = await tx.$queryRaw<Membership[]>`
    SELECT farm_id AS "farmId", role FROM farm_members WHERE user_id = ${id}::uuid FOR SHARE`;
  requireRole(now, membership);
}

/** @throws 401 when they no longer work for the farm, 403 when their role there includes less by now */
function requireRole(now: Membership | null | undefined, began: Membership): void {
  if (now?.farmId !== began.farmId) throw sessionEnded();
  if (!includesRole(now.role, began.role)) throw withoutPermission();
}
