import type { Confirmation } from '#contract/people/auth/confirmation';
import { SECOND_FACTOR_REQUIRED } from '#contract/people/second-factor/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { MAY_ACT, sessionEnded } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { hasApp, takeCode } from '../second-factor/codes.ts';
import { type VerifiedPasskey, verifyPasskey } from '../second-factor/verify-passkey.ts';
import { limitCodes } from './limits.ts';
import { verifyPassword } from './password.ts';
import type { Source } from './sources.ts';

/** Somebody who is signed in and proved once more to be the owner of the account. */
export interface ConfirmedOwner {
  email: string;
  /** What the password matched: what relies on it is refused where it was changed meanwhile. */
  passwordHash: string;
  /** Takes the code or passkey, which count once. The transaction holds a lock on the user's row. */
  takeSecondFactor: (tx: Transaction) => Promise<void>;
}

/**
 * Checks that somebody who is signed in is the owner of the account, by what signing in would ask of them: the
 * password and, with an authenticator app, a code of it, a recovery code or a passkey. The second factor would
 * otherwise be worth nothing against whoever has a session and the password.
 * @throws 400 at `password` a wrong one, 400 SECOND_FACTOR_REQUIRED at `code` where it is missing, 400 at `code` or
 *   `passkey` a wrong one, 401 the account is gone, 429
 */
export async function confirmOwner(
  platform: Platform,
  user: SessionUser,
  { password, code, passkey }: Confirmation,
  source: Source,
): Promise<ConfirmedOwner> {
  const known = await platform.db.user.findUnique({
    where: { id: user.id, deletedAt: null, isFarm: false },
    select: { passwordHash: true, email: true },
  });
  if (!known) throw sessionEnded();
  if (!(await verifyPassword(known.passwordHash, password))) throw wrongPassword();
  let verified: VerifiedPasskey | undefined;
  if (await hasApp(platform, user.id)) {
    if (passkey) {
      verified = await verifyPasskey(platform, passkey, wrongPasskey);
      if (verified.account.id !== user.id) throw wrongPasskey();
    } else {
      if (!code) throw secondFactorMissing();
      await limitCodes(platform, known.email, source);
    }
  }
  return {
    ...known,
    takeSecondFactor: (tx) =>
      verified ? verified.use(tx) : takeCode(platform, tx, user, code, source, secondFactorMissing),
  };
}

/**
 * Locks the caller's own row, in the place of `lockCaller`, if it still has the password that was confirmed, and takes
 * the second factor: of a new password and a change that relies on the old one at the same moment, the old one no
 * longer counts.
 * @throws 400 as {@link confirmOwner}, 401 as `lockCaller`
 */
export async function lockConfirmed(
  tx: Transaction,
  userId: string,
  owner: ConfirmedOwner,
): Promise<void> {
  const [row] = await tx.$queryRaw<{ hash: string }[]>`
    SELECT password_hash AS hash FROM users
    WHERE id = ${userId}::uuid AND ${Prisma.raw(MAY_ACT)}
    FOR SHARE`;
  if (!row) throw sessionEnded();
  if (row.hash !== owner.passwordHash) throw wrongPassword();
  await owner.takeSecondFactor(tx);
}

/** Refuses a password that is not, or no longer, the account's. */
export const wrongPassword = () => invalidField('password', 'That is not your password.');

// Not 401, which ends the session.
const secondFactorMissing = () => {
  const message = 'Enter the code that your authenticator app shows.';
  return new AppError(400, SECOND_FACTOR_REQUIRED, message, {
    errors: [{ path: 'code', message }],
  });
};

const wrongPasskey = () =>
  invalidField('passkey', "This passkey isn't one of your account. Try another, or enter a code.");
