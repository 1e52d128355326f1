import type { Member } from '#contract/farm/members/members';
import type { Prisma } from '../../../prisma/generated/client.ts';

/** What {@link presentMember} needs. */
export const memberInclude = {
  user: { select: { id: true, name: true, email: true } },
} satisfies Prisma.FarmMemberInclude;

type MemberRow = Prisma.FarmMemberGetPayload<{ include: typeof memberInclude }>;

/** Returns a member, or somebody invited, in wire form. */
export const presentMember = (row: MemberRow): Member => ({
  _id: row.id,
  user: row.user && { _id: row.user.id, name: row.user.name },
  email: row.user?.email ?? row.email ?? '',
  role: row.role,
  alerts: row.hasAlerts,
  state: row.user ? 'active' : 'invited',
  isFounder: row.userId === row.farmId,
  invitedUntil: row.user ? null : (row.inviteExpiresAt?.toISOString() ?? null),
});
