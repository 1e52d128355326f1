import type { User } from '#contract/users';
import type { Transaction } from '../../prisma/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';
import type { AppError } from '../http/errors.ts';
import type { Platform } from '../http/platform.ts';
import { transact } from '../process/postgres.ts';
import { type membershipInclude, presentUser } from '../users/present.ts';
import { rememberSource, type Source } from './sources.ts';

/** A token and whose it is. */
export interface SignedIn {
  token: string;
  user: User;
}

type Account = Prisma.UserGetPayload<{ include: typeof membershipInclude }>;

/**
 * Signs in whoever proved to be the owner of an account, in whichever way: the one place that every sign-in passes.
 * `prove` takes what counts once, such as a code, while the account is locked.
 * @throws what `refusal` returns if the account was deleted or its tokens were ended since it was read, and
 *   whatever `prove` throws
 */
export async function beginSession(
  platform: Platform,
  account: Account,
  options: {
    isRemembered: boolean;
    source: Source;
    prove: (tx: Transaction) => Promise<void>;
    refusal: () => AppError;
  },
): Promise<SignedIn> {
  const { source, isRemembered } = options;
  await transact(platform.db, async (tx) => {
    // Lock the row, so that a concurrent password change makes this sign-in fail.
    const held = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM users WHERE id = ${account.id}::uuid AND deleted_at IS NULL
        AND token_version = ${account.tokenVersion} FOR SHARE`;
    if (held.length === 0) throw options.refusal();
    await options.prove(tx);
    await rememberSource(platform, tx, account, source);
  });
  const token = await platform.sessions.issue({
    userId: account.id,
    tokenVersion: account.tokenVersion,
    isRemembered,
    device: source.name,
  });
  return { token, user: presentUser(account) };
}
