import type { Order, OrderStatus } from '#contract/orders';
import { room } from '#contract/realtime';
import { orderInclude, presentOrder } from '../../server/orders/present.ts';
import { record } from '../../server/platform/event-log.ts';
import type { Platform } from '../../server/platform/platform.ts';

interface Parties {
  consumer: { id: string };
  farmer: { id: string };
}

const roomsOf = ({ consumer, farmer }: Parties) => [
  room.user(consumer.id),
  room.user(farmer.id),
  room.admins,
];

/** An order and its event, as placing one leaves them. */
export async function placeOrder(platform: Platform, parties: Parties): Promise<Order> {
  const order = await platform.db.$transaction(async (tx) => {
    const row = await tx.order.create({
      data: {
        consumerId: parties.consumer.id,
        farmerId: parties.farmer.id,
        totalMinor: 1250,
        isPickup: true,
        pickupLocation: 'Farm gate',
        date: new Date('2030-05-01'),
        time: '10:00',
        lines: {
          create: [{ position: 0, name: 'Carrots', unit: 'bunch', priceMinor: 625, quantity: 2 }],
        },
        timeline: { create: [{ version: 1, status: 'pending', byId: parties.consumer.id }] },
      },
      include: orderInclude,
    });
    const order = presentOrder(row);
    await record(tx, { name: 'order.created', data: order, rooms: roomsOf(parties) });
    return order;
  });
  await platform.eventLog.sequence();
  return order;
}

/** A change of an order's status and its event, as updating it leaves them. */
export async function changeStatus(
  platform: Platform,
  order: Order,
  change: { status: OrderStatus; by: { id: string }; reason?: string },
): Promise<void> {
  await platform.db.$transaction(async (tx) => {
    const row = await tx.order.update({
      where: { id: order._id },
      data: {
        status: change.status,
        version: { increment: 1 },
        timeline: {
          create: [
            {
              version: order.version + 1,
              status: change.status,
              byId: change.by.id,
              reason: change.reason ?? null,
            },
          ],
        },
      },
      include: orderInclude,
    });
    await record(tx, {
      name: 'order.updated',
      data: presentOrder(row),
      rooms: roomsOf({ consumer: { id: row.consumerId }, farmer: { id: row.farmerId } }),
    });
  });
  await platform.eventLog.sequence();
}
