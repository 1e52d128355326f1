import { room } from '#contract/events';
import type { ApprovalState } from '#contract/opening';
import type { Transaction } from '../../prisma/client.ts';
import { record } from '../events/event-log.ts';

/** Records that farms came to another state, and for everyone that they can be seen, or no longer. */
export const recordApproval = (
  tx: Transaction,
  farms: readonly { _id: string; name: string; state: ApprovalState; reason: string | null }[],
  { isVisibilityChanged }: { isVisibilityChanged: boolean },
): Promise<void> =>
  record(
    tx,
    ...farms.flatMap((data) => [
      {
        name: 'farm.approvalChanged' as const,
        data,
        rooms: [room.farm(data._id), room.admins],
      },
      ...(isVisibilityChanged
        ? [{ name: 'farmer.updated' as const, data: { _id: data._id }, rooms: [room.everyone] }]
        : []),
    ]),
  );
