import type { SignedInDevice } from '#contract/auth';
import { record } from '../events/event-log.ts';
import { notFound } from '../http/errors.ts';
import { lockCaller } from '../http/lock-caller.ts';
import type { Platform } from '../http/platform.ts';
import type { SessionUser } from '../http/sessions.ts';
import { transact } from '../process/postgres.ts';

/** Returns where somebody is signed in: the session that asks, then the others, the last seen first. */
export async function listSessions(
  platform: Platform,
  user: SessionUser,
): Promise<SignedInDevice[]> {
  const rows = await platform.db.session.findMany({
    where: { userId: user.id, expiresAt: { gt: new Date() } },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'asc' }],
  });
  const sessions = rows.map(({ id, device, createdAt, lastSeenAt }) => ({
    _id: id,
    device,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    isCurrent: id === user.sessionId,
  }));
  return sessions.sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}

/**
 * Ends one session of the caller, wherever it is connected.
 * @throws 404 no such session of theirs, also when it has ended already
 */
export async function endSession(platform: Platform, user: SessionUser, id: string): Promise<void> {
  const ended = await end(platform, user, { id });
  if (ended === 0) throw notFound('This session has ended already.');
}

/** Ends the session that asks, wherever it is connected. */
export async function logOut(platform: Platform, user: SessionUser): Promise<void> {
  await end(platform, user, { id: user.sessionId });
}

/** Ends every session of the caller but the one that asks. */
export async function endOtherSessions(platform: Platform, user: SessionUser): Promise<void> {
  await end(platform, user, { id: { not: user.sessionId } });
}

/** @returns how many ended */
async function end(
  platform: Platform,
  user: SessionUser,
  which: { id: string | { not: string } },
): Promise<number> {
  const count = await transact(platform.db, async (tx) => {
    await lockCaller(tx, user.id);
    const ended = await tx.session.deleteMany({ where: { userId: user.id, ...which } });
    if (ended.count > 0) {
      await record(tx, { name: 'session.changed', data: { _id: user.id }, rooms: [] });
    }
    return ended.count;
  });
  platform.sessions.invalidate(user.id);
  return count;
}
