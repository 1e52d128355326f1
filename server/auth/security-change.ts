import type { Role } from '#contract/http';
import type { Transaction } from '../../prisma/client.ts';
import type { SecurityChange } from '../events/event.ts';
import { record } from '../events/event-log.ts';
import { audit } from '../process/audit.ts';

/**
 * Records that it changed how an account is protected, for the mail to its owner; what admins change of
 * their own account is audited too, since others rely on it.
 * @param device where it was done, in words
 */
export async function recordSecurityChange(
  tx: Transaction,
  user: { id: string; role: Role },
  change: Exclude<SecurityChange, 'secondFactorRemoved'>,
  device: string,
): Promise<void> {
  const isAdmin = user.role === 'admin';
  const data = { _id: user.id, change, device, isAdmin };
  await record(tx, { name: 'account.securityChanged', data, rooms: [] });
  // A code that is used is a sign-in, which is not audited.
  if (isAdmin && change !== 'recoveryCodeUsed') {
    await audit(tx, user, `security.${change}`, user.id);
  }
}
