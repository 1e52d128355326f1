import { randomBytes } from 'node:crypto';
import { Register } from '#contract/people/auth/auth';
import { Email } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import type { Database } from '../../../prisma/client.ts';
import { releaseUnproven } from '../../people/auth/change-email.ts';
import { hashPassword, hashSecretToken } from '../../people/auth/password.ts';
import { recordNewUser } from '../../people/auth/sessions.ts';
import { removeLocked } from '../../people/second-factor/two-factor.ts';
import { lockMarket } from '../../platform/market/settings.ts';
import { lockAccount } from '../../platform/sessions/lock-caller.ts';
import { isDuplicate } from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';
import { isSetupNeeded } from './service.ts';

/** How long the link to choose a first password works. */
const LINK_HOURS = 24;

const { email, name, password } = Register.shape;

/** Who becomes an admin. Without a password they choose one by a link. */
export const NewAdmin = z.object({
  email,
  name: name.default('Admin'),
  password: password.optional(),
});
export type NewAdmin = z.infer<typeof NewAdmin>;

/** An admin cannot be created like this. The message is for the person who runs the command. */
export class AdminRefusedError extends Error {}

/**
 * Creates the account of an admin. This is the only way to make one besides the demo market: the API makes none,
 * so anyone who may run commands on the machine decides who rules the market.
 * @returns the address, and without a password the link by which one is chosen, once, within a day
 * @throws AdminRefusedError when there is an account of this address already
 */
export async function createAdmin(
  db: Database,
  input: NewAdmin,
  publicUrl: string,
): Promise<{ email: string; link: string | undefined }> {
  const token = input.password === undefined ? randomBytes(32).toString('base64url') : undefined;
  // Without a password nobody can sign in until one is chosen: of this one nobody knows.
  const passwordHash = await hashPassword(input.password ?? randomBytes(32).toString('base64url'));
  try {
    await db.$transaction(async (tx) => {
      // A market that is set up at the same time has one first admin: see service.ts.
      await lockMarket(tx);
      // Before a market has an admin anybody can register with any address.
      if (await isSetupNeeded(tx)) await releaseUnproven(tx, input.email);
      const row = await tx.user.create({
        data: {
          name: input.name,
          email: input.email,
          role: 'admin',
          passwordHash,
          // The person who runs the command answers for it.
          emailVerifiedAt: new Date(),
        },
      });
      if (token !== undefined) {
        const expiresAt = new Date((await readClock(tx)).getTime() + LINK_HOURS * 60 * 60 * 1000);
        await tx.passwordReset.create({
          data: { userId: row.id, email: row.email, tokenHash: hashSecretToken(token), expiresAt },
        });
      }
      await recordNewUser(tx, row);
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const known = await db.user.findUnique({
      where: { email: input.email },
      select: { role: true },
    });
    throw new AdminRefusedError(
      known?.role === 'admin'
        ? `${input.email} is an admin already. Ask for a new password with "Forgot your password?".`
        : `There is an account of a ${known?.role ?? 'person'} with ${input.email} already. Use another address.`,
    );
  }
  return {
    email: input.email,
    link: token && new URL(`/reset-password?token=${token}`, publicUrl).toString(),
  };
}

/** Whose second factor is removed. */
export const LostSecondFactor = z.object({ email: Email });
export type LostSecondFactor = z.infer<typeof LostSecondFactor>;

/** There is nothing to remove. The message is for the person who runs the command. */
export class NothingToRemoveError extends Error {}

/**
 * Removes the second factor of an account for anyone who may run commands on the machine: of the last admin, whom no
 * other admin can help.
 * @throws NothingToRemoveError when there is no such account, or it has no second factor
 */
export async function removeLostSecondFactor(
  db: Database,
  { email }: LostSecondFactor,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const target = await tx.user.findUnique({
      where: { email, deletedAt: null, isFarm: false },
      select: { id: true, role: true },
    });
    if (!target || !(await lockAccount(tx, target.id))) {
      throw new NothingToRemoveError(`There is no account with ${email}.`);
    }
    if (!(await removeLocked(tx, target))) {
      throw new NothingToRemoveError(`The account with ${email} has no second factor.`);
    }
  });
}
