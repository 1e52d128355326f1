import { room } from '#contract/realtime';
import type { Transaction } from '../../prisma/client.ts';
import { type NewEvent, record } from '../platform/event-log.ts';
import { presentProduct, productInclude } from '../products/present.ts';
import { orderInclude, presentOrder } from './present.ts';

interface StockLine {
  productId: string | null;
  quantity: number;
}

/** Who an order's events go to. */
const orderRooms = (order: { consumerId: string; farmerId: string }) => [
  room.user(order.farmerId),
  room.user(order.consumerId),
  room.admins,
];

/**
 * Cancels what is pending with someone whose account is being deleted, inside that deletion: stock
 * goes back and everyone is told. Call it after the account is marked deleted and, for a farmer,
 * after the products left the market, so that no order can slip in behind.
 * @param party which side of the orders the account stands on
 */
export async function cancelPendingOrdersOf(
  tx: Transaction,
  userId: string,
  admin: { id: string },
  party: 'consumer' | 'farmer' = 'consumer',
): Promise<void> {
  const side = party === 'consumer' ? { consumerId: userId } : { farmerId: userId };
  const pending = await tx.order.findMany({
    where: { ...side, status: 'pending' },
    select: { lines: { select: { productId: true, quantity: true } } },
  });
  await lockProducts(tx, stockOf(pending.flatMap((order) => order.lines)));
  // What was accepted or rejected meanwhile is no longer pending, and left alone.
  const cancelled = await tx.order.updateManyAndReturn({
    where: { ...side, status: 'pending' },
    data: { status: 'cancelled', version: { increment: 1 } },
    select: { id: true, version: true },
  });
  if (cancelled.length === 0) return;
  await tx.orderTimelineEntry.createMany({
    data: cancelled.map((order) => ({
      orderId: order.id,
      version: order.version,
      status: 'cancelled' as const,
      byId: admin.id,
      reason: 'The account was deleted.',
    })),
  });
  const orders = await tx.order.findMany({
    where: { id: { in: cancelled.map((order) => order.id) } },
    include: orderInclude,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  await record(
    tx,
    ...orders.map(
      (order): NewEvent => ({
        name: 'order.updated',
        data: presentOrder(order),
        rooms: orderRooms(order),
      }),
    ),
    ...(await returnStock(tx, stockOf(orders.flatMap((order) => order.lines)))),
  );
}

/** How much of each product the lines hold, by product id; deleted products have no shelf. */
function stockOf(lines: readonly StockLine[]): [productId: string, quantity: number][] {
  const sums = new Map<string, number>();
  for (const { productId, quantity } of lines) {
    if (productId) sums.set(productId, (sums.get(productId) ?? 0) + quantity);
  }
  return [...sums].sort(([left], [right]) => (left < right ? -1 : 1));
}

/** Locks in the order of ids, as every writer of stock does, so that none waits in a circle. */
async function lockProducts(tx: Transaction, shelf: [string, number][]): Promise<void> {
  if (shelf.length === 0) return;
  const ids = shelf.map(([id]) => id);
  await tx.$queryRaw`
    SELECT 1 FROM products WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
}

/** Puts what was taken back on the shelf. @returns the events that tell of it */
async function returnStock(tx: Transaction, shelf: [string, number][]): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const [id, quantity] of shelf) {
    const { count } = await tx.product.updateMany({
      where: { id },
      data: { quantityAvailable: { increment: quantity }, version: { increment: 1 } },
    });
    if (count === 0) continue;
    const row = await tx.product.findUniqueOrThrow({ where: { id }, include: productInclude });
    events.push({
      name: 'product.updated',
      data: presentProduct(row),
      // Only its farmer knows of an inactive product.
      rooms: [...(row.isActive ? [room.product(id)] : []), room.user(row.farmerId)],
    });
  }
  return events;
}
