import { generateSecret, generateURI } from 'otplib';
import type { Confirmation } from '#contract/people/auth/confirmation';
import type {
  AppSetup,
  RecoveryCodes,
  RemoveSecondFactor,
  SecondFactor,
} from '#contract/people/second-factor/second-factor';
import { theMarket } from '#contract/platform/market/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { AuthenticatorApp } from '../../../prisma/generated/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict, forbidden, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { afterCommit } from '../../platform/process/request-context.ts';
import { lockAccount, lockCaller, lockCallerAlone } from '../../platform/sessions/lock-caller.ts';
import { endSessions, type SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { confirmOwner, lockConfirmed } from '../auth/confirm-owner.ts';
import { recordSecurityChange } from '../auth/sessions.ts';
import type { Source } from '../auth/sources.ts';
import {
  hasApp,
  hashRecoveryCode,
  makeRecoveryCodes,
  openSecret,
  sealSecret,
  stepOfCode,
} from './codes.ts';
import { presentPasskey } from './passkeys.ts';

/**
 * Begins to set up an authenticator app: makes its secret, in the place of one that was never confirmed.
 * @throws 400 as {@link confirmOwner}, 409 one is on already
 */
export async function beginApp(
  platform: Platform,
  user: SessionUser,
  confirmation: Confirmation,
  source: Source,
): Promise<AppSetup> {
  if (await hasApp(platform, user.id)) throw alreadyOn();
  const owner = await confirmOwner(platform, user, confirmation, source);
  const secret = generateSecret();
  const sealed = sealSecret(platform.env.JWT_SECRET, user.id, secret);
  await transact(platform.db, async (tx) => {
    await lockConfirmed(tx, user.id, owner);
    const written = await tx.$executeRaw`
      INSERT INTO authenticator_apps AS app (user_id, sealed_secret) VALUES (${user.id}::uuid, ${sealed})
      ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, created_at = now()
      WHERE app.confirmed_at IS NULL`;
    if (written === 0) throw alreadyOn();
  });
  return { secret, uri: generateURI({ issuer: theMarket().name, label: owner.email, secret }) };
}

/**
 * Turns the app on with a code that it shows, so that nobody is locked out by an app that never worked. Other sessions
 * of the account end.
 * @returns the recovery codes, which cannot be read again
 * @throws 400 at `code`, 409 it is on already or was not begun
 */
export async function confirmApp(
  platform: Platform,
  user: SessionUser,
  code: string,
  source: Source,
): Promise<RecoveryCodes> {
  const made = await transact(platform.db, async (tx) => {
    // Alone, so that a sign-in at the same moment ends with the others, or asks for a code.
    await lockCallerAlone(tx, user.id);
    const [app] = await tx.$queryRaw<{ sealedSecret: string; isOn: boolean; now: Date }[]>`
      SELECT sealed_secret AS "sealedSecret", confirmed_at IS NOT NULL AS "isOn",
        clock_timestamp() AS now
      FROM authenticator_apps WHERE user_id = ${user.id}::uuid FOR UPDATE`;
    if (!app)
      throw conflict('APP_NOT_BEGUN', msg('Please begin again: there is no app to confirm.'));
    if (app.isOn) throw alreadyOn();
    const secret = openSecret(platform.env.JWT_SECRET, user.id, app.sealedSecret);
    const lastStep = secret === undefined ? undefined : stepOfCode(secret, code, app.now.getTime());
    if (lastStep === undefined) {
      throw invalidField(
        'code',
        msg('That code is not right. Enter the one that your app shows now.'),
      );
    }
    const data = { lastStep, confirmedAt: app.now };
    await tx.authenticatorApp.update({ where: { userId: user.id }, data });
    const recoveryCodes = await replaceRecoveryCodes(tx, user.id);
    // Who has a session by the password alone would go on without the second factor.
    await endSessions(tx, user.id, { except: user.sessionId });
    await recordSecurityChange(tx, user, 'appTurnedOn', source.name);
    return { recoveryCodes };
  });
  platform.sessions.invalidate(user.id);
  return made;
}

/**
 * Makes new recovery codes; earlier ones are worth nothing from then on.
 * @throws 400 as {@link confirmOwner}, 409 no app is on
 */
export async function renewRecoveryCodes(
  platform: Platform,
  user: SessionUser,
  confirmation: Confirmation,
  source: Source,
): Promise<RecoveryCodes> {
  const owner = await confirmOwner(platform, user, confirmation, source);
  return transact(platform.db, async (tx) => {
    await lockConfirmed(tx, user.id, owner);
    const held = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM authenticator_apps
      WHERE user_id = ${user.id}::uuid AND confirmed_at IS NOT NULL FOR UPDATE`;
    if (held.length === 0) throw notOn();
    const recoveryCodes = await replaceRecoveryCodes(tx, user.id);
    await recordSecurityChange(tx, user, 'recoveryCodesMade', source.name);
    return { recoveryCodes };
  });
}

/**
 * Turns the app off: signing in asks for the password alone.
 * @throws 400 as {@link confirmOwner}, 409 no app is on
 */
export async function turnOffApp(
  platform: Platform,
  user: SessionUser,
  confirmation: Confirmation,
  source: Source,
): Promise<void> {
  const owner = await confirmOwner(platform, user, confirmation, source);
  await transact(platform.db, async (tx) => {
    await lockConfirmed(tx, user.id, owner);
    const { count } = await tx.authenticatorApp.deleteMany({
      where: { userId: user.id, confirmedAt: { not: null } },
    });
    if (count === 0) throw notOn();
    await tx.recoveryCode.deleteMany({ where: { userId: user.id } });
    await recordSecurityChange(tx, user, 'appTurnedOff', source.name);
  });
}

/** Writes new recovery codes in the place of all others. The caller holds a lock on the app's row. */
async function replaceRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = makeRecoveryCodes();
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: hashRecoveryCode(userId, code) })),
  });
  return codes;
}

const alreadyOn = () => conflict('APP_ALREADY_ON', msg('Your authenticator app is on already.'));
const notOn = () => conflict('APP_NOT_ON', msg('No authenticator app is on.'));

/** Returns how somebody is protected beside their password. */
export async function readSecondFactor({ db }: Platform, userId: string): Promise<SecondFactor> {
  const [app, recoveryCodesLeft, passkeys] = await Promise.all([
    db.authenticatorApp.findUnique({ where: { userId }, select: { confirmedAt: true } }),
    db.recoveryCode.count({ where: { userId } }),
    db.passkey.findMany({ where: { userId }, orderBy: [{ createdAt: 'desc' }, { id: 'asc' }] }),
  ]);
  return {
    app: app?.confirmedAt ? { since: app.confirmedAt.toISOString(), recoveryCodesLeft } : null,
    passkeys: passkeys.map(presentPasskey),
  };
}

/**
 * Keeps an app for another account of the same person, so that its codes go on being asked for. Where the secret no
 * longer opens, none of its codes is right, and it is not kept. Passkeys and recovery codes are bound to the account
 * they were made for.
 */
export async function keepApp(
  { env }: Pick<Platform, 'env'>,
  tx: Transaction,
  app: AuthenticatorApp,
  userId: string,
): Promise<void> {
  const secret = openSecret(env.JWT_SECRET, app.userId, app.sealedSecret);
  if (secret === undefined) return;
  await tx.authenticatorApp.create({
    data: { ...app, userId, sealedSecret: sealSecret(env.JWT_SECRET, userId, secret) },
    select: { userId: true },
  });
}

/** Returns whether an account has an authenticator app that is on, or a passkey. */
export async function hasSecondFactor(
  db: Pick<Transaction, 'authenticatorApp' | 'passkey'>,
  userId: string,
): Promise<boolean> {
  const [apps, passkeys] = await Promise.all([
    db.authenticatorApp.count({ where: { userId, confirmedAt: { not: null } } }),
    db.passkey.count({ where: { userId } }),
  ]);
  return apps + passkeys > 0;
}

/**
 * Removes the second factor of somebody who lost it, so that the password alone signs in again. Passkeys go too: they
 * may be on the device that was lost. All sessions end, and the person is notified by a mail.
 * @throws 403 one's own, which takes no admin; 404 unknown; 409 NO_SECOND_FACTOR
 */
export async function removeSecondFactor(
  platform: Platform,
  admin: SessionUser,
  id: string,
  { reason }: RemoveSecondFactor,
): Promise<void> {
  if (id === admin.id) {
    throw forbidden(
      msg("You can't remove your own second factor here. Turn it off under Security."),
    );
  }
  await transact(platform.db, async (tx) => {
    await lockCaller(tx, admin.id);
    const target = await tx.user.findUnique({
      where: { id, deletedAt: null, isFarm: false },
      select: { id: true, role: true },
    });
    if (!target || !(await lockAccount(tx, id))) throw notFound(msg('User not found'));
    if (!(await removeLocked(tx, target))) {
      throw conflict('NO_SECOND_FACTOR', msg('This account has no second factor.'));
    }
    await audit(tx, admin, 'user.secondFactorRemoved', id, { role: target.role, reason });
  });
  afterCommit(() => platform.sessions.invalidate(id));
}

/**
 * Removes the second factor of an account whose row is locked, and ends its sessions.
 * @returns false when there was none, and nothing changed
 */
export async function removeLocked(
  tx: Transaction,
  { id, role }: { id: string; role: SessionUser['role'] },
): Promise<boolean> {
  if (!(await hasSecondFactor(tx, id))) return false;
  await tx.authenticatorApp.deleteMany({ where: { userId: id } });
  await tx.recoveryCode.deleteMany({ where: { userId: id } });
  await tx.passkey.deleteMany({ where: { userId: id } });
  await tx.user.update({
    where: { id },
    data: { tokenVersion: { increment: 1 } },
    select: { id: true },
  });
  await endSessions(tx, id);
  const isAdmin = role === 'admin';
  await record(tx, {
    name: 'account.securityChanged',
    data: { _id: id, change: 'secondFactorRemoved', device: '', isAdmin },
    rooms: [],
  });
  return true;
}
