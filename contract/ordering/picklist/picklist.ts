import { Unit } from '#contract/catalogue/products/product';
import { CRATES_MAX } from '#contract/ordering/changes/constants';
import { OrderLine, Packing } from '#contract/ordering/changes/order-lines';
import { OrderStatus } from '#contract/ordering/orders/order-timeline';
import { Order } from '#contract/ordering/orders/orders';
import {
  picklistApi as calls,
  DAY_SHEETS,
  LABEL_FORMATS,
  LABEL_NAMES,
  LABEL_SUBJECTS,
  PICK_NAME_MAX,
  SEEN_MAX,
  TICK_MAX,
} from '#contract/ordering/picklist/constants';
import { Person } from '#contract/people/users/users';
import { event } from '#contract/platform/events/event';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import {
  Day,
  dayRangeFields,
  ExpectedVersion,
  Id,
  Instant,
  idField,
  idParams,
  isDayRange,
  ListQuery,
  list,
  NO_DAY_IN_RANGE,
  named,
  one,
  text,
  WallDate,
  WallEnd,
  WallTime,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { OrderedSize, Quantity, UnitLabel } from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';

// What a farm harvests and packs for a day. The list follows from the orders; only prints, ticks and what was seen are
// kept.

/** The list of one day, at one place or of all. */
const scopeFields = {
  date: Day,
  /** One of the farm's places; absent for the whole day. */
  place: Id.optional(),
};

export const PicklistQuery = z.object(scopeFields);
export type PicklistQuery = z.infer<typeof PicklistQuery>;

const PickProduct = named('PickProduct', {
  /** Null once the product was deleted. */
  _id: Id.nullable(),
  name: z.string(),
  unit: Unit,
  /** The farm's own words for what it counts. */
  unitLabel: UnitLabel.optional(),
  image: z.string().nullable(),
});

/** How many pieces of one size are packed. */
const PickedSize = named('PickedSize', {
  size: OrderedSize,
  quantity: Quantity,
  pendingQuantity: Quantity,
});

/** What is needed of one product in one unit. */
export const PickTotal = named('PickTotal', {
  product: PickProduct,
  /** Of accepted orders; of sizes what they contain together, in units of the stock. */
  quantity: Quantity,
  /** What pending orders would add. */
  pendingQuantity: Quantity,
  /** What of it is packed in sizes, the smallest first; absent where nothing is. The rest is ordered in the unit. */
  sizes: z.array(PickedSize).optional(),
  /** How much is harvested; the version is for `expectedVersion`, 0 before the first. */
  ticked: Quantity,
  tickVersion: z.int(),
  /** Who ticked it last. */
  tickedBy: Person.nullable(),
  /** How much it is more or less than on the last print; null without a print. */
  sincePrint: Quantity.nullable(),
  /** Of goods that are sold by the piece and priced by weight `quantity` counts pieces. */
  isByPiece: z.boolean(),
});
export type PickTotal = z.infer<typeof PickTotal>;

/** One order as it is packed. */
export const PickOrder = named('PickOrder', {
  _id: Id,
  status: OrderStatus,
  version: z.int(),
  customer: Person,
  notes: z.string(),
  /** Null for a delivery. */
  place: z.string().nullable(),
  placeId: Id.nullable(),
  /** Where a delivery goes, on one line; null for a pickup. */
  address: z.string().nullable(),
  /** The same on two lines, for paper; absent for a pickup, and in answers of an older server. */
  addressLines: z.array(z.string()).optional(),
  date: WallDate,
  time: WallTime,
  endTime: WallEnd.optional(),
  packing: Packing,
  crates: z.int().optional(),
  /** The lines about which the customer is being asked. */
  askedLineIds: z.array(Id),
  /** The last entry of its timeline that can change what is picked. */
  changed: z.object({
    sequence: z.int(),
    at: Instant,
    kind: z.enum(['status', 'slot', 'lines', 'proposal']),
  }),
  /** Up to which entry somebody has seen its changes. */
  seen: z.object({ sequence: z.int(), by: Person, at: Instant }).optional(),
  /** All of the order, in its order; lines that were removed have a quantity of 0. */
  lines: z.array(
    z.object({
      lineId: Id,
      product: PickProduct,
      size: OrderLine.shape.size,
      /** Of a size its pieces, as in the two others. */
      quantity: Quantity,
      orderedQuantity: Quantity,
      pieceWeight: OrderLine.shape.pieceWeight,
      price: OrderLine.shape.price,
      estimate: OrderLine.shape.estimate,
      packed: OrderLine.shape.packed,
      isFinal: OrderLine.shape.isFinal,
      total: OrderLine.shape.total,
      /** What the last print has of the line; 0 if it is not on it. */
      printed: Quantity,
    }),
  ),
});
export type PickOrder = z.infer<typeof PickOrder>;

/** Why a total differs from the last print. */
export const PickChange = named('PickChange', {
  /** The order and the entry of its timeline: `PUT /farm/picklist/seen` marks changes by them. */
  orderId: Id,
  sequence: z.int(),
  customer: Person,
  kind: z.enum(['new', 'changed', 'cancelled', 'rejected', 'moved_in', 'moved_away']),
  /** To which day, of an order that was moved to another one. */
  movedTo: WallDate.optional(),
  product: PickProduct,
  /** Of what is sold in sizes there is a change for each of them, which counts its pieces. */
  size: OrderedSize.optional(),
  /** What the last print has of it, and what is needed now. */
  from: Quantity,
  to: Quantity,
  /** How much more, or less. */
  delta: Quantity,
  /** As in {@link PickTotal}. */
  isByPiece: z.boolean(),
  at: Instant,
  /** Who has seen it. */
  seen: z.object({ by: Person, at: Instant }).optional(),
});
export type PickChange = z.infer<typeof PickChange>;

/** A day with orders to pick. */
export const PickDay = named('PickDay', {
  date: WallDate,
  /** Accepted and completed ones. */
  orders: z.int(),
  pending: z.int(),
});
export type PickDay = z.infer<typeof PickDay>;

export const PickPrint = named('PickPrint', { _id: Id, number: z.int(), at: Instant, by: Person });
export type PickPrint = z.infer<typeof PickPrint>;

/** A tick as it is now. */
export const PickTick = named('PickTick', {
  ...scopeFields,
  /** Null of a product that was deleted, which goes by its name. */
  productId: Id.nullable(),
  name: z.string().optional(),
  unit: Unit,
  /** As in {@link PickTotal}. */
  isByPiece: z.boolean(),
  quantity: Quantity,
  version: z.int(),
  by: Person,
  at: Instant,
});
export type PickTick = z.infer<typeof PickTick>;

export const Picklist = named('Picklist', {
  date: WallDate,
  place: Id.nullable(),
  products: z.array(PickTotal),
  /**
   * Pending, accepted and completed ones, and those that only the last print has; by time, place, customer and id.
   * The first {@link PICK_PAGE} of them.
   */
  orders: z.array(PickOrder),
  /** The cursor of the orders behind them; null if these are all. */
  nextCursor: z.string().nullable(),
  /** What was ticked, also of products of which nothing is needed at the moment. */
  ticks: z.array(PickTick),
  print: PickPrint.nullable(),
  changes: z.array(PickChange),
});
export type Picklist = z.infer<typeof Picklist>;

/** A print as it was, for the paper: the totals and orders of that moment. */
export const PrintedPicklist = PickPrint.extend({
  date: WallDate,
  place: Id.nullable(),
  products: z.array(
    z.object({
      product: PickProduct,
      isByPiece: z.boolean(),
      quantity: Quantity,
      sizes: z.array(PickedSize.omit({ pendingQuantity: true })).optional(),
    }),
  ),
  /** What changed since the print before it, of each size; empty on the first. */
  sinceLast: z.array(
    z.object({
      product: PickProduct,
      isByPiece: z.boolean(),
      size: OrderedSize.optional(),
      delta: Quantity,
    }),
  ),
}).meta({ id: 'PrintedPicklist' });
export type PrintedPicklist = z.infer<typeof PrintedPicklist>;

export const PrintFileQuery = z.object({ changes: z.enum(['true', 'false']).default('false') });

export const LabelsQuery = z.object({
  ...scopeFields,
  format: z.enum(LABEL_FORMATS, { error: () => t('Choose the paper of the labels.') }),
  per: z.enum(LABEL_SUBJECTS).default('order'),
  names: z.enum(LABEL_NAMES).default('full'),
});
export type LabelsQuery = z.infer<typeof LabelsQuery>;

export const DaySheetQuery = z.object({
  ...scopeFields,
  sheet: z.enum(DAY_SHEETS, 'Choose what to print.'),
});
export type DaySheetQuery = z.infer<typeof DaySheetQuery>;

/** The days of a range; with a product those on which open orders, which can still change, have it. */
export const PickDaysQuery = z
  .object({ ...dayRangeFields, product: idField(() => t('Choose a product.')).optional() })
  .refine(isDayRange, NO_DAY_IN_RANGE);
export type PickDaysQuery = z.infer<typeof PickDaysQuery>;

/** How much of a product is harvested: absolute, so that a repeat changes nothing. */
export const TickProduct = z
  .object({
    ...scopeFields,
    /** Null of a product that was deleted. */
    productId: idField(() => t('Choose a product.')).nullable(),
    /** As the list names it: what a deleted product goes by, also one that is deleted while this is on its way. */
    name: text(PICK_NAME_MAX).optional(),
    unit: Unit,
    /**
     * As the list has it. Absent it is what the list needs of the product: pieces if all of its orders count them, else
     * an amount in the unit.
     */
    isByPiece: z.boolean().optional(),
    quantity: Quantity.min(0, { error: () => t('Enter 0 or more.') }).max(TICK_MAX, {
      error: () => t('Enter at most {most, number}.', { most: TICK_MAX }),
    }),
    /** The `tickVersion` that this replaces; 0 before the first. */
    expectedVersion: z.int().min(0).optional(),
  })
  .refine(({ productId, name }) => productId !== null || name, {
    path: ['name'],
    error: () => t('Say which product it is.'),
  });
export type TickProduct = z.infer<typeof TickProduct>;

/** Changes that somebody has seen, each by its order and the last entry of that order's timeline that they know. */
export const MarkSeen = z.object({
  ...scopeFields,
  changes: z
    .array(z.object({ orderId: Id, sequence: z.int().min(0) }))
    .min(1, { error: () => t('Choose a change.') })
    .max(SEEN_MAX, {
      error: () =>
        t('Mark at most {most, plural, one {# change} other {# changes}} at once.', {
          most: SEEN_MAX,
        }),
    }),
});
export type MarkSeen = z.infer<typeof MarkSeen>;

export const PackOrder = z.object({
  packing: Packing,
  crates: z
    .int()
    .min(0)
    .max(CRATES_MAX, {
      error: () =>
        t('Enter at most {most, plural, one {# crate} other {# crates}}.', { most: CRATES_MAX }),
    })
    .nullable()
    .optional(),
  expectedVersion: ExpectedVersion,
});
export type PackOrder = z.infer<typeof PackOrder>;

export const picklistEvents = {
  'pick.ticked': event({
    data: PickTick.extend({ farmId: Id }),
    summary: 'How much of a product is harvested changed.',
    audience: 'The farm.',
    rooms: [['farm']],
  }),
  'picklist.printed': event({
    data: PickPrint.extend({
      ...scopeFields,
      farmId: Id,
      /** How many orders it has, and the sum of their versions: anyone who knows others must ask again. */
      orderCount: z.int(),
      versionSum: z.int(),
    }),
    summary: 'A pick list was printed: changes count from this print on.',
    audience: 'The farm.',
    rooms: [['farm']],
  }),
  'picklist.seen': event({
    data: MarkSeen.extend({ farmId: Id, by: Person, at: Instant }),
    summary: 'Somebody of the farm has seen changes of a pick list.',
    audience: 'The farm.',
    rooms: [['farm']],
  }),
};

export const picklistApi = endpoints(calls, {
  list: {
    summary: 'What to harvest and pack for a day, and what changed since the last print',
    ...forFarm('read'),
    query: PicklistQuery,
    answer: one(Picklist),
    failures: [404],
  },
  orders: {
    summary: 'The orders of a pick list behind the first ones',
    ...forFarm('read'),
    query: ListQuery.extend(scopeFields),
    answer: list(PickOrder),
    failures: [404],
  },
  days: {
    summary: 'The days with orders to pick, and how many',
    ...forFarm('read'),
    query: PickDaysQuery,
    answer: one(z.array(PickDay)),
  },
  print: {
    summary: 'Number and keep a print of the pick list',
    ...forFarm('packOrders'),
    body: PicklistQuery,
    answer: one(PickPrint),
    status: 201,
    failures: [404],
  },
  readPrint: {
    summary: 'A print as it was',
    ...forFarm('read'),
    params: idParams(() => t('Print not found')),
    answer: one(PrintedPicklist),
  },
  tick: {
    summary: 'Say how much of a product is harvested',
    ...forFarm('packOrders'),
    body: TickProduct,
    answer: one(PickTick),
    failures: [404],
  },
  markSeen: {
    summary: 'Mark changes since the last print as seen',
    ...forFarm('packOrders'),
    body: MarkSeen,
    answer: one(z.object({ seen: z.int() })),
    failures: [404],
  },
  pack: {
    summary: 'Say how far an order is packed',
    ...forFarm('packOrders'),
    params: idParams(() => t('Order not found')),
    body: PackOrder,
    answer: one(Order),
  },
});
