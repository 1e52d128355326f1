import { randomUUID } from 'node:crypto';
import type { Login, Register, ResetPassword } from '#contract/people/auth/auth';
import type { User } from '#contract/people/users/users';
import { room } from '#contract/platform/events/constants/events';
import { theMarket } from '#contract/platform/market/constants/market';
import type { Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { invalid, invalidField, unauthorized } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockAccount, sessionEnded } from '../../platform/sessions/lock-caller.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { codeRequired, hasApp, takeCode } from '../second-factor/codes.ts';
import { followProfile } from '../users/addresses.ts';
import { membershipInclude, presentUser } from '../users/present.ts';
import { beginSession, type SignedIn } from './begin-session.ts';
import { refuseTakenEmail } from './change-email.ts';
import { describeWhatIsLeft, endWithReset } from './endings.ts';
import { limitCodes, mayMailReset } from './limits.ts';
import { hashPassword, hashSecretToken, verifyPassword } from './password.ts';
import { recordSecurityChange } from './security-change.ts';
import { rememberSource, type Source } from './sources.ts';
import { markEmailVerified, requestVerification } from './verify-email.ts';

/**
 * Creates an account, with a farm of their own for a farmer, and mails a link that verifies its email.
 * @throws 409 EMAIL_TAKEN, also for concurrent registrations of the same email
 */
export async function register(
  platform: Platform,
  input: Register,
  source: Source,
  openFarm: (tx: Transaction, farmerId: string) => Promise<void>,
): Promise<SignedIn> {
  const { name, email, role, phone, address } = input;
  const consent = agreeToTerms(input.acceptsTerms);
  const passwordHash = await hashPassword(input.password);
  const row = await refuseTakenEmail(() =>
    transact(platform.db, async (tx) => {
      const created = await tx.user.create({
        data: {
          name,
          email,
          role,
          phone,
          ...address,
          ...consent,
          passwordHash,
        },
      });
      if (role === 'farmer') await openFarm(tx, created.id);
      await followProfile(tx, created);
      await rememberSource(platform, tx, created, source);
      await requestVerification(tx, created.id);
      await record(tx, {
        name: 'user.created',
        data: presentUser(created),
        rooms: [room.admins],
      });
      return tx.user.findUniqueOrThrow({ where: { id: created.id }, include: membershipInclude });
    }),
  );
  const token = await platform.sessions.issue({
    userId: row.id,
    tokenVersion: row.tokenVersion,
    device: source.name,
  });
  return { token, user: presentUser(row) };
}

/**
 * Signs in with the password and, where the account asks for one, a code.
 * @throws 401 for an unknown email and a wrong password alike, after the same time; 401 SECOND_FACTOR_REQUIRED,
 *   400 at `code` and 429 for wrong codes only to whoever sent the right password
 */
export async function login(platform: Platform, input: Login, source: Source): Promise<SignedIn> {
  const row = await platform.db.user.findUnique({
    where: { email: input.email },
    include: membershipInclude,
  });
  const stored = row && !row.deletedAt && !row.isFarm ? row.passwordHash : undefined;
  if (!(await verifyPassword(stored, input.password)) || !row) {
    throw wrongCredentials();
  }
  if (await hasApp(platform, row.id)) {
    if (!input.code) throw codeRequired();
    await limitCodes(platform, row.email, source);
  }
  return beginSession(platform, row, {
    isRemembered: input.remember,
    passwordHash: row.passwordHash,
    source,
    refusal: wrongCredentials,
    prove: (tx) => takeCode(platform, tx, row, input.code, source),
  });
}

/**
 * Returns what to keep of the consent of somebody who opens an account.
 * @throws 400 when there are terms and they do not agree
 */
export function agreeToTerms(doesAgree: boolean | undefined): { termsAcceptedAt?: Date } {
  if (!theMarket().pages.includes('terms')) return {};
  if (!doesAgree) {
    throw invalidField('acceptsTerms', 'Please agree to the terms to open an account.');
  }
  return { termsAcceptedAt: new Date() };
}

const wrongCredentials = () => unauthorized("That email and password don't match.");

/** Returns the signed-in user as stored now. @throws 401 when the account was just deleted */
export async function readMe(platform: Platform, userId: string): Promise<User> {
  const row = await platform.db.user.findUnique({
    where: { id: userId, deletedAt: null, isFarm: false },
    include: membershipInclude,
  });
  if (!row) throw sessionEnded();
  return presentUser(row);
}

/**
 * Requests a reset link, which a worker creates and mails. An unknown email and an account over its
 * mail limit record the same event with a random id, so that neither answer nor timing reveals them.
 */
export async function requestReset(
  platform: Platform,
  email: string,
  source: Source,
): Promise<void> {
  const mayMail = await mayMailReset(platform, email, source);
  const row = await platform.db.user.findUnique({
    where: { email, deletedAt: null, isFarm: false },
    select: { id: true },
  });
  await record(platform.db, {
    name: 'password.resetRequested',
    data: { _id: (mayMail && row?.id) || randomUUID() },
    rooms: [],
  });
}

/**
 * Sets a new password by the token of a reset link, which is valid once and proves the email. Ends all sessions, other
 * links, the calendar's address and known devices of the account, except the device that used the link; the owner is
 * mailed what is left.
 * @throws 400 when the link was used, has expired or is unknown, or was mailed to an earlier email
 */
export async function resetPassword(
  platform: Platform,
  input: ResetPassword,
  source: Source,
): Promise<void> {
  const passwordHash = await hashPassword(input.password);
  const userId = await transact(platform.db, async (tx) => {
    const now = new Date();
    const tokenHash = hashSecretToken(input.token);
    const link = await tx.passwordReset.findUnique({
      where: { tokenHash, user: { deletedAt: null, isFarm: false } },
      select: { userId: true },
    });
    if (!link || !(await lockAccount(tx, link.userId))) throw resetLinkEnded();
    const user = await tx.user.findUniqueOrThrow({
      where: { id: link.userId },
      select: { id: true, email: true, role: true },
    });
    // Of two concurrent uses of a link, only one updates the row.
    const { count } = await tx.passwordReset.updateMany({
      where: {
        tokenHash,
        usedAt: null,
        expiresAt: { gt: now },
        OR: [{ email: null }, { email: user.email }],
      },
      data: { usedAt: now },
    });
    if (count === 0) throw resetLinkEnded();
    await endWithReset(tx, user.id, passwordHash);
    await rememberSource(platform, tx, user, source);
    await markEmailVerified(tx, user.id);
    const left = await describeWhatIsLeft(tx, user.id);
    await recordSecurityChange(tx, user, 'passwordReset', source.name, left);
    return user.id;
  });
  platform.sessions.invalidate(userId);
}

const resetLinkEnded = () =>
  invalid('This link has expired or was already used. Please ask for a new one.', [
    { path: 'token', message: 'This link no longer works.' },
  ]);
