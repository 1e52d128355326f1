import { farmNameOf } from '#contract/constants/farmers';
import { clockMs } from '#contract/constants/time';
import { room } from '#contract/events';
import type { AcceptInvitation, Invitation } from '#contract/members';
import type { User } from '#contract/users';
import type { Database, Transaction } from '../../prisma/client.ts';
import {
  agreeToTerms,
  hashPassword,
  markEmailVerified,
  rememberSource,
  type Source,
} from '../auth/service.ts';
import { record } from '../events/event-log.ts';
import { conflict, forbidden, invalid, notFound } from '../http/errors.ts';
import { lockCallerAlone } from '../http/lock-caller.ts';
import type { Platform } from '../http/platform.ts';
import type { SessionUser } from '../http/sessions.ts';
import { isDuplicate, transact } from '../process/postgres.ts';
import { hashSecretToken } from '../process/secret-token.ts';
import { membershipInclude, presentUser } from '../users/present.ts';
import { type InviteRefusal, refuseInvited } from './policy.ts';
import { lockMembers, memberChanged } from './service.ts';

const ended = () =>
  notFound('This invitation was used already, withdrawn, or is too old. Please ask for a new one.');

/** Returns what an invitation offers. @throws 404 when it was used, withdrawn, or has expired */
export async function readInvitation({ db }: Platform, token: string): Promise<Invitation> {
  const row = await findOpen(db, token);
  if (!row?.inviteExpiresAt) throw ended();
  return {
    farm: {
      _id: row.farmId,
      farmName: farmNameOf({ farmName: row.farm.farmName, name: row.farm.user.name }),
    },
    role: row.role,
    email: row.email ?? '',
    invitedUntil: row.inviteExpiresAt.toISOString(),
  };
}

const findOpen = (db: Database | Transaction, token: string) =>
  db.farmMember.findFirst({
    where: {
      tokenHash: hashSecretToken(token),
      userId: null,
      inviteExpiresAt: { gt: new Date(clockMs()) },
    },
    include: { farm: { include: { user: { select: { name: true } } } } },
  });

/**
 * Accepts an invitation, as the person signed in, or with a new account for the invited address, whose
 * email is verified by the link. Of two who accept at once one wins.
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
      const open = await findOpen(tx, request.token);
      if (!open) throw ended();
      await lockMembers(tx, open.farmId);
      const joining = user
        ? await requireAbleToJoin(tx, user, open.farmId)
        : await tx.user.create({
            data: {
              name: requireNewAccount(input).name,
              email: open.email ?? '',
              role: 'farmer',
              passwordHash: passwordHash ?? '',
              ...consent,
              // The link was mailed there.
              emailVerifiedAt: new Date(),
            },
          });
      // Of two uses of a link only one finds it open.
      const { count } = await tx.farmMember.updateMany({
        where: { id: open.id, userId: null, tokenHash: hashSecretToken(request.token) },
        data: { userId: joining.id, tokenHash: null, inviteExpiresAt: null },
      });
      if (count === 0) throw ended();
      if (user && joining.email === open.email) await markEmailVerified(tx, joining.id);
      if (!user) {
        await rememberSource(platform, tx, joining, source);
        await record(tx, {
          name: 'user.created',
          data: presentUser(joining),
          rooms: [room.admins],
        });
      }
      await record(
        tx,
        { name: 'session.changed', data: { _id: joining.id }, rooms: [] },
        memberChanged(open.farmId, open.id),
      );
      return tx.user.findUniqueOrThrow({ where: { id: joining.id }, include: membershipInclude });
    });
    platform.sessions.invalidate(account.id);
    const token = await platform.sessions.issue({
      userId: account.id,
      tokenVersion: account.tokenVersion,
      device: source.name,
    });
    return { token, user: presentUser(account) };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw conflict(
      'EMAIL_TAKEN',
      'There is an account with this email already. Sign in with it, then open the invitation again.',
    );
  }
}

function requireNewAccount({ name, password }: AcceptInvitation) {
  if (name && password) return { name, password };
  throw invalid('Give your name and a password for your new account.', [
    ...(name ? [] : [{ path: 'name', message: 'Name is required' }]),
    ...(password ? [] : [{ path: 'password', message: 'Password is required' }]),
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

/** Says to whoever accepts why they cannot. */
function cannotJoin(refusal: InviteRefusal) {
  switch (refusal) {
    case 'ALREADY_MEMBER':
      return conflict('ALREADY_MEMBER', 'You work for this farm already.');
    case 'HAS_OTHER_FARM':
      return conflict(
        'HAS_OTHER_FARM',
        'You work for another farm. Leave it first, or sign out to accept with a new account.',
      );
    case 'HAS_OTHER_ROLE':
      return forbidden('Only a farmer can work for a farm. Sign out to accept with a new account.');
  }
}
