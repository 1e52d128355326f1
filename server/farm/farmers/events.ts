import type { ApprovalState } from '#contract/farm/opening/constants';
import { room } from '#contract/platform/events/constants';
import type { EventRoom } from '#contract/platform/events/event';
import type { Transaction } from '../../../prisma/client.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import { type FarmStateRow, farmStateOf } from './policy.ts';

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
