import type { SignedInDevice } from '#contract/people/auth/auth';
import type { Transaction } from '../../../prisma/client.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCaller, lockCallerAlone } from '../../platform/sessions/lock-caller.ts';
import { endSessions, type SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';

/** Returns where somebody is signed in: the session that asks, then the others, the last seen first. */
export async function listSessions(
  platform: Platform,
  user: SessionUser,
): Promise<SignedInDevice[]> {
  const rows = await platform.db.$queryRaw<Omit<SignedInDevice, 'isCurrent'>[]>`
    SELECT id AS "_id", device, iso_instant(created_at) AS "createdAt",
      iso_instant(last_seen_at) AS "lastSeenAt"
    FROM sessions WHERE user_id = ${user.id}::uuid AND expires_at > now()
    ORDER BY id <> ${user.sessionId}::uuid, last_seen_at DESC, id`;
  return rows.map((row) => ({ ...row, isCurrent: row._id === user.sessionId }));
}

/**
 * Ends one session of the caller, wherever it is connected.
 * @throws 404 no such session of theirs, also when it has ended already
 */
export async function endSession(platform: Platform, user: SessionUser, id: string): Promise<void> {
  const ended = await transact(platform.db, async (tx) => {
    await lockCaller(tx, user.id);
    return endSessions(tx, user.id, { only: id });
  });
  platform.sessions.invalidate(user.id);
  if (ended === 0) throw notFound('This session has ended already.');
}

/**
 * Ends every session of the caller but the one that asks. Who looks for a stranger here may fear for the address of
 * their calendar as well, so it is renewed.
 */
export async function endOtherSessions(platform: Platform, user: SessionUser): Promise<void> {
  await transact(platform.db, async (tx) => {
    await lockCallerAlone(tx, user.id);
    await endSessions(tx, user.id, { except: user.sessionId });
    await renewCalendarAddress(tx, user.id);
  });
  platform.sessions.invalidate(user.id);
}

/**
 * Ends the session of a token, wherever it is connected. One that has run out ends too: its device is to get no more push
 * messages. A token of nobody, or of a session that has ended, has no effect.
 */
export async function logOut(platform: Platform, token: string): Promise<void> {
  const claims = await platform.sessions.read(token);
  if (!claims) return;
  const { userId, sessionId } = claims;
  await transact(platform.db, (tx) => endSessions(tx, userId, { only: sessionId }));
  platform.sessions.invalidate(userId);
}

/** Gives the private calendar of somebody a new address, if they have one: the one before leads nowhere. */
export const renewCalendarAddress = (tx: Transaction, userId: string): Promise<number> =>
  tx.$executeRaw`
    UPDATE farm_members SET calendar_key = gen_random_uuid()
    WHERE user_id = ${userId}::uuid AND calendar_key IS NOT NULL`;
