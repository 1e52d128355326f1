import type { ApprovalState } from '#contract/farm/opening/constants';
import { canActFor } from '#contract/platform/session/constants';
import { Prisma } from '../../../prisma/generated/client.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';

/**
 * A farm that no admin has approved is a draft. Farms become drafts only in a market that approves them, and where it
 * stops doing so all are approved, so that this one column says it all.
 */

/** The column that the rule is about; JSON has the time as text. */
export interface ApprovedRow {
  approvedAt: Date | string | null;
}

/** Returns whether a farm is a draft. Anyone who has no profile is none. */
export const isDraftFarm = (farm: ApprovedRow | null | undefined): boolean =>
  farm !== null && farm !== undefined && farm.approvedAt === null;

/** Where a farm stands: in the market, or off it for everyone but those whom {@link maySeeFarm} names. */
export type FarmState = 'open' | 'draft' | 'suspended';

/** The columns that the state follows from. */
export interface FarmStateRow extends ApprovedRow {
  /** Of the account that carries the farm's id. */
  suspendedAt: Date | string | null;
}

/** Returns where a farm stands. A draft stays one while its account is suspended. */
export function farmStateOf(farm: FarmStateRow): FarmState {
  if (isDraftFarm(farm)) return 'draft';
  return farm.suspendedAt === null ? 'open' : 'suspended';
}

/**
 * What of a farm somebody looks at: its page; what it offers, which are days, slots, places and goods; or a
 * conversation with it that exists.
 */
export type FarmPart = 'page' | 'offer' | 'conversation';

type Viewer = Pick<SessionUser, 'role' | 'membership'>;

/**
 * The one rule of who may see a part of a farm, in reads, events, replays and messages. A draft is seen by its people
 * and admins; a suspended farm by these, and its page by anyone who has ordered there. Conversations go on with those
 * who have ordered, as their orders do.
 */
export function maySeeFarm(
  viewer: Viewer | null,
  farm: { id: string; state: FarmState },
  part: FarmPart,
  { hasOrdered }: { hasOrdered: boolean },
): boolean {
  if (farm.state === 'open') return true;
  if (viewer === null) return false;
  if (viewer.role === 'admin' || canActFor(viewer, farm.id, 'read')) return true;
  return hasOrdered && (part === 'conversation' || (part === 'page' && farm.state === 'suspended'));
}

/** Returns whether the user may see what a farm offers: anyone who has only ordered there does not while it is off. */
export const maySeeOffer = (
  viewer: Viewer | null,
  farm: FarmStateRow & { userId: string },
): boolean =>
  maySeeFarm(viewer, { id: farm.userId, state: farmStateOf(farm) }, 'offer', { hasOrdered: false });

/**
 * The rule of drafts in SQL: a condition of products (`p`), which are inactive while their farm is suspended. Drafts
 * are few and looked up once for a statement, where a join would be made for every product.
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
