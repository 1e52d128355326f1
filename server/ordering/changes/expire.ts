import type { Proposal } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import { OPEN_STATUSES } from '#contract/platform/orders/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { lockOrderFor, lockShelf } from '../model/lock.ts';
import { presentOrder, readOrders } from '../model/present.ts';
import { writeOrder } from '../model/write.ts';
import { decideExpiry } from './decide-close.ts';
import { productIdsOf } from './lines.ts';

/**
 * Ends a proposal that was not answered in time, in the transaction that has taken its timer. It looks at the
 * present state: what was answered, taken back or replaced stays as it is.
 */
export async function expireProposal(tx: Transaction, proposalId: string): Promise<void> {
  const known = await tx.orderProposal.findUnique({
    where: { id: proposalId },
    select: { orderId: true, createdById: true, status: true },
  });
  if (known?.status !== 'open') return;
  await expire(tx, known.orderId, { proposalId, createdById: known.createdById, isAtOnce: false });
}

/**
 * Ends the proposals on accepted orders of a buyer whose account is being deleted, as if they were not answered,
 * in that deletion; it cancels the pending ones. All their orders are locked first, then all products.
 */
export async function expireProposalsOf(tx: Transaction, consumerId: string): Promise<void> {
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM orders
    WHERE consumer_id = ${consumerId}::uuid AND status IN (${Prisma.raw(sqlList(OPEN_STATUSES))})
    ORDER BY id FOR NO KEY UPDATE`;
  const open = await tx.orderProposal.findMany({
    where: { status: 'open', orderId: { in: locked.map(({ id }) => id) } },
    select: { id: true, orderId: true, createdById: true, order: { select: { status: true } } },
    orderBy: { orderId: 'asc' },
  });
  if (open.length === 0) return;
  const orders = await readOrders(
    tx,
    locked.map(({ id }) => id),
  );
  await lockShelf(tx, orders.flatMap(productIdsOf));
  for (const { id, orderId, createdById, order } of open) {
    if (order.status !== 'accepted') continue;
    await expire(tx, orderId, { proposalId: id, createdById, isAtOnce: true });
  }
}

async function expire(
  tx: Transaction,
  orderId: string,
  {
    proposalId,
    createdById,
    isAtOnce,
  }: { proposalId: string; createdById: string; isAtOnce: boolean },
): Promise<void> {
  const locked = await lockOrderFor(tx, createdById, orderId);
  if (!locked) return;
  const products = await lockShelf(tx, productIdsOf(locked.order));
  const plan = decideExpiry({ ...locked, products }, proposalId, { isAtOnce });
  if (plan) await writeOrder(tx, plan);
}

/** Returns an order with the proposal that still waits for its buyer, and the database's clock; nothing where it does not. */
export async function readWaiting(
  tx: Transaction,
  proposalId: string,
): Promise<{ order: Order; proposal: Proposal; now: Date } | undefined> {
  const known = await tx.orderProposal.findUnique({
    where: { id: proposalId },
    select: { orderId: true },
  });
  const [row] = known ? await readOrders(tx, [known.orderId]) : [];
  const order = row && presentOrder(row);
  const proposal = order?.openChange;
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  if (!order || proposal?._id !== proposalId || !clock) return undefined;
  return { order, proposal, now: clock.now };
}
