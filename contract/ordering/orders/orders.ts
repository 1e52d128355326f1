import { Product, Unit } from '#contract/catalogue/products/product';
import { OrderLine, orderedItems, Packing, Proposal } from '#contract/ordering/changes/order-lines';
import {
  AGAIN_OUTCOMES,
  ordersApi as calls,
  ORDER_CHECKS,
  ORDER_SORTS,
  PAYMENT_METHODS,
  RECEIVED_SORTS,
} from '#contract/ordering/orders/constants';
import { OrderChange, OrderStatus, TimelineEntry } from '#contract/ordering/orders/order-timeline';
import { PickupChoice, PickupDetails } from '#contract/ordering/orders/pickup';
import { Contact } from '#contract/people/users/users';
import { event } from '#contract/platform/events/event';
import { ROLES } from '#contract/platform/http/constants';
import { asciiSearch } from '#contract/platform/http/email';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import {
  Address,
  Amount,
  Day,
  DeliveryAddress,
  dayRangeFields,
  ExpectedVersion,
  Id,
  Instant,
  idParams,
  isDayRange,
  ListQuery,
  list,
  NO_DAY_IN_RANGE,
  named,
  one,
  text,
  WallDate,
  WallTime,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { NOTES_MAX, REASON_MAX, STATUS_BATCH_MAX } from '#contract/platform/orders/constants';
import { OrderedSize, PieceWeight, Quantity } from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';

// By name, because the constants have a type of this name too.

export const PaymentMethod = z.enum(PAYMENT_METHODS);
export type PaymentMethod = z.infer<typeof PaymentMethod>;

export const DeliveryDetails = named('DeliveryDetails', {
  address: Address,
  date: WallDate,
  time: WallTime,
  /** The consumer said that the address is within the farm's delivery area. */
  isAreaConfirmed: z.literal(true).optional(),
});

/** `name` is the person's; the farm's own name stands beside it. */
const FarmContact = Contact.extend({ farmName: z.string() }).meta({ id: 'FarmContact' });

export const Order = named('Order', {
  _id: Id,
  createdAt: Instant,
  status: OrderStatus,
  totalAmount: Amount,
  paymentMethod: PaymentMethod,
  notes: z.string(),
  consumer: Contact,
  farmer: FarmContact,
  /** Lines that were removed stand among them, with a quantity of 0. */
  items: z.array(OrderLine),
  /** What the lines come to as they were ordered first, and before anything was weighed. */
  estimatedTotal: Amount,
  /** Whether no line is an estimate any more. */
  isTotalFinal: z.boolean(),
  /** The farm's proposal that waits for the consumer's answer. */
  openChange: Proposal.nullable(),
  /** All proposals, the newest first: on the detail alone, and absent where there are none. */
  changes: z.array(Proposal).optional(),
  packing: Packing,
  /** How many crates it is packed into. */
  crates: z.int().optional(),
  /** Exactly one of the two is there. */
  pickupDetails: PickupDetails.optional(),
  deliveryDetails: DeliveryDetails.optional(),
  /**
   * The instant of the date and time above, which are by the farm's clock. Absent only in answers of an
   * older server.
   */
  startsAt: Instant.optional(),
  /** When the handover's slot ends; absent without a slot. */
  endsAt: Instant.optional(),
  /**
   * Whether its customer may cancel it: while it is pending, and an accepted one while its farm is suspended. Absent
   * only in answers of an older server.
   */
  mayCancel: z.boolean().optional(),
  /** What its farm looks at before it accepts it: no press on "all" does. Absent where there is nothing. */
  toCheck: z.array(z.enum(ORDER_CHECKS)).optional(),
  /** Grows with each change; says nothing about how many entries the timeline has. */
  version: z.int(),
  timeline: z.array(TimelineEntry),
});
export type Order = z.infer<typeof Order>;

/** An order as it is after a change, and the change. Only the order belongs into a cache. */
export const UpdatedOrder = Order.extend({ change: OrderChange });
export type UpdatedOrder = z.infer<typeof UpdatedOrder>;

export const PlaceOrder = z
  .object({
    farmer: Id,
    items: orderedItems().min(1, { error: () => t('Put something in the cart first.') }),
    notes: text(NOTES_MAX).default(''),
    paymentMethod: PaymentMethod.default('cash'),
    pickupDetails: PickupChoice.optional(),
    deliveryDetails: z
      .object({
        address: DeliveryAddress,
        date: Day,
        time: WallTime,
        /**
         * Whether the consumer says that the address is within the farm's delivery area. Asked for where the
         * farm lists no places; then `false` is refused.
         */
        isAreaConfirmed: z.boolean().optional(),
      })
      .optional(),
  })
  .refine(
    (input) => (input.pickupDetails === undefined) !== (input.deliveryDetails === undefined),
    {
      path: ['pickupDetails'],
      error: () => t('Choose either pickup or delivery.'),
    },
  );
export type PlaceOrder = z.infer<typeof PlaceOrder>;

const StatusChange = z.object({
  status: OrderStatus,
  reason: text(REASON_MAX).optional(),
  /**
   * With `completed`: what is priced by weight and was not weighed costs what was estimated. Without it such an order
   * is refused (`UNWEIGHED`).
   */
  usesEstimates: z.boolean().optional(),
});

export const UpdateOrderStatus = StatusChange.extend({ expectedVersion: ExpectedVersion });
export type UpdateOrderStatus = z.infer<typeof UpdateOrderStatus>;

/** One product of an order that is ordered again, as the cart needs it. */
export const ReorderItem = named('AgainItem', {
  /** As it is now; what is gone is as it was ordered, with none available, unless another size of it could be chosen. */
  product: z.object({
    /** Null once the product was deleted. */
    _id: Id.nullable(),
    name: z.string(),
    images: z.array(z.string()),
    unit: Unit,
    price: Amount,
    quantityAvailable: Quantity,
    step: Product.shape.step,
    minimum: Product.shape.minimum,
    pieceWeight: Product.shape.pieceWeight,
    unitLabel: Product.shape.unitLabel,
    net: Product.shape.net,
    sizes: Product.shape.sizes,
    availability: Product.shape.availability,
    maxPerOrder: Product.shape.maxPerOrder,
    farmer: z.object({ _id: Id, name: z.string(), farmName: z.string() }),
  }),
  /** In which size it was ordered: one that cannot be had, is off or is there no more is `gone` with `quantity` 0. */
  size: OrderedSize.optional(),
  /** How many can be put into the cart: none of what is gone. */
  quantity: Quantity,
  /** As the product is counted now; 0 where `orderedAs` says nothing of that, such as bunches of kg. */
  orderedQuantity: Quantity,
  orderedPrice: Amount,
  /** How it was sold and counted then; absent where that is as now, and of what is gone. */
  orderedAs: z
    .object({ quantity: Quantity, unit: Unit, pieceWeight: PieceWeight.optional() })
    .optional(),
  /**
   * With `fewer` and `quantity_changed`, the price may differ from `orderedPrice` as well. `price_changed` is also
   * a price by another unit, or for pieces of another weight.
   */
  outcome: z.enum(AGAIN_OUTCOMES),
});
export type ReorderItem = z.infer<typeof ReorderItem>;

/** One status for several orders. An id that is there twice counts once. */
export const UpdateOrderStatuses = StatusChange.extend({
  ids: z
    .array(Id)
    .min(1, { error: () => t('Choose at least one order.') })
    .max(STATUS_BATCH_MAX, {
      error: () =>
        t('Change at most {most, plural, one {# order} other {# orders}} at once.', {
          most: STATUS_BATCH_MAX,
        }),
    }),
  /**
   * With `accepted`: those with something `toCheck` that somebody looked at and chose. Several at once are accepted
   * without the others, which are refused with `CHECK_FIRST`.
   */
  checked: z.array(Id).max(STATUS_BATCH_MAX).optional(),
});
export type UpdateOrderStatuses = z.infer<typeof UpdateOrderStatuses>;

/** What became of one order of several: the order as it is now, or why it did not change. */
export const StatusResult = z
  .union([
    z.object({ _id: Id, order: Order }),
    z.object({ _id: Id, code: z.string(), message: z.string() }),
  ])
  .meta({ id: 'StatusResult' });
export type StatusResult = z.infer<typeof StatusResult>;

export const OrderListQuery = ListQuery.extend({
  status: OrderStatus.optional(),
  /** Only those with a proposal of the farm that waits for an answer. */
  openChange: z.literal('true').optional(),
});
export type OrderListQuery = z.infer<typeof OrderListQuery>;

export const ReceivedOrdersQuery = OrderListQuery.extend({
  /** The start of an id, words of the customer's or a product's name, or part of the customer's phone number. */
  search: text(200).optional(),
  /** The day of pickup or delivery. */
  date: Day.optional(),
  sort: z.enum(RECEIVED_SORTS).default('newest'),
  /** The day that `slot` begins with: the days before it follow at the end, the latest first. */
  firstDay: Day.optional(),
});
export type ReceivedOrdersQuery = z.infer<typeof ReceivedOrdersQuery>;

export const AllOrdersQuery = OrderListQuery.extend({
  ...dayRangeFields,
  /**
   * The start of an id, words of the customer's or the farmer's name or email, of the farm's name or of that of a
   * product, or part of a phone number of theirs.
   */
  search: text(200).overwrite(asciiSearch).optional(),
  sort: z.enum(ORDER_SORTS).default('newest'),
}).refine(isDayRange, NO_DAY_IN_RANGE);
export type AllOrdersQuery = z.infer<typeof AllOrdersQuery>;

/** One day of a series, a farm's or the market's by their own clock. */
export const DayFigures = named('DayFigures', {
  date: WallDate,
  orders: z.int(),
  /** Of completed orders placed that day. */
  revenue: Amount,
});
export type DayFigures = z.infer<typeof DayFigures>;

export const StatusCounts = named('StatusCounts', {
  pending: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  completed: z.int(),
  cancelled: z.int(),
});
export type StatusCounts = z.infer<typeof StatusCounts>;

/** What a farmer's dashboard shows, over all the farm's data. */
export const FarmerStats = named('FarmerStats', {
  productCount: z.int(),
  pendingOrders: z.int(),
  ordersByStatus: StatusCounts,
  /** Left out for those who may not write the farm's messages. */
  unreadMessages: z.int().optional(),
  /** The sum of completed orders. It and the days are left out for those who may not see sales. */
  totalRevenue: Amount.optional(),
  /** The last 30 days, oldest first, none left out. */
  days: z.array(DayFigures).optional(),
  recentOrders: z.array(Order),
  /** Products under {@link LOW_STOCK}, emptiest first, the first five. */
  lowStock: z.array(Product),
});
export type FarmerStats = z.infer<typeof FarmerStats>;

export const orderEvents = {
  'order.created': event({
    data: Order,
    summary: 'An order was placed.',
    audience: 'Its farm, its consumer and admins.',
    rooms: [['user', 'farm', 'admins']],
  }),
  'order.updated': event({
    data: UpdatedOrder,
    summary: 'An order changed; `change` says what.',
    audience: 'Its farm, its consumer and admins.',
    rooms: [['user', 'farm', 'admins']],
  }),
  'order.unanswered': event({
    data: Order,
    summary: 'A pending order waits too long for an answer.',
    audience: 'Admins; its farmer gets a notification.',
    rooms: [['admins']],
  }),
};

export const ordersApi = endpoints(calls, {
  place: {
    summary: 'Place an order with one farm',
    access: ['consumer'],
    body: PlaceOrder,
    answer: one(Order),
    status: 201,
    rate: 'orders',
    failures: [404],
  },
  placed: {
    summary: 'Orders the signed-in consumer placed, newest first',
    access: ['consumer'],
    query: OrderListQuery,
    answer: list(Order),
  },
  received: {
    summary: 'Orders placed with the signed-in farmer, newest first or by day and time',
    ...forFarm('read'),
    query: ReceivedOrdersQuery,
    answer: list(Order),
  },
  farmerStats: {
    summary: "Figures of the signed-in farmer's whole farm, as far as their role goes",
    ...forFarm('read'),
    answer: one(FarmerStats),
  },
  pendingCount: {
    summary: 'How many orders wait for the signed-in farmer to answer',
    ...forFarm('read'),
    answer: one(z.object({ pendingOrders: z.int() })),
  },
  all: {
    summary: 'All orders, newest first or as sorted',
    access: ['admin'],
    query: AllOrdersQuery,
    answer: list(Order),
    rate: 'search',
  },
  detail: {
    summary: 'One order, for its consumer, its farmer and admins',
    access: ROLES,
    params: idParams(() => t('Order not found')),
    answer: one(Order),
  },
  again: {
    summary: 'What of an own order could be ordered again; writes and reserves nothing',
    access: ['consumer'],
    params: idParams(() => t('Order not found')),
    answer: one(z.object({ items: z.array(ReorderItem) })),
    notRepeatable: 'It writes nothing, so each call returns what is so by then.',
  },
  updateStatuses: {
    summary: 'Change the status of several orders; each is decided for itself',
    access: ['farmer', 'admin'],
    farmPermission: 'read',
    body: UpdateOrderStatuses,
    answer: one(z.array(StatusResult)),
  },
  updateStatus: {
    summary: 'Change the status of an order',
    access: ROLES,
    farmPermission: 'read',
    params: idParams(() => t('Order not found')),
    body: UpdateOrderStatus,
    answer: one(Order),
  },
});
