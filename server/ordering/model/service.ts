import { OPEN_STATUSES, type OrderStatus } from '#contract/platform/orders/constants';
import type { Transaction } from '../../../prisma/client.ts';
import type { PersonRow } from '../../people/users/present.ts';
import { changeLockedOrders } from '../status/change-locked.ts';
import { lockOpenOrdersOf, type Side } from './open-orders.ts';

export { expireProposalsOf } from '../changes/expire.ts';
export { moveOpenOrders } from '../moves/move-open-orders.ts';
export { recordPartyChange } from '../status/party-change.ts';
export { listAllOrders, listOrdersOf } from './list-all.ts';
export { lockOpenOrdersOf, readOpenOrders } from './open-orders.ts';
export { getOrder, listPlacedOrders, listReceivedOrders } from './read.ts';

/** The orders that end with an account, and why. What is accepted needs its farm, and nothing of its customer. */
const ENDING: Record<Side, { statuses: readonly OrderStatus[]; reason: string }> = {
  consumer: { statuses: ['pending'], reason: 'The account was deleted.' },
  farmer: { statuses: OPEN_STATUSES, reason: 'The farm has left the market.' },
};

/**
 * Cancels what ends with an account, inside its deletion: stock of products that still exist goes back, and everyone is
 * notified.
 */
export async function cancelOrdersOf(
  tx: Transaction,
  userId: string,
  actor: { id: string },
  side: Side,
): Promise<void> {
  const { statuses, reason } = ENDING[side];
  const open = await lockOpenOrdersOf(tx, userId, side);
  const ending = open.filter(({ status }) => statuses.includes(status));
  if (ending.length === 0) return;
  const by: PersonRow = await tx.user.findUniqueOrThrow({
    where: { id: actor.id },
    select: { id: true, name: true, role: true, deletedAt: true },
  });
  const [clock] = await tx.$queryRawUnsafe<{ at: Date }[]>('SELECT clock_timestamp() AS at');
  const at = clock?.at ?? new Date();
  await changeLockedOrders(
    tx,
    ending.map(({ id }) => id),
    { at, by, to: 'cancelled', reason, returnsStock: true },
  );
}
