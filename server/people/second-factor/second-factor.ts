import type { SecondFactor } from '#contract/people/second-factor/second-factor';
import type { Transaction } from '../../../prisma/client.ts';
import type { AuthenticatorApp } from '../../../prisma/generated/client.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { presentPasskey } from './passkeys.ts';
import { openSecret, sealSecret } from './sealed-secret.ts';

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
