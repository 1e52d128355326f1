import type { EMAIL_LINK_PURPOSES, EmailLink } from '#contract/people/auth/auth';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { invalid } from '../../platform/http/errors.ts';
import { hashSecretToken } from '../../platform/process/secret-token.ts';
import { lockAccount } from '../../platform/sessions/lock-caller.ts';
import { membershipInclude } from '../users/present.ts';

const linkInclude = { user: { include: membershipInclude }, change: true } as const;

export type LinkRow = Prisma.EmailVerificationGetPayload<{ include: typeof linkInclude }>;
export type LinkPurpose = (typeof EMAIL_LINK_PURPOSES)[number];

/** Returns what a mailed link is for. */
export const purposeOf = ({ email, change }: Pick<LinkRow, 'email' | 'change'>): LinkPurpose => {
  if (change === null) return 'verify';
  return email === change.newEmail ? 'change' : 'undo';
};

/**
 * Returns what a mailed link that has not expired may still do: `open` takes effect, `done` has taken effect, and a
 * repeat shows nobody that something failed; `ended` was overtaken.
 */
export function stateOfLink(link: LinkRow, now: Date): 'open' | 'done' | 'ended' {
  const { user, change, email, usedAt } = link;
  if (change === null) {
    // It proves the address that it was mailed to, and no other.
    if (email !== null && email !== user.email) return 'ended';
    if (usedAt === null) return 'open';
    return user.emailVerifiedAt ? 'done' : 'ended';
  }
  if (purposeOf(link) === 'undo') {
    if (change.undoneAt) return 'done';
    return change.undoUntil > now ? 'open' : 'ended';
  }
  if (change.confirmedAt) return user.email === change.newEmail ? 'done' : 'ended';
  return change.endedAt ? 'ended' : 'open';
}

/** Refuses a link that is unknown, too old, or was overtaken. */
export const linkEnded = () =>
  invalid('This link has expired or is not complete. Please ask for a new one.', [
    { path: 'token', message: 'This link no longer works.' },
  ]);

/** @throws 400 the link is unknown, has expired, or its account is gone */
async function findLink(db: Database | Transaction, token: string): Promise<LinkRow> {
  const link = await db.emailVerification.findUnique({
    where: {
      tokenHash: hashSecretToken(token),
      expiresAt: { gt: new Date() },
      user: { deletedAt: null, isFarm: false },
    },
    include: linkInclude,
  });
  if (!link) throw linkEnded();
  return link;
}

/** Locks the account of a mailed link, and returns the link as it is then. @throws 400 as above */
export async function lockLink(tx: Transaction, token: string): Promise<LinkRow> {
  const { userId } = await findLink(tx, token);
  if (!(await lockAccount(tx, userId))) throw linkEnded();
  // Read again: of two uses at once the second one finds what the first one did.
  return findLink(tx, token);
}

/** Returns what a mailed link is for, and of whose account. @throws 400 it has expired, or was overtaken */
export async function readEmailLink(db: Database, token: string): Promise<EmailLink> {
  const link = await findLink(db, token);
  const state = stateOfLink(link, new Date());
  if (state === 'ended') throw linkEnded();
  const { user, change, email } = link;
  return {
    purpose: purposeOf(link),
    email: email ?? user.email,
    newEmail: change?.newEmail ?? null,
    account: { name: user.name, role: user.role, createdAt: user.createdAt.toISOString() },
    isDone: state === 'done',
  };
}
