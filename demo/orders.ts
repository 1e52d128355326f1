import { isCalledOff, isOpenStatus } from '#contract/ordering/orders/constants';
import type { OrderStatus, TimelineKind } from '#contract/ordering/orders/order-timeline';
import { stepsFrom } from '#contract/platform/quantities/constants/step-fields';
import { minutesOf, timeAt } from '#contract/platform/time/constants/clock';
import type { Prisma } from '../prisma/generated/client.ts';
import { type LineRow, NEW_LINE, totalOf } from '../server/ordering/model/present-lines.ts';
import type { DemoProduct } from './data/demo-product.ts';
import { type DemoFarm, farms, idOf } from './data/farms.ts';
import { consumers, type DemoPerson } from './data/people.ts';
import { products } from './data/products.ts';
import { staff } from './data/staff.ts';
import { lineGoods } from './goods.ts';
import { addressesOf } from './picture-files.ts';
import { makeRandom, type Random } from './random.ts';
import { type DemoSlot, handoverIn } from './slots.ts';
import { after, before, DAY_MS, dayOf, HOUR_MS, MINUTE_MS, momentOf, weekdayOf } from './times.ts';

/** When the demo market is made, and by whose clock its days are counted. */
export interface Clock {
  now: Date;
  timeZone: string;
}

/** An order of the demo market with its lines and timeline. */
export interface DemoOrder {
  order: Prisma.OrderCreateManyInput & {
    id: string;
    status: OrderStatus;
    date: Date;
    createdAt: Date;
  };
  lines: (LineRow & { orderId: string; productId: string })[];
  timeline: (Prisma.OrderTimelineEntryCreateManyInput & {
    kind: TimelineKind;
    status: OrderStatus | null;
    at: Date;
    reason?: string;
  })[];
  consumer: DemoPerson;
  farm: DemoFarm;
}

/** The seed of the random numbers; any number. */
const RANDOM_SEED = 20_260_704;

/** How many hours ago the orders of each status were placed. */
const PLACED_HOURS_AGO: Record<OrderStatus, readonly number[]> = {
  pending: [0.2, 1.4, 3, 5.5, 9, 15, 22, 31],
  accepted: [4, 8, 13, 20, 27, 38, 50, 66],
  rejected: [40, 150, 290, 430, 580],
  cancelled: [56, 190, 350, 480, 650],
  // A little over one a day, up to a month ago and old enough that the pickup day is over.
  completed: Array.from({ length: 34 }, (_, index) => 122 + index * 17.7),
};

/** The farm and the consumer who write in Urdu trade with each other. */
const [urduFarm, urduConsumer] = [farms[8], consumers[5]] as const;
const otherFarms = farms.filter((farm) => farm !== urduFarm);
const otherConsumers = consumers.filter((consumer) => consumer !== urduConsumer);

/** Busy farms and frequent consumers are repeated, so that they are picked more often. */
const farmsByTraffic = [
  ...otherFarms,
  ...otherFarms.slice(0, 4),
  ...otherFarms.slice(0, 2),
  ...otherFarms.slice(0, 1),
];
const consumersByTraffic = [
  ...otherConsumers,
  ...otherConsumers.slice(0, 2),
  ...otherConsumers.slice(0, 1),
];

/** The first demo accounts have an order in every status. */
const firstPairs = [
  { consumer: consumers[0], farm: farms[0] },
  { consumer: consumers[0], farm: farms[1] },
  { consumer: consumers[1], farm: farms[0] },
];

/** Creates all orders, newest first: those of the last 30 days, and those in slots. */
export const makeAllOrders = (clock: Clock, slots: readonly DemoSlot[]): DemoOrder[] =>
  [
    ...makeOrders(makeRandom(RANDOM_SEED), clock),
    ...makeSlotOrders(makeRandom(RANDOM_SEED + 1), clock, slots),
    ...makeUrduOrders(makeRandom(RANDOM_SEED + 2), clock),
  ].sort((one, other) => other.order.createdAt.getTime() - one.order.createdAt.getTime());

/** Creates the orders of the last 30 days, newest first. */
export function makeOrders(random: Random, clock: Clock): DemoOrder[] {
  const statuses = Object.entries(PLACED_HOURS_AGO) as [OrderStatus, readonly number[]][];
  const placements = statuses.flatMap(([status, ages]) =>
    ages.map((hoursAgo, index) => ({
      status,
      hoursAgo,
      consumer: firstPairs[index]?.consumer ?? random.pick(consumersByTraffic),
      farm: firstPairs[index]?.farm ?? random.pick(farmsByTraffic),
    })),
  );
  return placements
    .sort((one, other) => one.hoursAgo - other.hoursAgo)
    .map((placement, index) => makeOrder(random, clock, placement, `${index}`));
}

/** Creates as many orders as the slots have taken, newest first; those of the first slots are accepted. */
function makeSlotOrders(random: Random, clock: Clock, slots: readonly DemoSlot[]): DemoOrder[] {
  const taken = slots.flatMap((slot) => Array.from({ length: slot.row.taken }, () => slot));
  return taken.map((slot, index) => {
    const farm = farms.find(({ key }) => key === slot.place.farm) ?? farms[0];
    const consumer = otherConsumers[index % otherConsumers.length] ?? consumers[0];
    const status = index % 3 === 2 ? ('pending' as const) : ('accepted' as const);
    return makeOrder(
      random,
      clock,
      { status, hoursAgo: 2 + index * 1.7, consumer, farm, slot },
      `slot ${index}`,
    );
  });
}

/** The orders between those who write in Urdu. */
const URDU_ORDERS: readonly (readonly [status: OrderStatus, hoursAgo: number])[] = [
  ['pending', 2.2],
  ['pending', 7],
  ['accepted', 19],
  ['accepted', 30],
  ['completed', 150],
  ['completed', 330],
  ['completed', 520],
];

const makeUrduOrders = (random: Random, clock: Clock): DemoOrder[] =>
  URDU_ORDERS.map(([status, hoursAgo], index) => {
    const placement = { status, hoursAgo, farm: urduFarm, consumer: urduConsumer };
    return makeOrder(random, clock, placement, `urdu ${index}`);
  });

interface Placement {
  status: OrderStatus;
  hoursAgo: number;
  consumer: DemoPerson;
  farm: DemoFarm;
  slot?: DemoSlot;
}

function makeOrder(random: Random, clock: Clock, placement: Placement, key: string): DemoOrder {
  const { status, consumer, farm, slot } = placement;
  const id = idOf('order', key);
  const createdAt = before(clock.now, placement.hoursAgo * HOUR_MS);
  const lines = makeLines(random, id, farm, placement.hoursAgo / 24);
  const isPickup = farm.deliveryRadius === undefined || random.chance(0.6);
  const { day, time } = slot
    ? { day: slot.row.date as Date, time: slot.row.from }
    : handover(random, farm, status, createdAt, clock);
  const timeline = makeTimeline(random, id, placement, {
    createdAt,
    day,
    time,
    timeZone: clock.timeZone,
  });
  return {
    consumer,
    farm,
    lines,
    timeline,
    order: {
      id,
      consumerId: idOf('user', consumer.email),
      farmerId: idOf('user', farm.farmer.email),
      status,
      totalMinor: totalOf(lines),
      paymentMethod: random.pick([
        'cash',
        'cash',
        'cash',
        'bank_transfer',
        'bank_transfer',
        'other',
      ]),
      notes: random.chance(0.35) ? random.pick(consumer === urduConsumer ? urduNotes : notes) : '',
      isPickup,
      date: day,
      time,
      ...(isPickup ? { pickupLocation: farm.pickupLocation } : consumer.address),
      ...(slot ? handoverIn(slot) : {}),
      version: timeline.at(-1)?.version ?? 1,
      createdAt,
      updatedAt: timeline.at(-1)?.at ?? createdAt,
    },
  };
}

function makeLines(random: Random, orderId: string, farm: DemoFarm, daysAgo: number) {
  const onSale = products.filter(
    (product) => product.farm === farm.key && product.listedDaysAgo > daysAgo,
  );
  return random
    .shuffled(onSale)
    .slice(0, random.whole(1, 4))
    .map((product, position) => {
      const id = idOf('order line', `${orderId} ${position}`);
      return {
        ...NEW_LINE,
        id,
        orderId,
        position,
        productId: idOf('product', product.key),
        name: product.name,
        image: addressesOf(product.key)[0] ?? null,
        ...lineGoods(product, { lineId: id, quantity: portionOf(random, product) }),
      };
    });
}

function portionOf(random: Random, { portion: [least, most], step }: DemoProduct): number {
  if (step !== undefined) return stepsFrom(0, random.whole(least / step, most / step), { step });
  const quantity = random.whole(least, most);
  return quantity < 50 ? quantity : Math.round(quantity / 10) * 10;
}

/** Returns a day and time when the farm is open: future for an open order, past for a completed one. */
function handover(
  random: Random,
  farm: DemoFarm,
  status: OrderStatus,
  createdAt: Date,
  { now, timeZone }: Clock,
): { day: Date; time: string } {
  const isOpen = isOpenStatus(status);
  const [from, minDays] = isOpen ? [now, random.whole(1, 3)] : [createdAt, 1];
  for (let days = minDays; ; days++) {
    const day = dayOf(from, timeZone, days);
    const { open, close } = farm.hours[weekdayOf(day)];
    if (open === '') continue;
    const [first, last] = [halfHours(open), halfHours(close) - 1];
    const slot = random.whole(first, last);
    return { day, time: timeAt(slot * 30) };
  }
}

/** Returns half hours since midnight. */
const halfHours = (time: string): number => Math.floor(minutesOf(time) / 30);

/** The email of who answers for the farm: its manager, where it has one, on half of the days. */
function answererOf({ key, farmer }: DemoFarm, createdAt: Date): string {
  const manager = staff.find((each) => each.farm === key && each.role === 'manager');
  const isManagersDay = Math.floor(createdAt.getTime() / DAY_MS) % 2 === 0;
  return manager && isManagersDay ? manager.email : farmer.email;
}

/** Creates the order's timeline. */
function makeTimeline(
  random: Random,
  orderId: string,
  placement: Placement,
  agreed: { createdAt: Date; day: Date; time: string; timeZone: string },
) {
  const { status, hoursAgo, consumer, farm } = placement;
  const byConsumer = idOf('user', consumer.email);
  const byFarmer = idOf('user', answererOf(farm, agreed.createdAt));
  const steps: { status: OrderStatus; byId: string; at: Date; reason?: string }[] = [
    { status: 'pending', byId: byConsumer, at: agreed.createdAt },
  ];
  // At most three hours and half of the order's age, so that the answer is in the past.
  const answeredAt = after(
    agreed.createdAt,
    random.between(0.15, Math.min(3, hoursAgo / 2)) * HOUR_MS,
  );
  const accepted = { status: 'accepted' as const, byId: byFarmer, at: answeredAt };

  if (status === 'accepted') steps.push(accepted);
  if (status === 'rejected') {
    steps.push({ status, byId: byFarmer, at: answeredAt, reason: random.pick(rejections) });
  }
  if (status === 'completed') {
    const handedOverAt = momentOf(agreed.day, agreed.time, agreed.timeZone);
    const at = after(handedOverAt, random.between(2, 25) * MINUTE_MS);
    steps.push(accepted, { status, byId: byFarmer, at });
  }
  if (status === 'cancelled' && random.chance(0.4)) {
    const at = after(answeredAt, random.between(2, 9) * HOUR_MS);
    const reason = random.pick(cancellationsByFarmer);
    steps.push(accepted, { status, byId: byFarmer, at, reason });
  } else if (status === 'cancelled') {
    const reason = random.pick(cancellationsByConsumer);
    steps.push({ status, byId: byConsumer, at: answeredAt, reason });
  }
  return steps.map((step, index) => ({
    orderId,
    kind: 'status' as const,
    sequence: index + 1,
    version: index + 1,
    ...step,
  }));
}

/**
 * Returns how often the stock of each product changed, by product id: once when ordered and once more when
 * returned.
 */
export function countStockMoves(orders: readonly DemoOrder[]): Map<string, number> {
  const moves = new Map<string, number>();
  for (const { order, lines } of orders) {
    for (const { productId, takesStock } of lines) {
      if (!takesStock) continue;
      moves.set(productId, (moves.get(productId) ?? 0) + (isCalledOff(order.status) ? 2 : 1));
    }
  }
  return moves;
}

/** What consumers ask for with an order; most ask for nothing. */
export const notes = [
  'Please pick the ripest ones, they are for tonight.',
  'I will bring my own crate.',
  'No plastic bags, please.',
  'Leave it with the neighbour at number 44 if nobody answers.',
  'A birthday dinner for twelve: thank you for choosing nice ones.',
  'Smaller ones rather than bigger, if there is a choice.',
  'The bell does not work, please knock.',
  'Could you put the receipt in the bag?',
];

const urduNotes = ['تازہ اور چھوٹے والے دیجیے گا، شکریہ۔', 'براہِ کرم پلاسٹک کا تھیلا نہ دیں۔'];

/** Why a farm says no. */
export const rejections = [
  'The hail on Tuesday took most of it. I am sorry, please try again next week.',
  'We are closed that day for the spring fair. Any other day is fine.',
  'The cooler failed overnight and I will not sell what was in it.',
  'That address is beyond where our van goes. Pickup would work.',
  'All of this week is promised to the school kitchen already.',
];

/** Why a consumer calls off an order that nobody has taken yet. */
export const cancellationsByConsumer = [
  'Our plans changed and we are away that weekend.',
  'Ordered twice by mistake.',
  'I picked the wrong day, I will order again.',
];

/** Why a farm calls off an order it had taken. */
export const cancellationsByFarmer = [
  'Frost got into the beds before we did. You pay nothing, of course.',
  'The van is at the garage until Monday and you asked for delivery.',
];
