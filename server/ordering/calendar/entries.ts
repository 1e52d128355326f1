import { createHash } from 'node:crypto';
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { isCalledOff } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { formatExpected } from '#contract/platform/money/constants';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { listOf } from '#contract/platform/text/constants/formats';
import { isolate, theReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { addDays } from '#contract/platform/time/constants';
import { runsOf } from '#contract/platform/time/constants/clock';

/** How long a visit at the farm, or at the door, is where no slot says it. */
const VISIT_MS = 30 * 60_000;

/** Identifies entries among those of other programs. */
const HOST = 'farmgate';

const stateOf = ({ status }: Order): Entry['state'] => {
  if (status === 'pending') return 'tentative';
  // A person who has imported the entry before learns it by importing it again.
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

/** The calendar entry of one order, for the person who placed it. */
export function orderEntry(order: Order): Entry {
  const farm = farmNameOf(order.farmer);
  const { pickupDetails, deliveryDetails, totalAmount } = order;
  return {
    uid: `${order._id}@${HOST}`,
    title: deliveryDetails ? t('Delivery from {farm}', { farm }) : t('Pick up at {farm}', { farm }),
    description: [
      t('Order {number}, {total}', {
        number: `#${shortId(order._id)}`,
        total: formatExpected(totalAmount, !order.isTotalFinal),
      }),
      ...goodsOf(order),
      pickupDetails?.place?.directions,
      order.farmer.phone && `${isolate(farm)}: ${isolate(order.farmer.phone)}`,
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

/** Says how many orders are handed over, and how many of them the farm has not answered. */
const titleOf = (way: 'pickup' | 'delivery', count: number, waiting: number): string =>
  waiting === 0
    ? t(
        '{way, select, pickup {{count, plural, one {# pickup} other {# pickups}}} other {{count, plural, one {# delivery} other {# deliveries}}}}',
        { way, count },
      )
    : t(
        '{way, select, pickup {{count, plural, one {# pickup} other {# pickups}}} other {{count, plural, one {# delivery} other {# deliveries}}}} ({waiting, number} to answer)',
        { way, count, waiting },
      );

/**
 * The entries of a farm's days: one for all orders that are handed over at the same time in the same place. Says who
 * comes for what, and nobody's phone number or street: calendars are read in many places. All have the `revision` of
 * the whole calendar, which only grows: that of an entry's own orders would fall when one of them leaves it.
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
    const waiting = group.filter(({ status }) => status === 'pending').length;
    return {
      uid: `${createHash('sha256').update(`${first.farmer._id} ${key}`).digest('hex').slice(0, 32)}@${HOST}`,
      title: titleOf(pickupDetails ? 'pickup' : 'delivery', group.length, waiting),
      description: group
        .map(
          (order) =>
            `${isolate(order.consumer.name)} #${shortId(order._id)}: ${listOf(goodsOf(order), 'unit')}`,
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
  const days = farm.closedDays.map((day) => day.toISOString().slice(0, 10));
  return runsOf(days).map(({ from, to }) => ({
    uid: `closed-${farm.id}-${from}@${HOST}`,
    title: t('Closed'),
    description: t('No pickups and deliveries.'),
    location: '',
    startsAt: new Date(from),
    endsAt: new Date(addDays(to, 1)),
    isAllDay: true,
    state: 'confirmed',
    sequence: farm.scheduleVersion,
    changedAt: farm.changedAt,
  }));
}

/** An appointment, or a whole day. */
export interface Entry {
  /** Stays the same when the entry changes, so that calendars replace it. */
  uid: string;
  title: string;
  description: string;
  location: string;
  startsAt: Date;
  endsAt: Date;
  /** Whole days, by whatever clock: both instants are midnights in UTC, the second after the last day. */
  isAllDay?: boolean;
  state: 'tentative' | 'confirmed' | 'cancelled';
  /** Grows with each change. */
  sequence: number;
  /** When it was last changed. */
  changedAt: Date;
}

const STATUSES: Record<Entry['state'], ICalEventStatus> = {
  tentative: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
};

/** How often a subscribed calendar is asked to look again, in seconds. */
const REFRESH_SECONDS = 15 * 60;

/**
 * Returns a calendar file. Its times are instants, which every calendar shows by its own reader's clock, or whole
 * days, which are the same by all clocks.
 * With a `name` it is one to subscribe to, else one to import.
 */
export function toCalendarFile(entries: readonly Entry[], name?: string): string {
  const calendar = ical({
    prodId: {
      company: 'Farmgate',
      product: 'Orders',
      language: theReader().language.toUpperCase(),
    },
    method: ICalCalendarMethod.PUBLISH,
    ...(name === undefined ? {} : { name, ttl: REFRESH_SECONDS }),
  });
  for (const entry of entries) {
    calendar.createEvent({
      id: entry.uid,
      summary: entry.title,
      description: entry.description,
      location: entry.location || null,
      start: entry.startsAt,
      end: entry.endsAt,
      allDay: entry.isAllDay ?? false,
      status: STATUSES[entry.state],
      sequence: entry.sequence,
      stamp: entry.changedAt,
    });
  }
  return calendar.toString();
}
