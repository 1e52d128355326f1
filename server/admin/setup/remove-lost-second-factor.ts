import { Email } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import type { Database } from '../../../prisma/client.ts';
import { removeLocked } from '../../people/second-factor/remove-second-factor.ts';
import { lockAccount } from '../../platform/sessions/lock-caller.ts';

/** Whose second factor is removed. */
export const LostSecondFactor = z.object({ email: Email });
export type LostSecondFactor = z.infer<typeof LostSecondFactor>;

/** There is nothing to remove. The message is for whoever runs the command. */
export class NothingToRemoveError extends Error {}

/**
 * Removes the second factor of an account for whoever may run commands on the machine: of the last admin, whom no
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
