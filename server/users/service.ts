import type { Page } from '#contract/platform';
import { room } from '#contract/realtime';
import type { UpdateProfile, User, UserListQuery } from '#contract/users';
import { NEWEST_FIRST, olderThan, timePlace, toPage } from '../platform/cursor.ts';
import { defined } from '../platform/defined.ts';
import { unauthorized } from '../platform/errors.ts';
import { record } from '../platform/event-log.ts';
import type { Platform } from '../platform/platform.ts';
import { likeLiteral, transact } from '../platform/postgres.ts';
import type { SessionUser } from '../platform/sessions.ts';
import { presentUser } from './present.ts';

/**
 * Changes the user's own name, phone and address; what is left out keeps what it was.
 * @throws 401 when the account was deleted this moment
 */
export async function updateProfile(
  platform: Platform,
  user: SessionUser,
  { address, ...fields }: UpdateProfile,
): Promise<User> {
  const row = await transact(platform.db, async (tx) => {
    const [updated] = await tx.user.updateManyAndReturn({
      where: { id: user.id, deletedAt: null },
      data: defined({ ...fields, ...address }),
    });
    if (!updated) throw unauthorized('Your session has ended. Please sign in again.');
    await record(tx, { name: 'session.changed', data: { _id: user.id }, rooms: [] });
    if (user.role === 'farmer') {
      await record(tx, { name: 'farmer.updated', data: { _id: user.id }, rooms: [room.everyone] });
    }
    return updated;
  });
  platform.sessions.forget(user.id);
  return presentUser(row);
}

/** All accounts, newest first, by part of a name or email and by role. */
export async function listUsers(
  { db }: Platform,
  { limit, cursor, search, role }: UserListQuery,
): Promise<Page<User>> {
  const contains = search && { contains: likeLiteral(search), mode: 'insensitive' as const };
  const rows = await db.user.findMany({
    where: {
      deletedAt: null,
      ...(role ? { role } : {}),
      ...(contains ? { OR: [{ name: contains }, { email: contains }] } : {}),
      ...olderThan(cursor),
    },
    orderBy: [...NEWEST_FIRST],
    take: limit + 1,
  });
  const page = toPage(rows, limit, timePlace);
  return { items: page.rows.map(presentUser), nextCursor: page.nextCursor };
}
