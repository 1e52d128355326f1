import { randomUUID } from 'node:crypto';
import type { Login, Register, ResetPassword } from '#contract/auth';
import { room } from '#contract/realtime';
import type { User } from '#contract/users';
import { conflict, invalid, unauthorized } from '../platform/errors.ts';
import { record } from '../platform/event-log.ts';
import type { Platform } from '../platform/platform.ts';
import { isDuplicate, transact } from '../platform/postgres.ts';
import { hashSecretToken } from '../platform/secret-token.ts';
import { presentUser } from '../users/present.ts';
import { hashPassword, isPassword } from './password.ts';

interface SignedIn {
  token: string;
  user: User;
}

/**
 * Opens an account; a farmer gets an empty farm profile with it.
 * @throws 409 EMAIL_TAKEN, also when two register the same address at once
 */
export async function register(platform: Platform, input: Register): Promise<SignedIn> {
  const { name, email, role, phone, address } = input;
  const passwordHash = await hashPassword(input.password);
  try {
    const row = await transact(platform.db, async (tx) => {
      const created = await tx.user.create({
        data: {
          name,
          email,
          role,
          phone,
          ...address,
          passwordHash,
          ...(role === 'farmer' ? { farm: { create: {} } } : {}),
        },
      });
      await record(tx, {
        name: 'user.created',
        data: presentUser(created),
        rooms: [room.admins],
      });
      return created;
    });
    const token = await platform.sessions.issue(row.id, row.tokenVersion, false);
    return { token, user: presentUser(row) };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw conflict('EMAIL_TAKEN', 'An account with this email already exists.', [
      { path: 'email', message: 'This email is already registered.' },
    ]);
  }
}

/**
 * Signs in.
 * @throws 401 for an unknown email and a wrong password alike, after the same time
 */
export async function login(platform: Platform, input: Login): Promise<SignedIn> {
  const row = await platform.db.user.findUnique({ where: { email: input.email } });
  const stored = row && !row.deletedAt ? row.passwordHash : undefined;
  if (!(await isPassword(stored, input.password)) || !row) {
    throw unauthorized('The email or the password is not right.');
  }
  const token = await platform.sessions.issue(row.id, row.tokenVersion, input.remember);
  return { token, user: presentUser(row) };
}

/** The signed-in user as stored now. @throws 401 when the account was deleted this moment */
export async function readMe(platform: Platform, userId: string): Promise<User> {
  const row = await platform.db.user.findUnique({ where: { id: userId, deletedAt: null } });
  if (!row) throw unauthorized('Your session has ended. Please sign in again.');
  return presentUser(row);
}

/**
 * Asks for a reset link. A worker makes and mails it, so that neither answer nor time tells whether
 * the address is known: an unknown one does the same work under an id that is nobody's.
 */
export async function requestReset(platform: Platform, email: string): Promise<void> {
  const row = await platform.db.user.findUnique({
    where: { email, deletedAt: null },
    select: { id: true },
  });
  await record(platform.db, {
    name: 'password.resetRequested',
    data: { _id: row?.id ?? randomUUID() },
    rooms: [],
  });
}

/**
 * Sets a new password by the token of a reset link, which counts once; every session and every
 * other link of the account ends.
 * @throws 400 when the link was used, is too old or never was
 */
export async function resetPassword(platform: Platform, input: ResetPassword): Promise<void> {
  const passwordHash = await hashPassword(input.password);
  const userId = await transact(platform.db, async (tx) => {
    const now = new Date();
    const tokenHash = hashSecretToken(input.token);
    // The update is the claim: of two who bring the same link, one changes the row.
    const { count } = await tx.passwordReset.updateMany({
      where: { tokenHash, usedAt: null, expiresAt: { gt: now }, user: { deletedAt: null } },
      data: { usedAt: now },
    });
    const reset = await tx.passwordReset.findUnique({ where: { tokenHash } });
    if (count === 0 || !reset) {
      throw invalid('This link was used already or is too old. Please ask for a new one.', [
        { path: 'token', message: 'This link no longer works.' },
      ]);
    }
    await tx.passwordReset.updateMany({
      where: { userId: reset.userId, usedAt: null },
      data: { usedAt: now },
    });
    await tx.user.update({
      where: { id: reset.userId },
      data: { passwordHash, tokenVersion: { increment: 1 } },
      select: { id: true },
    });
    await record(tx, { name: 'session.changed', data: { _id: reset.userId }, rooms: [] });
    return reset.userId;
  });
  platform.sessions.forget(userId);
}
