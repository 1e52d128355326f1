import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { room } from '#contract/platform/events/constants';
import { orderInclude, presentOrder } from '../../server/ordering/model/present.ts';
import { record } from '../../server/platform/events/event-log.ts';
import type { Platform } from '../../server/platform/http/platform.ts';

interface Parties {
  consumer: { id: string };
  farmer: { id: string };
}

const roomsOf = ({ consumer, farmer }: Parties) => [
  room.user(consumer.id),
  room.farm(farmer.id),
  room.admins,
];

/** Writes an order and its event as the API does. */
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
          create: [
            { position: 0, name: 'Carrots', unit: 'bunch', priceMinor: 625, quantityMilli: 2000 },
          ],
        },
        timeline: {
          create: [{ sequence: 1, version: 1, status: 'pending', byId: parties.consumer.id }],
        },
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

/** Changes an order's status and writes the event as the API does. */
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
              sequence: order.timeline.length + 1,
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
      data: {
        ...presentOrder(row),
        change: { kind: 'status', from: order.status, to: change.status },
      },
      rooms: roomsOf({ consumer: { id: row.consumerId }, farmer: { id: row.farmerId } }),
    });
  });
  await platform.eventLog.sequence();
}
