import { farmNameOf } from '#contract/farm/farmers/constants';
import { OWN_INVITATIONS_MAX } from '#contract/farm/members/constants';
import type { AcceptInvitation, Invitation, OwnInvitation } from '#contract/farm/members/members';
import type { User } from '#contract/people/users/users';
import { Id } from '#contract/platform/http/http';
import { msg } from '#contract/platform/text/constants/texts';
import { clockMs } from '#contract/platform/time/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { hashPassword, hashSecretToken } from '../../people/auth/password.ts';
import { agreeToTerms } from '../../people/auth/service.ts';
import { recordNewUser, signInNew } from '../../people/auth/sessions.ts';
import { rememberSource, type Source } from '../../people/auth/sources.ts';
import { markEmailVerified } from '../../people/auth/verify-email.ts';
import { membershipInclude } from '../../people/users/present.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict, forbidden, invalid, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCallerAlone } from '../../platform/sessions/lock-caller.ts';
import { type SessionUser, sessionChanged } from '../../platform/sessions/sessions.ts';
import { isDuplicate, transact } from '../../platform/stores/postgres.ts';
import { type InviteRefusal, lockMembers, memberChanged, refuseInvited } from './service.ts';

const ended = () =>
  notFound(
    msg('This invitation was used already, withdrawn, or is too old. Please ask for a new one.'),
  );

const openInclude = {
  farm: { include: { user: { select: { name: true } } } },
} satisfies Prisma.FarmMemberInclude;

const presentInvitation = (
  row: Prisma.FarmMemberGetPayload<{ include: typeof openInclude }>,
): Invitation => ({
  farm: {
    _id: row.farmId,
    farmName: farmNameOf({ farmName: row.farm.farmName, name: row.farm.user.name }),
  },
  role: row.role,
  email: row.email ?? '',
  invitedUntil: row.inviteExpiresAt?.toISOString() ?? '',
});

/**
 * Returns what an invitation offers, by its mailed token or, to anyone who has proved its address, by its id.
 * @throws 404 when it was used, withdrawn, or has expired
 */
export async function readInvitation(
  { db }: Platform,
  token: string,
  user: SessionUser | null,
): Promise<Invitation> {
  const row = await findOpen(db, token, user);
  if (!row) throw ended();
  return presentInvitation(row);
}

/** Lists the open invitations to the caller's own address, once they have proved it, the latest first. */
export async function listOwnInvitations(
  { db }: Platform,
  user: SessionUser,
): Promise<OwnInvitation[]> {
  const email = await provenEmail(db, user);
  if (email === null) return [];
  const rows = await db.farmMember.findMany({
    where: { email, ...isOpen() },
    include: openInclude,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: OWN_INVITATIONS_MAX,
  });
  return rows.map((row) => ({ _id: row.id, ...presentInvitation(row) }));
}

const isOpen = () => ({ userId: null, inviteExpiresAt: { gt: new Date(clockMs()) } });

async function provenEmail(db: Database | Transaction, { id }: SessionUser) {
  const row = await db.user.findUnique({ where: { id, emailVerifiedAt: { not: null } } });
  return row?.email ?? null;
}

async function findOpen(db: Database | Transaction, token: string, user: SessionUser | null) {
  const isId = Id.safeParse(token).success;
  const email = user && isId ? await provenEmail(db, user) : null;
  const byAddress = email === null ? [] : [{ id: token, email }];
  return db.farmMember.findFirst({
    where: { OR: [{ tokenHash: hashSecretToken(token) }, ...byAddress], ...isOpen() },
    include: openInclude,
  });
}

/**
 * Accepts an invitation, by its token or id as {@link readInvitation}, as the person signed in, or with a new account
 * for the invited address, whose email is verified by the link; one that names no address is for any, and proves none. Of two who accept at once one wins.
 * @throws 404 the invitation has ended; 400 a new account lacks its name, password or consent; 403 the account
 *   cannot work for a farm; 409 it works for another farm, or the address has an account: sign in first
 */
export async function acceptInvitation(
  platform: Platform,
  request: { token: string; user: SessionUser | null; source: Source; input: AcceptInvitation },
): Promise<{ token: string; user: User }> {
  const { user, source, input } = request;
  const consent = user ? {} : agreeToTerms(input.acceptsTerms);
  const passwordHash = user ? undefined : await hashPassword(requireNewAccount(input).password);
  try {
    const account = await transact(platform.db, async (tx) => {
      // Alone, so that of two invitations accepted at once the second finds the first.
      if (user) await lockCallerAlone(tx, user.id);
      const open = await findOpen(tx, request.token, user);
      if (!open) throw ended();
      await lockMembers(tx, open.farmId);
      const joining = user
        ? await requireAbleToJoin(tx, user, open.farmId)
        : await tx.user.create({
            data: {
              name: requireNewAccount(input).name,
              email: open.email ?? requireEmail(input),
              role: 'farmer',
              passwordHash: passwordHash ?? '',
              ...consent,
              // Where the link was mailed.
              emailVerifiedAt: open.email === null ? null : new Date(),
            },
          });
      const tokenHash = hashSecretToken(request.token);
      const isByLink = open.tokenHash === tokenHash;
      // Of two uses of a link only one finds it open.
      const { count } = await tx.farmMember.updateMany({
        where: { id: open.id, ...isOpen(), ...(isByLink ? { tokenHash } : {}) },
        data: { userId: joining.id, tokenHash: null, inviteExpiresAt: null },
      });
      if (count === 0) throw ended();
      if (user && joining.email === open.email) await markEmailVerified(tx, joining.id);
      if (!user) {
        await rememberSource(platform, tx, joining, source);
        await recordNewUser(tx, joining);
      }
      await record(tx, sessionChanged(joining.id), memberChanged(open.farmId, open.id));
      return tx.user.findUniqueOrThrow({ where: { id: joining.id }, include: membershipInclude });
    });
    platform.sessions.invalidate(account.id);
    return await signInNew(platform, account, source);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw conflict(
      'EMAIL_TAKEN',
      msg(
        'There is an account with this email already. Sign in with it, then open the invitation again.',
      ),
    );
  }
}

function requireEmail({ email }: AcceptInvitation): string {
  if (email) return email;
  const message = msg('Email is required');
  throw invalid(message, [{ path: 'email', message }]);
}

function requireNewAccount({ name, password }: AcceptInvitation) {
  if (name && password) return { name, password };
  throw invalid(msg('Give your name and a password for your new account.'), [
    ...(name ? [] : [{ path: 'name', message: msg('Name is required') }]),
    ...(password ? [] : [{ path: 'password', message: msg('Password is required') }]),
  ]);
}

async function requireAbleToJoin(tx: Transaction, user: SessionUser, farmId: string) {
  const account = await tx.user.findUniqueOrThrow({
    where: { id: user.id },
    include: { membership: { select: { farmId: true } } },
  });
  const refusal = refuseInvited(account, farmId);
  if (refusal) throw cannotJoin(refusal);
  return account;
}

/** Says to anyone who accepts why they cannot. */
function cannotJoin(refusal: InviteRefusal) {
  switch (refusal) {
    case 'ALREADY_MEMBER':
      return conflict('ALREADY_MEMBER', msg('You work for this farm already.'));
    case 'HAS_OTHER_FARM':
      return conflict(
        'HAS_OTHER_FARM',
        msg('You work for another farm. Leave it first, or sign out to accept with a new account.'),
      );
    case 'HAS_OTHER_ROLE':
      return forbidden(
        msg('Only a farmer can work for a farm. Sign out to accept with a new account.'),
      );
  }
}
