import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import type { Prisma } from '../prisma/generated/client.ts';
import { type OrderRow, presentOrder } from '../server/ordering/model/present.ts';
import { afterOrderPlan, type OrderPlan } from '../server/ordering/model/write.ts';
import type { ContactRow, PersonRow } from '../server/people/users/present.ts';
import { farms, idOf } from './data/farms.ts';
import { consumers, type DemoPerson } from './data/people.ts';
import { staff } from './data/staff.ts';
import type { DemoOrder } from './orders.ts';

// Orders of the demo market change by the plans of the server, so that they are as real ones would be.

const contactOf = (
  { name, email, phone }: Pick<DemoPerson, 'name' | 'email' | 'phone'>,
  role: ContactRow['role'],
): ContactRow => ({
  id: idOf('user', email),
  name,
  email,
  phone,
  role,
  deletedAt: null,
  isFarm: false,
});

const people = new Map<string, PersonRow>(
  [
    ...farms.map(({ farmer }) => contactOf(farmer, 'farmer')),
    ...staff.map((person) => contactOf(person, 'farmer')),
    ...consumers.map((person) => contactOf(person, 'consumer')),
  ].map(({ id, name, role, deletedAt }) => [id, { id, name, role, deletedAt }]),
);

/** Returns a person of the demo market. Throws if there is none of this id. */
export function personOf(id: string): PersonRow {
  const person = people.get(id);
  if (!person) throw new Error(`Nobody of the demo market has the id ${id}.`);
  return person;
}

/** Returns an order as the server reads it, for its decisions. */
export function rowOf({ order, lines, timeline, consumer, farm }: DemoOrder): OrderRow {
  return {
    ...order,
    paymentMethod: order.paymentMethod ?? 'cash',
    notes: order.notes ?? '',
    startsAt: order.startsAt ?? null,
    endsAt: order.endsAt ?? null,
    slotId: order.slotId ?? null,
    placeId: order.placeId ?? null,
    endTime: order.endTime ?? null,
    placeName: order.placeName ?? '',
    placeDirections: order.placeDirections ?? '',
    pickupLocation: order.pickupLocation ?? '',
    street: order.street ?? '',
    city: order.city ?? '',
    state: order.state ?? '',
    zipCode: order.zipCode ?? '',
    isAreaConfirmed: order.isAreaConfirmed ?? false,
    isOwnPlace: order.isOwnPlace ?? false,
    isAreaOpen: order.isAreaOpen ?? false,
    version: order.version ?? 1,
    packing: order.packing ?? 'none',
    crates: order.crates ?? null,
    consumer: contactOf(consumer, 'consumer'),
    farmer: {
      ...contactOf(farm.farmer, 'farmer'),
      suspendedAt: null,
      farm: { farmName: farm.farmName },
    },
    lines,
    timeline: timeline.map(({ detail, reason, byId, ...entry }) => ({
      ...entry,
      detail: detail ?? null,
      reason: reason ?? null,
      cause: null,
      by: personOf(byId),
    })),
    proposals: [],
  };
}

/** What a plan makes of an order. */
export interface Planned {
  order: DemoOrder;
  /** As its event has it. */
  event: UpdatedOrder;
}

/** Applies a plan to an order that has no open proposal. Throws where it adds a line or changes the status. */
export function withPlan(before: DemoOrder, plan: OrderPlan): Planned {
  const after = afterOrderPlan(plan);
  if (after.status !== before.order.status)
    throw new Error('A plan of the demo changes the status.');
  const { version, totalMinor, packing, crates } = after;
  const orderId = before.order.id;
  const entries = after.timeline.slice(before.timeline.length).map(({ by, ...entry }) => ({
    orderId,
    sequence: entry.sequence,
    kind: entry.kind,
    status: entry.status,
    detail: entry.detail as Prisma.InputJsonValue,
    version,
    byId: by.id,
    at: plan.at,
    ...(entry.reason === null ? {} : { reason: entry.reason }),
  }));
  return {
    order: {
      ...before,
      order: { ...before.order, version, totalMinor, packing, crates, updatedAt: plan.at },
      lines: before.lines.map((line) => {
        const changed = after.lines.find(({ id }) => id === line.id);
        if (!changed) throw new Error('A plan of the demo removes a line.');
        return { ...line, ...changed, orderId, productId: line.productId };
      }),
      timeline: [...before.timeline, ...entries],
    },
    event: { ...presentOrder(after), change: plan.change },
  };
}
