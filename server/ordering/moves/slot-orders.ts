import type { SlotOrder } from '#contract/ordering/moves/moves';
import type { SlotEntry } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import type { ListQuery, Page } from '#contract/platform/http/http';
import { STANDING_STATUSES } from '#contract/platform/orders/constants';
import { Prisma } from '../../../prisma/generated/client.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { readOrderPage } from '../model/read.ts';

/**
 * Lists the orders that take room in a slot, newest first, and whether buyers have seen that the farm moved
 * theirs.
 * @throws 404 not a slot of this farm
 */
export async function listSlotOrders(
  platform: Platform,
  farmId: string,
  slotId: string,
  query: ListQuery,
): Promise<Page<SlotOrder>> {
  const slot = await platform.db.slot.findFirst({
    where: { id: slotId, farmId },
    select: { id: true },
  });
  if (!slot) throw notFound('Slot not found');
  const { items, nextCursor } = await readOrderPage(
    platform,
    [
      Prisma.sql`slot_id = ${slotId}::uuid`,
      Prisma.sql`status IN (${Prisma.raw(sqlList(STANDING_STATUSES))})`,
    ],
    query,
  );
  const moves = items.flatMap((order) => moveByFarm(order) ?? []);
  const read = await platform.db.notification.findMany({
    where: { key: { in: moves.map(({ key }) => key) }, readAt: { not: null } },
    select: { key: true, userId: true },
  });
  const keys = new Set(read.map(({ key, userId }) => `${key} ${userId}`));
  return {
    items: items.map((order) => {
      const move = moveByFarm(order);
      return {
        order,
        moved: move
          ? {
              at: move.entry.at,
              reason: move.entry.reason ?? '',
              isRead: keys.has(`${move.key} ${order.consumer._id}`),
            }
          : null,
      };
    }),
    nextCursor,
  };
}

/** Returns the farm's last move of an order and the key of the buyer's notification; nothing if none counts. */
function moveByFarm(order: Order): { entry: SlotEntry; key: string } | undefined {
  const entry = order.timeline.findLast((each) => each.kind === 'slot' && each.detail.after);
  if (entry?.kind !== 'slot' || entry.by._id === order.consumer._id) return undefined;
  return { entry, key: `order.slotMoved:${order._id}:${entry.sequence}` };
}
