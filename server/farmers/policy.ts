import { canActFor } from '#contract/constants/farm';
import type { ApprovalState } from '#contract/opening';
import { Prisma } from '../../prisma/generated/client.ts';
import type { SessionUser } from '../http/sessions.ts';

/**
 * A farm that no admin has approved is a draft: its people and admins see it and its products, to everyone
 * else they do not exist. Farms become drafts only in a market that approves them, and where it stops doing so
 * all are approved, so that this one column says it all.
 */

/** The column that the rule is about; JSON has the time as text. */
export interface ApprovedRow {
  approvedAt: Date | string | null;
}

/** Returns whether a farm is a draft. Whoever has no profile is none. */
export const isDraftFarm = (farm: ApprovedRow | null | undefined): boolean =>
  farm !== null && farm !== undefined && farm.approvedAt === null;

/** Returns whether the user finds the farm: a draft only its people and admins. */
export const canSeeFarm = (
  user: Pick<SessionUser, 'role' | 'membership'> | null,
  farm: ApprovedRow & { userId: string },
): boolean =>
  !isDraftFarm(farm) ||
  user?.role === 'admin' ||
  (user !== null && canActFor(user, farm.userId, 'read'));

/**
 * The same rule in SQL: a condition of products (`p`). Drafts are few and looked up once for a statement,
 * where a join would be made for every product.
 */
export const OF_OPEN_FARM = Prisma.sql`p.farmer_id NOT IN (
  SELECT draft.user_id FROM farmer_profiles draft WHERE draft.approved_at IS NULL)`;

/** The columns that say where a farm stands. */
export interface ApprovalRow extends ApprovedRow {
  askedAt: Date | null;
  sentBackReason: string | null;
}

/** Returns where a farm stands on its way into the market. */
export function approvalStateOf({
  approvedAt,
  askedAt,
  sentBackReason,
}: ApprovalRow): ApprovalState {
  if (approvedAt !== null) return 'approved';
  if (askedAt !== null) return 'waiting';
  return sentBackReason === null ? 'preparing' : 'sent_back';
}
