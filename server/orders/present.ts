import type { Order } from '#contract/orders';
import { fromMinor } from '#contract/platform';
import type { Prisma } from '../../prisma/generated/client.ts';
import {
  contactSelect,
  personSelect,
  presentContact,
  presentPersonWithRole,
} from '../users/present.ts';

/** What an order row must bring to be presented. */
export const orderInclude = {
  consumer: { select: contactSelect },
  farmer: { select: { ...contactSelect, farm: { select: { farmName: true } } } },
  lines: { orderBy: { position: 'asc' } },
  timeline: { orderBy: { version: 'asc' }, include: { by: { select: personSelect } } },
} as const satisfies Prisma.OrderInclude;

export type OrderRow = Prisma.OrderGetPayload<{ include: typeof orderInclude }>;

/** An order as its two parties and admins see it. */
export function presentOrder(row: OrderRow): Order {
  const date = row.date.toISOString().slice(0, 10);
  return {
    _id: row.id,
    createdAt: row.createdAt.toISOString(),
    status: row.status,
    totalAmount: fromMinor(row.totalMinor),
    paymentMethod: row.paymentMethod,
    notes: row.notes,
    consumer: presentContact(row.consumer),
    farmer: { ...presentContact(row.farmer), farmName: row.farmer.farm?.farmName ?? '' },
    items: row.lines.map((line) => ({
      _id: line.id,
      product: {
        _id: line.productId,
        name: line.name,
        images: line.image === null ? [] : [line.image],
        unit: line.unit,
      },
      quantity: line.quantity,
      price: fromMinor(line.priceMinor),
    })),
    ...(row.isPickup
      ? { pickupDetails: { date, time: row.time, location: row.pickupLocation } }
      : {
          deliveryDetails: {
            address: {
              street: row.street,
              city: row.city,
              state: row.state,
              zipCode: row.zipCode,
            },
            date,
            time: row.time,
          },
        }),
    version: row.version,
    timeline: row.timeline.map((entry) => ({
      status: entry.status,
      at: entry.at.toISOString(),
      by: presentPersonWithRole(entry.by),
      ...(entry.reason === null ? {} : { reason: entry.reason }),
    })),
  };
}
