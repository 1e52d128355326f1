import { z } from 'zod';
import {
  Address,
  Amount,
  endpoint,
  Id,
  Instant,
  idParams,
  ListQuery,
  list,
  one,
  ROLES,
  type Role,
  requiredText,
  text,
  WallDate,
  WallTime,
} from '#contract/platform';
import { Product, QUANTITY_MAX, Unit } from '#contract/products';
import { Contact, PersonWithRole } from '#contract/users';

export const ORDER_STATUSES = [
  'pending',
  'accepted',
  'rejected',
  'completed',
  'cancelled',
] as const;
export const OrderStatus = z.enum(ORDER_STATUSES);
export type OrderStatus = z.infer<typeof OrderStatus>;

export const PAYMENT_METHODS = ['cash', 'bank_transfer', 'other'] as const;
export const PaymentMethod = z.enum(PAYMENT_METHODS);
export type PaymentMethod = z.infer<typeof PaymentMethod>;

/** Who someone is to an order. */
export type Party = 'consumer' | 'farmer' | 'admin';

/** One allowed change of status, who may make it, and whether the stock goes back to the shelf. */
export interface Transition {
  from: OrderStatus;
  to: OrderStatus;
  by: readonly Party[];
  returnsStock: boolean;
}

/** Every change of status there is; what is not here is refused. */
export const ORDER_TRANSITIONS: readonly Transition[] = [
  { from: 'pending', to: 'accepted', by: ['farmer', 'admin'], returnsStock: false },
  { from: 'pending', to: 'rejected', by: ['farmer', 'admin'], returnsStock: true },
  { from: 'pending', to: 'cancelled', by: ['consumer', 'farmer', 'admin'], returnsStock: true },
  { from: 'accepted', to: 'completed', by: ['farmer', 'admin'], returnsStock: false },
  { from: 'accepted', to: 'cancelled', by: ['farmer', 'admin'], returnsStock: true },
];

/** The transition that `party` may make, or nothing. */
export const findTransition = (
  from: OrderStatus,
  to: OrderStatus,
  party: Party,
): Transition | undefined =>
  ORDER_TRANSITIONS.find(
    (transition) =>
      transition.from === from && transition.to === to && transition.by.includes(party),
  );

/** True when nothing can follow this status. */
export const isFinal = (status: OrderStatus): boolean =>
  !ORDER_TRANSITIONS.some((transition) => transition.from === status);

export const LINES_MAX = 100;
export const NOTES_MAX = 1000;
export const REASON_MAX = 500;
/** The largest total an order may have, in minor units, so that sums stay exact as JSON numbers. */
export const TOTAL_MAX_MINOR = 1_000_000_000_000;
/** Minutes after which a pending order is called unanswered. */
export const UNANSWERED_MINUTES = 30;
/** How long a repeat of an `Idempotency-Key` gets the first answer, in hours. */
export const IDEMPOTENCY_HOURS = 24;

export const OrderLine = z.object({
  _id: Id,
  /** As it was when ordered; `_id` is null once the product was deleted. */
  product: z.object({
    _id: Id.nullable(),
    name: z.string(),
    images: z.array(z.string()),
    unit: Unit,
  }),
  quantity: z.number().int(),
  price: Amount,
});
export type OrderLine = z.infer<typeof OrderLine>;

export const PickupDetails = z.object({ date: WallDate, time: WallTime, location: z.string() });
export type PickupDetails = z.infer<typeof PickupDetails>;

export const DeliveryDetails = z.object({ address: Address, date: WallDate, time: WallTime });
export type DeliveryDetails = z.infer<typeof DeliveryDetails>;

export const TimelineEntry = z.object({
  status: OrderStatus,
  at: Instant,
  by: PersonWithRole,
  reason: z.string().optional(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const Order = z.object({
  _id: Id,
  createdAt: Instant,
  status: OrderStatus,
  totalAmount: Amount,
  paymentMethod: PaymentMethod,
  notes: z.string(),
  consumer: Contact,
  /** `name` is the person's; the farm's own name stands beside it. */
  farmer: Contact.extend({ farmName: z.string() }),
  items: z.array(OrderLine),
  /** Exactly one of the two is there. */
  pickupDetails: PickupDetails.optional(),
  deliveryDetails: DeliveryDetails.optional(),
  /** Grows by one with each change. */
  version: z.number().int(),
  timeline: z.array(TimelineEntry),
});
export type Order = z.infer<typeof Order>;

export const PlaceOrder = z
  .object({
    farmer: Id,
    items: z
      .array(
        z.object({
          product: Id,
          quantity: z
            .number()
            .int('Give a whole number.')
            .min(1, 'Order at least one.')
            .max(QUANTITY_MAX),
          /** What the buyer saw; refused when it is no longer the price. */
          price: z.number().nonnegative().max(1_000_000).optional(),
        }),
      )
      .min(1, 'Put something in the cart first.')
      .max(LINES_MAX, `An order has at most ${LINES_MAX} lines.`)
      .refine(
        (items) => new Set(items.map((item) => item.product)).size === items.length,
        'Each product can stand in an order only once.',
      ),
    notes: text(NOTES_MAX).default(''),
    paymentMethod: PaymentMethod.default('cash'),
    pickupDetails: z
      .object({
        date: WallDate,
        time: WallTime,
        location: requiredText(200, 'Pickup location is required'),
      })
      .optional(),
    deliveryDetails: z
      .object({
        address: z.object({
          street: requiredText(200, 'Street is required'),
          city: requiredText(100, 'City is required'),
          state: requiredText(100, 'State is required'),
          zipCode: requiredText(20, 'Zip code is required'),
        }),
        date: WallDate,
        time: WallTime,
      })
      .optional(),
  })
  .refine(
    (input) => (input.pickupDetails === undefined) !== (input.deliveryDetails === undefined),
    {
      path: ['pickupDetails'],
      message: 'Choose either pickup or delivery.',
    },
  );
export type PlaceOrder = z.infer<typeof PlaceOrder>;

export const UpdateOrderStatus = z.object({
  status: OrderStatus,
  reason: text(REASON_MAX).optional(),
});
export type UpdateOrderStatus = z.infer<typeof UpdateOrderStatus>;

export const OrderListQuery = ListQuery.extend({ status: OrderStatus.optional() });
export type OrderListQuery = z.infer<typeof OrderListQuery>;

export const AllOrdersQuery = OrderListQuery.extend({
  /** The start of an id, or part of the customer's or the farmer's name. */
  search: text(200).optional(),
});
export type AllOrdersQuery = z.infer<typeof AllOrdersQuery>;

/** One day of a series; `date` is the UTC day. */
export const DayFigures = z.object({
  date: WallDate,
  orders: z.number().int(),
  /** Of completed orders placed that day. */
  revenue: Amount,
});
export type DayFigures = z.infer<typeof DayFigures>;

export const StatusCounts = z.object({
  pending: z.number().int(),
  accepted: z.number().int(),
  rejected: z.number().int(),
  completed: z.number().int(),
  cancelled: z.number().int(),
});
export type StatusCounts = z.infer<typeof StatusCounts>;

/** What a farmer's dashboard shows, over all the farm's data. */
export const FarmerStats = z.object({
  productCount: z.number().int(),
  pendingOrders: z.number().int(),
  ordersByStatus: StatusCounts,
  unreadMessages: z.number().int(),
  /** The sum of completed orders. */
  totalRevenue: Amount,
  /** The last 30 days, oldest first, none left out. */
  days: z.array(DayFigures),
  recentOrders: z.array(Order),
  /** Products under {@link LOW_STOCK}, emptiest first, the first five. */
  lowStock: z.array(Product),
});
export type FarmerStats = z.infer<typeof FarmerStats>;

export const ordersApi = {
  place: endpoint({
    method: 'POST',
    path: '/orders',
    summary: 'Place an order with one farm',
    access: ['consumer'],
    body: PlaceOrder,
    answer: one(Order),
    status: 201,
    rate: 'orders',
    failures: [404, 409],
    idempotent: true,
  }),
  placed: endpoint({
    method: 'GET',
    path: '/orders/consumer',
    summary: 'Orders the signed-in consumer placed, newest first',
    access: ['consumer'],
    query: OrderListQuery,
    answer: list(Order),
  }),
  received: endpoint({
    method: 'GET',
    path: '/orders/farmer',
    summary: 'Orders placed with the signed-in farmer, newest first',
    access: ['farmer'],
    query: OrderListQuery,
    answer: list(Order),
  }),
  farmerStats: endpoint({
    method: 'GET',
    path: '/orders/stats/farmer',
    summary: "Figures of the signed-in farmer's whole farm",
    access: ['farmer'],
    answer: one(FarmerStats),
  }),
  all: endpoint({
    method: 'GET',
    path: '/orders',
    summary: 'All orders, newest first',
    access: ['admin'],
    query: AllOrdersQuery,
    answer: list(Order),
    rate: 'search',
  }),
  detail: endpoint({
    method: 'GET',
    path: '/orders/:id',
    summary: 'One order, for its consumer, its farmer and admins',
    access: ROLES,
    params: idParams('Order not found'),
    answer: one(Order),
    failures: [404],
  }),
  updateStatus: endpoint({
    method: 'PUT',
    path: '/orders/:id',
    summary: 'Change the status of an order',
    access: ROLES,
    params: idParams('Order not found'),
    body: UpdateOrderStatus,
    answer: one(Order),
    rate: 'writes',
    failures: [404, 409],
  }),
};

/** The party a signed-in person is to an order. */
export const partyTo = (
  order: { consumerId: string; farmerId: string },
  user: { id: string; role: Role },
): Party | undefined => {
  if (user.role === 'admin') return 'admin';
  if (user.id === order.consumerId) return 'consumer';
  if (user.id === order.farmerId) return 'farmer';
  return undefined;
};
