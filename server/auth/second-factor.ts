import { SECOND_FACTOR_REQUIRED, type SecondFactor } from '#contract/second-factor';
import type { Transaction } from '../../prisma/client.ts';
import type { AuthenticatorApp, Role } from '../../prisma/generated/client.ts';
import { AppError, invalidField } from '../http/errors.ts';
import type { Platform } from '../http/platform.ts';
import { hashRecoveryCode, isAppCode, stepOfCode } from './codes.ts';
import { presentPasskey } from './passkeys.ts';
import { openSecret, sealSecret } from './sealed-secret.ts';
import { recordSecurityChange } from './security-change.ts';
import type { Source } from './sources.ts';

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

/** Returns whether signing in to the account asks for a code. */
export async function hasApp({ db }: Pick<Platform, 'db'>, userId: string): Promise<boolean> {
  const on = await db.authenticatorApp.count({ where: { userId, confirmedAt: { not: null } } });
  return on > 0;
}

/**
 * Takes the code of a sign-in whose password is right, if the account asks for one. Each code counts once: of two
 * sign-ins with one code at the same moment, one is refused. The caller holds a lock on the user's row.
 * @throws 401 SECOND_FACTOR_REQUIRED without a code, 400 at `code` for a wrong one
 */
export async function takeCode(
  { env }: Platform,
  tx: Transaction,
  user: { id: string; role: Role },
  code: string | undefined,
  source: Source,
): Promise<void> {
  const app = await tx.authenticatorApp.findUnique({
    where: { userId: user.id, confirmedAt: { not: null } },
  });
  if (!app) return;
  if (!code) throw codeRequired();
  if (isAppCode(code)) {
    const secret = openSecret(env.JWT_SECRET, user.id, app.sealedSecret);
    const step = secret === undefined ? undefined : stepOfCode(secret, code);
    if (step === undefined) throw wrongCode();
    const { count } = await tx.authenticatorApp.updateMany({
      where: { userId: user.id, sealedSecret: app.sealedSecret, lastStep: { lt: step } },
      data: { lastStep: step },
    });
    if (count === 0) throw wrongCode();
    return;
  }
  const { count } = await tx.recoveryCode.deleteMany({
    where: { userId: user.id, codeHash: hashRecoveryCode(user.id, code) },
  });
  if (count === 0) throw wrongCode();
  await recordSecurityChange(tx, user, 'recoveryCodeUsed', source.name);
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

/** Asks for a code. Only whoever sent the right password learns that there is a second factor. */
export const codeRequired = () =>
  new AppError(401, SECOND_FACTOR_REQUIRED, 'Enter the code that your authenticator app shows.');

const wrongCode = () =>
  invalidField(
    'code',
    'That code is not right. Each one counts once: try the next, or a recovery code.',
  );
