import { randomUUID } from 'node:crypto';
import type { ChangePassword, Login, Register, ResetPassword } from '#contract/people/auth/auth';
import type { User } from '#contract/people/users/users';
import { theMarket } from '#contract/platform/market/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { AppError, invalid, invalidField, unauthorized } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { currentLanguage } from '../../platform/process/request-context.ts';
import { lockAccount, lockCaller, sessionEnded } from '../../platform/sessions/lock-caller.ts';
import { endSessions, type SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { codeRequired, hasApp, takeCode } from '../second-factor/codes.ts';
import { followProfile } from '../users/addresses.ts';
import { membershipInclude, presentUser } from '../users/present.ts';
import { refuseTakenEmail } from './change-email.ts';
import { confirmOwner } from './confirm-owner.ts';
import { hashPassword, hashSecretToken, verifyPassword } from './password.ts';
import {
  endResetLinks,
  endWithReset,
  findWhatIsLeft,
  recordNewUser,
  recordSecurityChange,
  renewCalendarAddress,
  signInNew,
} from './sessions.ts';
import { deleteSources, limitCodes, mayMailReset, rememberSource, type Source } from './sources.ts';
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
        data: { ...{ name, email, role, phone }, ...address, ...consent, passwordHash },
      });
      if (role === 'farmer') await openFarm(tx, created.id);
      await followProfile(tx, created);
      await rememberSource(platform, tx, created, source);
      await requestVerification(tx, created.id);
      await recordNewUser(tx, created);
      return tx.user.findUniqueOrThrow({ where: { id: created.id }, include: membershipInclude });
    }),
  );
  return signInNew(platform, row, source);
}

/**
 * Signs in with the password and, where the account asks for one, a code.
 * @throws 401 for an unknown email and a wrong password alike, after the same time; 401 SECOND_FACTOR_REQUIRED,
 *   400 at `code` and 429 for wrong codes only to the person who sent the right password
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
    throw invalidField('acceptsTerms', msg('Please agree to the terms to open an account.'));
  }
  return { termsAcceptedAt: new Date() };
}

const wrongCredentials = () => unauthorized(msg("That email and password don't match."));

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
    data: { _id: (mayMail && row?.id) || randomUUID(), language: currentLanguage() },
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
    const left = await findWhatIsLeft(tx, user.id);
    await recordSecurityChange(tx, user, 'passwordReset', source.name, left);
    return user.id;
  });
  platform.sessions.invalidate(userId);
}

const resetLinkEnded = () =>
  invalid(msg('This link has expired or was already used. Please ask for a new one.'), [
    { path: 'token', message: msg('This link no longer works.') },
  ]);

/** A token and whose it is. */
export interface SignedIn {
  token: string;
  user: User;
}

type Account = Prisma.UserGetPayload<{ include: typeof membershipInclude }>;

/**
 * Signs in the person who proved to be the owner of an account, in whichever way: the one place that every sign-in
 * passes. The session begins in the transaction that locks what proved it, so that a new password, a removed second
 * factor or a suspension at the same moment either refuses this sign-in or ends its session. `prove` takes what counts
 * once, such as a code, while the account is locked.
 * @param options.passwordHash what the password matched, where one was asked for
 * @throws what `refusal` returns if the account was deleted, its tokens were ended or its password was changed since it
 *   was read, and whatever `prove` throws; 403 ACCOUNT_SUSPENDED
 */
export async function beginSession(
  platform: Platform,
  account: Account,
  options: {
    isRemembered: boolean;
    passwordHash: string | null;
    source: Source;
    prove: (tx: Transaction) => Promise<void>;
    refusal: () => AppError;
  },
): Promise<SignedIn> {
  const { source, isRemembered, passwordHash } = options;
  const { id: userId, tokenVersion } = account;
  const token = await transact(platform.db, async (tx) => {
    // A new password keeps the version of the session that sets it, so that the version alone says too little.
    const held = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM users
      WHERE id = ${userId}::uuid AND deleted_at IS NULL AND NOT is_farm
        AND token_version = ${tokenVersion}
        AND password_hash = coalesce(${passwordHash}::text, password_hash) FOR SHARE`;
    if (held.length === 0) throw options.refusal();
    await options.prove(tx);
    await rememberSource(platform, tx, account, source);
    return platform.sessions.issue({ userId, tokenVersion, isRemembered, device: source.name }, tx);
  });
  platform.sessions.invalidate(userId);
  return { token, user: presentUser(account) };
}

/**
 * Sets a new password for somebody who is signed in and confirms it as the owner. Every other session, all reset
 * links, a change of email that waits and the known devices of the account end, and the calendar's address unless it is
 * to stay; this session and its device go on.
 * @throws 400 at `currentPassword` a wrong one, also where it was changed at the same time; 400 for the second factor
 *   and 401 as {@link confirmOwner}
 */
export async function changePassword(
  platform: Platform,
  user: SessionUser,
  { currentPassword: password, newPassword, renewsCalendar, ...secondFactor }: ChangePassword,
  source: Source,
): Promise<void> {
  const confirmation = { password, ...secondFactor };
  const owner = await confirmOwner(platform, user, confirmation, source).catch(atCurrentPassword);
  const passwordHash = await hashPassword(newPassword);
  await transact(platform.db, async (tx) => {
    await lockCaller(tx, user.id);
    // Of two changes at once only the one that still finds the password it verified takes effect.
    const changed = await tx.user.updateManyAndReturn({
      where: { id: user.id, deletedAt: null, passwordHash: owner.passwordHash },
      data: { passwordHash },
      select: { id: true, email: true },
    });
    const [account] = changed;
    if (!account) throw wrongPassword();
    await owner.takeSecondFactor(tx);
    await endSessions(tx, user.id, { except: user.sessionId });
    if (renewsCalendar) await renewCalendarAddress(tx, user.id);
    await endResetLinks(tx, user.id);
    await deleteSources(tx, user.id);
    await rememberSource(platform, tx, account, source);
  });
  platform.sessions.invalidate(user.id);
}

const wrongPassword = () =>
  invalidField('currentPassword', msg('That is not your current password.'));

/** Names the field as this form has it. @throws always */
function atCurrentPassword(error: unknown): never {
  const isPassword =
    error instanceof AppError && error.errors?.some(({ path }) => path === 'password');
  throw isPassword ? wrongPassword() : error;
}
