import type { Role } from '#contract/platform/http/http';
import type { Transaction } from '../../../prisma/client.ts';
import type { SecurityChange } from '../../platform/events/event.ts';
import { record } from '../../platform/events/event-log.ts';
import { audit } from '../../platform/stores/audit.ts';

/** What says something of how somebody signed in, and is not audited. */
const UNAUDITED = ['recoveryCodeUsed', 'passwordReset', 'emailVerified'] as const;
type Unaudited = (typeof UNAUDITED)[number];

const isUnaudited = (change: SecurityChange): change is Unaudited =>
  (UNAUDITED as readonly string[]).includes(change);

/**
 * Records that it changed how an account is protected, for the mail to its owner; what admins change of
 * their own account is audited too, since others rely on it.
 * @param device where it was done, in words
 * @param left what protects it still, in words, after a reset
 */
export async function recordSecurityChange(
  tx: Transaction,
  user: { id: string; role: Role },
  change: Exclude<SecurityChange, 'secondFactorRemoved'>,
  device: string,
  left?: readonly string[],
): Promise<void> {
  const isAdmin = user.role === 'admin';
  const data = { _id: user.id, change, device, isAdmin, ...(left ? { left } : {}) };
  await record(tx, { name: 'account.securityChanged', data, rooms: [] });
  if (isAdmin && !isUnaudited(change)) await audit(tx, user, `security.${change}`, user.id);
}
