import { SECOND_FACTOR_REQUIRED } from '#contract/people/second-factor/constants';
import type { Transaction } from '../../../prisma/client.ts';
import type { Role } from '../../../prisma/generated/client.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { recordSecurityChange } from '../auth/security-change.ts';
import type { Source } from '../auth/sources.ts';
import { hashRecoveryCode, isAppCode, stepOfCode } from './codes.ts';
import { openSecret } from './sealed-secret.ts';

/** Returns whether signing in to the account asks for a code. */
export async function hasApp({ db }: Pick<Platform, 'db'>, userId: string): Promise<boolean> {
  const on = await db.authenticatorApp.count({ where: { userId, confirmedAt: { not: null } } });
  return on > 0;
}

/**
 * Takes the code of somebody whose password is right, if the account asks for one. Each code counts once: of two
 * sign-ins with one code at the same moment, one is refused. The caller holds a lock on the user's row.
 * @throws what `missing` returns without a code, 400 at `code` for a wrong one
 */
export async function takeCode(
  { env }: Platform,
  tx: Transaction,
  user: { id: string; role: Role },
  code: string | undefined,
  source: Source,
  missing: () => AppError = codeRequired,
): Promise<void> {
  const [app] = await tx.$queryRaw<{ sealedSecret: string; now: Date }[]>`
    SELECT sealed_secret AS "sealedSecret", clock_timestamp() AS now
    FROM authenticator_apps WHERE user_id = ${user.id}::uuid AND confirmed_at IS NOT NULL`;
  if (!app) return;
  if (!code) throw missing();
  if (isAppCode(code)) {
    const secret = openSecret(env.JWT_SECRET, user.id, app.sealedSecret);
    const step = secret === undefined ? undefined : stepOfCode(secret, code, app.now.getTime());
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

/** Asks for a code. Only whoever sent the right password learns that there is a second factor. */
export const codeRequired = () =>
  new AppError(401, SECOND_FACTOR_REQUIRED, 'Enter the code that your authenticator app shows.');

const wrongCode = () =>
  invalidField(
    'code',
    'That code is not right. Each one counts once: try the next, or a recovery code.',
  );
