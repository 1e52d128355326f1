import type { UpdateProfile, User } from '#contract/people/users/users';
import { requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { defined } from '../../platform/process/defined.ts';
import { afterCommit } from '../../platform/process/request-context.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { membershipInclude, presentUser } from './present.ts';
import { followProfile, recordProfileChange } from './profile-address.ts';

export { listAddresses, noteAddressUsed } from './addresses.ts';
export { listUsers, NOTHING_FOR_SALE } from './list.ts';
export { followProfile, recordProfileChange } from './profile-address.ts';

/**
 * Updates the given fields of the user's own name, phone, address and wish for shortages.
 * @throws 401 when the account was just deleted, 409 VERSION_CONFLICT
 */
export async function updateProfile(
  platform: Platform,
  user: SessionUser,
  { address, expectedVersion, ...fields }: UpdateProfile,
): Promise<User> {
  const row = await transact(platform.db, async (tx) => {
    await lockCaller(tx, user.id);
    if (expectedVersion !== undefined) {
      await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${user.id}::uuid FOR NO KEY UPDATE`;
      // A separate statement, so that it sees what was committed while waiting for the lock.
      const before = await tx.user.findUniqueOrThrow({
        where: { id: user.id },
        include: membershipInclude,
      });
      await requireVersion(expectedVersion, before.version, () => presentUser(before));
    }
    const updated = await tx.user.update({
      where: { id: user.id },
      data: { ...defined({ ...fields, ...address }), version: { increment: 1 } },
      include: membershipInclude,
    });
    if (address) {
      await followProfile(tx, updated);
    }
    await recordProfileChange(tx, user);
    return updated;
  });
  afterCommit(() => platform.sessions.invalidate(user.id));
  return presentUser(row);
}
