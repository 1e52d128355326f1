import type { User } from '#contract/people/users/users';
import type { Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import type { AppError } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { transact } from '../../platform/stores/postgres.ts';
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
 * The session begins in the transaction that locks what proved it, so that a new password, a removed second factor or a
 * suspension at the same moment either refuses this sign-in or ends its session.
 * `prove` takes what counts once, such as a code, while the account is locked.
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
