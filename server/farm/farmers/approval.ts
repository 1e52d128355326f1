import type { ApprovalState } from '#contract/farm/opening/constants';
import { room } from '#contract/platform/events/constants/events';
import type { EventRoom } from '#contract/platform/events/event';
import { theMarket } from '#contract/platform/market/constants/market';
import type { Transaction } from '../../../prisma/client.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import { type FarmStateRow, farmStateOf } from './policy.ts';

/** Returns when a farm that registers now is approved: at once, or not until an admin has seen it. */
export async function approvalOfNewFarm(tx: Transaction): Promise<Date | null> {
  // Shared, so that the setting does not change before this farm is there.
  const [market] = await tx.$queryRaw<{ approvesFarms: boolean }[]>`
    SELECT approves_farms AS "approvesFarms" FROM market_settings WHERE id = 1 FOR SHARE`;
  return market?.approvesFarms ? null : new Date();
}

/**
 * Approves all drafts, for a market that no longer approves farms. Its caller has locked the market's row, so
 * that no farm becomes a draft meanwhile.
 */
export async function approveAllFarms(tx: Transaction): Promise<void> {
  const farms = await tx.$queryRaw<{ _id: string; name: string }[]>`
    WITH draft AS MATERIALIZED (
      SELECT user_id FROM farmer_profiles WHERE approved_at IS NULL ORDER BY user_id FOR UPDATE
    ), shelf AS MATERIALIZED (
      SELECT p.id FROM products p JOIN draft ON draft.user_id = p.farmer_id
      ORDER BY p.id FOR NO KEY UPDATE OF p
    )
    UPDATE farmer_profiles farm
    SET approved_at = now(), asked_at = NULL, sent_back_reason = NULL
    FROM draft, users u, (SELECT count(*) FROM shelf) AS locked
    WHERE farm.user_id = draft.user_id AND u.id = farm.user_id
    RETURNING farm.user_id AS _id, COALESCE(NULLIF(farm.farm_name, ''), u.name) AS name`;
  const approved = { state: 'approved', reason: null } as const;
  const decided: Parameters<typeof recordApproval>[1][number][] = [];
  for (const farm of farms) {
    decided.push({ ...farm, ...approved, seers: await roomsSeeing(tx, farm._id) });
  }
  await recordApproval(tx, decided);
}

/** Opens the farm of a farmer who registers, with them as its owner. */
export async function openFarm(tx: Transaction, farmerId: string): Promise<void> {
  await tx.farmerProfile.create({
    data: {
      userId: farmerId,
      timeZone: theMarket().timeZone,
      approvedAt: await approvalOfNewFarm(tx),
    },
    select: { userId: true },
  });
  await tx.farmMember.create({
    data: { farmId: farmerId, userId: farmerId, role: 'owner' },
    select: { id: true },
  });
}

type FarmRooms = EventRoom<'farmer.listingChanged'>[];

/**
 * Returns the rooms of those who may see a farm's page as it is now, as `maySeeFarm` says. Whatever takes the farm away
 * from them asks before it does: afterwards nobody knows who they were.
 */
export async function roomsSeeing(tx: Transaction, farmId: string): Promise<FarmRooms> {
  const [farm] = await tx.$queryRaw<FarmStateRow[]>`
    SELECT farm.approved_at AS "approvedAt", carrier.suspended_at AS "suspendedAt"
    FROM farmer_profiles farm JOIN users carrier ON carrier.id = farm.user_id
    WHERE farm.user_id = ${farmId}::uuid`;
  const state = farm ? farmStateOf(farm) : 'open';
  if (state === 'open') return [room.everyone];
  const insiders = [room.farm(farmId), room.admins];
  if (state === 'draft') return insiders;
  const customers = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT consumer_id AS id FROM orders WHERE farmer_id = ${farmId}::uuid`;
  return [...insiders, ...customers.map(({ id }) => room.user(id))];
}

/** A farm that came to another state. */
interface Decided {
  _id: string;
  name: string;
  state: ApprovalState;
  reason: string | null;
  /** Whom it is shown to from now on, or no longer; undefined where that stays. */
  seers?: FarmRooms | undefined;
}

/** Records that farms came to another state, and that they can be seen now, or no longer. */
export const recordApproval = (tx: Transaction, farms: readonly Decided[]): Promise<void> =>
  record(
    tx,
    ...farms.flatMap(({ seers, ...data }): NewEvent[] => {
      const { _id } = data;
      const changed: NewEvent = {
        name: 'farm.approvalChanged',
        data,
        rooms: [room.farm(_id), room.admins],
      };
      if (!seers) return [changed];
      const isListed = data.state === 'approved' && seers.includes(room.everyone);
      return [
        changed,
        { name: 'farmer.listingChanged', data: { _id, isListed }, rooms: seers },
        { name: 'farmer.updated', data: { _id }, rooms: [room.everyone] },
      ];
    }),
  );
