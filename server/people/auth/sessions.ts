import { randomBytes } from 'node:crypto';
import type { SignedInDevice } from '#contract/people/auth/auth';
import type { User } from '#contract/people/users/users';
import { room } from '#contract/platform/events/constants';
import type { Role } from '#contract/platform/http/http';
import type { SecurityChange, StillThere } from '#contract/platform/session/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCaller, lockCallerAlone } from '../../platform/sessions/lock-caller.ts';
import { endSessions, type SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { type membershipInclude, presentUser } from '../users/present.ts';
import { hashPassword } from './password.ts';
import { deleteSources, type Source } from './sources.ts';

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
  if (ended === 0) throw notFound(msg('This session has ended already.'));
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
 * Ends the session of a token, wherever it is connected. One that has run out ends too: its device is to get no more
 * push messages. A token of nobody, or of a session that has ended, has no effect.
 */
export async function logOut(platform: Platform, token: string): Promise<void> {
  const claims = await platform.sessions.read(token);
  if (!claims) return;
  const { userId, sessionId } = claims;
  await transact(platform.db, (tx) => endSessions(tx, userId, { only: sessionId }));
  platform.sessions.invalidate(userId);
}

/** Begins the session of an account that was just opened. */
export async function signInNew(
  platform: Platform,
  account: Prisma.UserGetPayload<{ include: typeof membershipInclude }>,
  { name: device }: Pick<Source, 'name'>,
): Promise<{ token: string; user: User }> {
  const { id: userId, tokenVersion } = account;
  const token = await platform.sessions.issue({ userId, tokenVersion, device });
  return { token, user: presentUser(account) };
}

/** Records that an account was opened. */
export const recordNewUser = (
  tx: Transaction,
  row: Parameters<typeof presentUser>[0],
): Promise<void> =>
  record(tx, { name: 'user.created', data: presentUser(row), rooms: [room.admins] });

/** Gives the private calendar of somebody a new address, if they have one: the one before leads nowhere. */
export const renewCalendarAddress = (tx: Transaction, userId: string): Promise<number> =>
  tx.$executeRaw`
    UPDATE farm_members SET calendar_key = gen_random_uuid()
    WHERE user_id = ${userId}::uuid AND calendar_key IS NOT NULL`;

/**
 * Ends what was made for an account before its address was proven for the first time: anyone who registers with the
 * address of somebody else keeps no way in once its owner comes. The password and the sessions go on, since most who
 * verify an address are those who registered with it.
 * @returns whether anything ended
 */
export async function endWithFirstProof(tx: Transaction, userId: string): Promise<boolean> {
  const where = { userId };
  // The app before its codes: the person who turns it on holds its row until both are written.
  const ended = [
    await tx.authenticatorApp.deleteMany({ where }),
    await tx.recoveryCode.deleteMany({ where }),
    await tx.passkey.deleteMany({ where }),
    await tx.passkeyChallenge.deleteMany({ where }),
    await tx.pushSubscription.deleteMany({ where }),
    await tx.user.updateMany({
      where: { id: userId, phoneVerifiedAt: { not: null } },
      data: { phoneVerifiedAt: null },
    }),
  ];
  const sent = {
    userId: null,
    // Those of an earlier release do not say whose they are.
    OR: [{ invitedBy: userId }, { invitedBy: null, farmId: userId }],
  };
  const invitations = await tx.farmMember.findMany({
    where: sent,
    select: { id: true, farmId: true },
  });
  ended.push(await tx.farmMember.deleteMany({ where: sent }));
  await record(
    tx,
    ...invitations.map(({ id, farmId }) => ({
      name: 'member.changed' as const,
      data: { _id: id },
      rooms: [room.farm(farmId)],
    })),
  );
  return ended.some(({ count }) => count > 0);
}

/**
 * Gives an account a new password by its address, and ends every session and link that somebody without the new
 * password may have. What protects a proven address beside the password stays. Its caller holds `lockAccount`.
 */
export async function endWithReset(
  tx: Transaction,
  userId: string,
  passwordHash: string,
): Promise<void> {
  const where = { userId };
  await tx.user.update({
    where: { id: userId },
    data: { passwordHash, tokenVersion: { increment: 1 } },
    select: { id: true },
  });
  await endSessions(tx, userId);
  await renewCalendarAddress(tx, userId);
  await tx.passkeyChallenge.deleteMany({ where });
  await tx.authenticatorApp.deleteMany({ where: { userId, confirmedAt: null } });
  await tx.emailVerification.updateMany({
    where: { userId, changeId: null, usedAt: null },
    data: { usedAt: new Date() },
  });
  await endResetLinks(tx, userId);
  await deleteSources(tx, userId);
}

/** Ends the links and the change of email that somebody who knew the password before may have asked for. */
export async function endResetLinks(tx: Transaction, userId: string): Promise<void> {
  const now = new Date();
  await tx.passwordReset.updateMany({ where: { userId, usedAt: null }, data: { usedAt: now } });
  await endPendingChange(tx, userId);
}

/** Ends a change of email that waits for its confirmation. @returns whether there was one */
export async function endPendingChange(tx: Transaction, userId: string): Promise<boolean> {
  const { count } = await tx.emailChange.updateMany({
    where: { userId, confirmedAt: null, endedAt: null },
    data: { endedAt: new Date() },
  });
  return count > 0;
}

/** Returns the hash of a password that nobody knows: the account waits for a reset. */
export const hashOfNoPassword = (): Promise<string> =>
  hashPassword(randomBytes(32).toString('base64url'));

/** Returns what still signs in, or is asked for, beside the password. */
export async function findWhatIsLeft(tx: Transaction, userId: string): Promise<StillThere[]> {
  const app = await tx.authenticatorApp.count({ where: { userId, confirmedAt: { not: null } } });
  const codes = await tx.recoveryCode.count({ where: { userId } });
  const passkeys = await tx.passkey.findMany({
    where: { userId },
    select: { device: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return [
    ...(app > 0 ? [{ what: 'app' as const }] : []),
    ...(codes > 0 ? [{ what: 'codes' as const, count: codes }] : []),
    ...passkeys.map(({ device }) => ({ what: 'passkey' as const, device })),
  ];
}

/** What says something of how somebody signed in, and is not audited. */
const UNAUDITED = ['recoveryCodeUsed', 'passwordReset', 'emailVerified'] as const;
type Unaudited = (typeof UNAUDITED)[number];

const isUnaudited = (change: SecurityChange): change is Unaudited =>
  (UNAUDITED as readonly string[]).includes(change);

/**
 * Records that it changed how an account is protected, for the mail to its owner; what admins change of
 * their own account is audited too, since others rely on it.
 * @param device where it was done, in words
 * @param left what protects it still, after a reset
 */
export async function recordSecurityChange(
  tx: Transaction,
  user: { id: string; role: Role },
  change: Exclude<SecurityChange, 'secondFactorRemoved'>,
  device: string,
  left?: readonly StillThere[],
): Promise<void> {
  const isAdmin = user.role === 'admin';
  const data = { _id: user.id, change, device, isAdmin, ...(left ? { left } : {}) };
  await record(tx, { name: 'account.securityChanged', data, rooms: [] });
  if (isAdmin && !isUnaudited(change)) await audit(tx, user, `security.${change}`, user.id);
}
