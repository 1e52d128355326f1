import type { EMAIL_LINK_PURPOSES, EmailLink, VerifyEmail } from '#contract/people/auth/auth';
import { theMarket } from '#contract/platform/market/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { type AppError, invalid, unverifiedEmail } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { currentLanguage } from '../../platform/process/request-context.ts';
import { lockAccount, lockCaller } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { membershipInclude } from '../users/present.ts';
import {
  confirmChange,
  recordAccountChange,
  refuseTakenEmail,
  undoChange,
} from './change-email.ts';
import { hashSecretToken } from './password.ts';
import {
  endPendingChange,
  endWithFirstProof,
  endWithReset,
  hashOfNoPassword,
  recordSecurityChange,
} from './sessions.ts';
import type { Source } from './sources.ts';
import { clearUnreachable } from './unreachable.ts';

const linkInclude = { user: { include: membershipInclude }, change: true } as const;

type LinkRow = Prisma.EmailVerificationGetPayload<{ include: typeof linkInclude }>;
type LinkPurpose = (typeof EMAIL_LINK_PURPOSES)[number];

/** Returns what a mailed link is for. */
const purposeOf = ({ email, change }: Pick<LinkRow, 'email' | 'change'>): LinkPurpose => {
  if (change === null) return 'verify';
  return email === change.newEmail ? 'change' : 'undo';
};

/**
 * Returns what a mailed link that has not expired may still do: `open` takes effect, `done` has taken effect, and a
 * repeat shows nobody that something failed; `ended` was overtaken.
 */
function stateOfLink(link: LinkRow, now: Date): 'open' | 'done' | 'ended' {
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
const linkEnded = () =>
  invalid(msg('This link has expired or is not complete. Please ask for a new one.'), [
    { path: 'token', message: msg('This link no longer works.') },
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
async function lockLink(tx: Transaction, token: string): Promise<LinkRow> {
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

/** Asks a worker to mail a link that verifies the email of this account. */
export const requestVerification = (tx: Transaction, userId: string): Promise<void> =>
  record(tx, {
    name: 'email.verificationRequested',
    data: { _id: userId, language: currentLanguage() },
    rooms: [],
  });

/**
 * Mails another link to the caller, unless their email is verified and can be reached.
 * @throws 401 the account was just deleted
 */
export async function sendVerification(platform: Platform, user: SessionUser): Promise<void> {
  await transact(platform.db, async (tx) => {
    await lockCaller(tx, user.id);
    const { emailVerifiedAt, unreachableAt } = await tx.user.findUniqueOrThrow({
      where: { id: user.id },
      select: { emailVerifiedAt: true, unreachableAt: true },
    });
    if (emailVerifiedAt === null || unreachableAt !== null) await requestVerification(tx, user.id);
  });
}

/**
 * Verifies an email, or confirms a new one, by the token of a mailed link. A link takes effect once; used again it
 * answers as the first time, so that a repeat, or a second press, shows nobody that something failed.
 * @throws 400 the link has expired, is unknown or was overtaken; 409 EMAIL_TAKEN
 */
export async function verifyEmail(
  platform: Platform,
  { token }: VerifyEmail,
  source: Source,
): Promise<void> {
  const userId = await withLink(platform, token, async (tx, link) => {
    const purpose = purposeOf(link);
    const state = stateOfLink(link, new Date());
    if (state === 'ended' || purpose === 'undo') throw linkEnded();
    if (state === 'done') return;
    if (link.change) {
      await confirmChange(tx, link.user, link.change, source);
      return;
    }
    await markEmailVerified(tx, link.userId);
    await tx.emailVerification.updateMany({
      where: { userId: link.userId, changeId: null, usedAt: null },
      data: { usedAt: new Date() },
    });
  });
  platform.sessions.invalidate(userId);
}

/**
 * Does what the reader of a mailed link asks who says that it is about somebody else. The account of an address that
 * was never proven is locked: nobody signs in to it, and nothing more is mailed, until a password is set by a reset.
 * @throws as {@link verifyEmail}
 */
export async function refuseEmail(
  platform: Platform,
  { token }: VerifyEmail,
  source: Source,
): Promise<void> {
  const noPassword = await hashOfNoPassword();
  const userId = await withLink(platform, token, async (tx, link) => {
    const { userId, user, change } = link;
    const state = stateOfLink(link, new Date());
    switch (purposeOf(link)) {
      case 'undo':
        if (state === 'ended') throw linkEnded();
        if (state === 'open' && change) await undoChange(tx, user, change, { noPassword, source });
        return;
      case 'change':
        if (change?.confirmedAt) throw linkEnded();
        if (state !== 'open') return;
        await endPendingChange(tx, userId);
        await recordAccountChange(tx, userId);
        return;
      case 'verify': {
        const isRepeat = user.emailRefusedAt !== null && link.email === user.email;
        if (isRepeat) return;
        if (state !== 'open') throw linkEnded();
        await endWithFirstProof(tx, userId);
        await endWithReset(tx, userId, noPassword);
        await tx.user.update({
          where: { id: userId },
          data: { emailRefusedAt: new Date() },
          select: { id: true },
        });
      }
    }
  });
  platform.sessions.invalidate(userId);
}

/** Does something with a mailed link whose account is locked. @returns whose it is */
async function withLink(
  platform: Platform,
  token: string,
  act: (tx: Transaction, link: LinkRow) => Promise<void>,
): Promise<string> {
  return refuseTakenEmail(() =>
    transact(platform.db, async (tx) => {
      const link = await lockLink(tx, token);
      await act(tx, link);
      return link.userId;
    }),
  );
}

/**
 * Notes that somebody proved their email, by opening a link that was mailed there. The first proof ends what was made
 * before it; later ones only let it be mailed again.
 */
export async function markEmailVerified(tx: Transaction, userId: string): Promise<void> {
  await clearUnreachable(tx, userId);
  const [user] = await tx.user.updateManyAndReturn({
    where: { id: userId, emailVerifiedAt: null, deletedAt: null, isFarm: false },
    data: { emailVerifiedAt: new Date(), emailRefusedAt: null },
    select: { id: true, role: true },
  });
  if (!user) return;
  if (await endWithFirstProof(tx, userId))
    await recordSecurityChange(tx, user, 'emailVerified', '');
  await recordAccountChange(tx, userId);
}

/**
 * Refuses what a farm may only do once one of its owners has proved their email, where the market asks for that:
 * consumers can reach somebody who answers for the farm.
 * @throws 403 EMAIL_NOT_VERIFIED
 */
export async function requireVerifiedOwner(
  tx: Transaction,
  farmId: string,
  user: Pick<SessionUser, 'id'>,
): Promise<void> {
  const refusal = await refuseUnverifiedOwner(tx, farmId, user);
  if (refusal) throw refusal;
}

/** Returns the refusal of {@link requireVerifiedOwner}; undefined for a farm that may. */
export async function refuseUnverifiedOwner(
  tx: Transaction,
  farmId: string,
  user: Pick<SessionUser, 'id'>,
): Promise<AppError | undefined> {
  if (!theMarket().requiresVerifiedEmail) return undefined;
  const owners = await tx.farmMember.findMany({
    where: { farmId, role: 'owner', userId: { not: null } },
    select: { userId: true, user: { select: { emailVerifiedAt: true } } },
  });
  if (owners.some((owner) => owner.user?.emailVerifiedAt)) return undefined;
  return unverifiedEmail(
    owners.some(({ userId }) => userId === user.id)
      ? msg('Confirm your email before you offer products.')
      : msg('An owner of the farm has to confirm their email before you offer products.'),
  );
}
