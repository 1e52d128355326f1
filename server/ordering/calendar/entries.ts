import { createHash } from 'node:crypto';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { isCalledOff } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { formatExpected } from '#contract/platform/money/constants';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { formatAddress } from '#contract/platform/text/constants/formats';
import type { Entry } from './file.ts';

/** How long a visit at the farm, or at the door, is where no slot says it. */
const VISIT_MS = 30 * 60_000;

const DAY_MS = 24 * 60 * 60_000;

/** Identifies entries among those of other programs. */
const HOST = 'farmgate';

const stateOf = ({ status }: Order): Entry['state'] => {
  if (status === 'pending') return 'tentative';
  // Whoever has imported the entry before learns it by importing it again.
  return isCalledOff(status) ? 'cancelled' : 'confirmed';
};

function timesOf({ startsAt, endsAt }: Order): Pick<Entry, 'startsAt' | 'endsAt'> {
  if (startsAt === undefined) throw new Error('A stored order has no start');
  const start = new Date(startsAt);
  return { startsAt: start, endsAt: endsAt ? new Date(endsAt) : new Date(+start + VISIT_MS) };
}

const changedAt = ({ timeline, createdAt }: Order): Date =>
  new Date(timeline.at(-1)?.at ?? createdAt);

const goodsOf = ({ items }: Order): string[] => items.map(formatLine);

/** The calendar entry of one order, for whoever placed it. */
export function orderEntry(order: Order): Entry {
  const farm = farmNameOf(order.farmer);
  const { pickupDetails, deliveryDetails, totalAmount } = order;
  return {
    uid: `${order._id}@${HOST}`,
    title: deliveryDetails ? `Delivery from ${farm}` : `Pick up at ${farm}`,
    description: [
      `Order #${shortId(order._id)}, ${formatExpected(totalAmount, !order.isTotalFinal)}`,
      ...goodsOf(order),
      pickupDetails?.place?.directions,
      order.farmer.phone && `${farm}: ${order.farmer.phone}`,
    ]
      .filter(Boolean)
      .join('\n'),
    location: pickupDetails?.location ?? formatAddress(deliveryDetails?.address),
    ...timesOf(order),
    state: stateOf(order),
    sequence: order.version,
    changedAt: changedAt(order),
  };
}

/**
 * The entries of a farm's days: one for all orders that are handed over at the same time in the same place.
 * Says who comes for what, and nobody's phone number or street: calendars are read in many places. All have the
 * `revision` of the whole calendar, which only grows: that of an entry's own orders would fall when one of them leaves it.
 */
export function farmEntries(
  orders: readonly Order[],
  revision: Pick<Entry, 'sequence' | 'changedAt'>,
): Entry[] {
  const together = new Map<string, Order[]>();
  for (const order of orders) {
    const location = order.pickupDetails?.location ?? null;
    const key = JSON.stringify([order.startsAt, order.endsAt, location]);
    together.set(key, [...(together.get(key) ?? []), order]);
  }
  return [...together].map(([key, group]) => {
    const [first] = group;
    if (!first) throw new Error('A group of orders is empty');
    const { pickupDetails } = first;
    const way = pickupDetails ? 'pickup' : 'delivery';
    const ways = pickupDetails ? 'pickups' : 'deliveries';
    const waiting = group.filter(({ status }) => status === 'pending').length;
    return {
      uid: `${createHash('sha256').update(`${first.farmer._id} ${key}`).digest('hex').slice(0, 32)}@${HOST}`,
      title: [
        `${group.length} ${group.length === 1 ? way : ways}`,
        waiting > 0 && `(${waiting} to answer)`,
      ]
        .filter(Boolean)
        .join(' '),
      description: group
        .map(
          (order) => `${order.consumer.name} #${shortId(order._id)}: ${goodsOf(order).join(', ')}`,
        )
        .join('\n'),
      location: pickupDetails?.location ?? '',
      ...timesOf(first),
      state: waiting === 0 ? 'confirmed' : 'tentative',
      ...revision,
    };
  });
}

/** A farm whose closed days are listed. */
interface FarmWithClosedDays {
  id: string;
  /** In order, as Prisma reads days. */
  closedDays: readonly Date[];
  scheduleVersion: number;
  changedAt: Date;
}

/** The entries of the days on which a farm is closed: one for days in a row. */
export function closedDayEntries(farm: FarmWithClosedDays): Entry[] {
  const runs: { first: Date; after: Date }[] = [];
  for (const day of farm.closedDays) {
    const last = runs.at(-1);
    const after = new Date(+day + DAY_MS);
    if (last && +last.after === +day) last.after = after;
    else runs.push({ first: day, after });
  }
  return runs.map(({ first, after }) => ({
    uid: `closed-${farm.id}-${first.toISOString().slice(0, 10)}@${HOST}`,
    title: 'Closed',
    description: 'No pickups and deliveries.',
    location: '',
    startsAt: first,
    endsAt: after,
    isAllDay: true,
    state: 'confirmed',
    sequence: farm.scheduleVersion,
    changedAt: farm.changedAt,
  }));
}
