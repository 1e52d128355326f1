import {
  slotsApi as calls,
  SLOT_CAPACITY_MAX,
  SLOT_RANGE_MAX_DAYS,
  SLOT_STATES,
} from '#contract/farm/slots/constants/slots';
import { REASON_MAX } from '#contract/ordering/orders/constants/orders';
import { Order } from '#contract/ordering/orders/orders';
import { event, Reference } from '#contract/platform/events/event';
import { dayRangeOf } from '#contract/platform/http/day-range';
import { endpoint } from '#contract/platform/http/endpoint';
import {
  Address,
  Day,
  ExpectedVersion,
  Id,
  Instant,
  idParams,
  ListQuery,
  list,
  one,
  text,
  WallDate,
  WallEnd,
  WallTime,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

export * from '#contract/farm/slots/constants/slots';

export const SlotState = z.enum(SLOT_STATES);
export type SlotState = z.infer<typeof SlotState>;

/** A place as its slots show it. */
export const SlotPlace = z
  .object({
    _id: Id,
    name: z.string(),
    address: Address,
    directions: z.string(),
    phone: z.string(),
  })
  .meta({ id: 'SlotPlace' });
export type SlotPlace = z.infer<typeof SlotPlace>;

const timeFields = {
  _id: Id,
  place: SlotPlace,
  /** Date and times are the farm's wall clock. */
  date: WallDate,
  from: WallTime,
  to: WallEnd,
  startsAt: Instant,
  endsAt: Instant,
  /** Until when it can be ordered for: the farm's cut-off, or the start. */
  closesAt: Instant,
};

/** How much room a slot has, as everyone may know it. */
const roomFields = {
  hasLimit: z.boolean(),
  /** How many more orders it takes, if these are few; null while there are more, or no limit. */
  remaining: z.number().int().nullable(),
  state: SlotState,
};

/** How much of a slot is taken, as its farm knows it. */
const loadFields = {
  taken: z.number().int(),
  /** Null for any number; less than `taken` where it was lowered later. */
  capacity: z.number().int().nullable(),
};

/** A slot as buyers see it. */
export const OfferedSlot = z.object({ ...timeFields, ...roomFields }).meta({ id: 'OfferedSlot' });
export type OfferedSlot = z.infer<typeof OfferedSlot>;

/** A slot as its farm sees it. */
export const FarmSlot = z
  .object({
    ...timeFields,
    state: SlotState,
    ...loadFields,
    /** Whether the farm's schedule closes this day, so that the slot takes no orders. */
    isDayClosed: z.boolean(),
  })
  .meta({ id: 'FarmSlot' });
export type FarmSlot = z.infer<typeof FarmSlot>;

/** The data of a refusal with `SLOT_FULL` or `SLOT_CLOSED`: the nearest free slots, if there are any. */
export const NearestSlots = z.object({ nearest: z.array(OfferedSlot) });
export type NearestSlots = z.infer<typeof NearestSlots>;

/** Days, both included, by the farm's clock: 31 days from today on where neither is given. */
export const SlotsQuery = dayRangeOf(SLOT_RANGE_MAX_DAYS);
export type SlotsQuery = z.infer<typeof SlotsQuery>;

/** Omitted fields keep their values. Without capacity (`null`) it takes any number of orders. */
export const UpdateSlot = z
  .object({
    capacity: z
      .number('Enter a whole number of orders.')
      .int('Enter a whole number of orders.')
      .min(1, 'A slot has room for at least one order.')
      .max(SLOT_CAPACITY_MAX, `A slot has room for at most ${SLOT_CAPACITY_MAX} orders.`)
      .nullable()
      .optional(),
    state: z.enum(['open', 'closed']).optional(),
  })
  .refine(({ capacity, state }) => capacity !== undefined || state !== undefined, {
    message: 'Say what is to change: the capacity or the state.',
  });
export type UpdateSlot = z.infer<typeof UpdateSlot>;

/** Why orders are moved; their buyers read it. */
const reason = text(REASON_MAX).default('');

export const MoveSlot = z.object({ toSlotId: Id, reason });
export type MoveSlot = z.infer<typeof MoveSlot>;

export const MoveDay = z
  .object({
    date: Day,
    toDate: Day,
    reason,
    /** Also closes the slots of the day, so that nobody orders for it meanwhile. */
    closesSlots: z.boolean().default(true),
  })
  .refine(({ date, toDate }) => date !== toDate, {
    path: ['toDate'],
    message: 'Choose another day.',
  });
export type MoveDay = z.infer<typeof MoveDay>;

export const MoveOrder = z.object({ slotId: Id, expectedVersion: ExpectedVersion });
export type MoveOrder = z.infer<typeof MoveOrder>;

/** Why the orders of a slot stayed when its day was moved. */
export const MOVE_PROBLEMS = [
  'NO_SUCH_TIME',
  'DAY_CLOSED',
  'CUTOFF_PASSED',
  'SLOT_CLOSED',
  'SLOT_FULL',
] as const;

/** What became of a day that was moved. */
export const MovedDay = z
  .object({
    /** Orders that moved. */
    moved: z.number().int(),
    /** Slots whose orders stayed, and why: all orders of a slot move, or none. */
    stayed: z.array(z.object({ slot: FarmSlot, code: z.enum(MOVE_PROBLEMS), message: z.string() })),
  })
  .meta({ id: 'MovedDay' });
export type MovedDay = z.infer<typeof MovedDay>;

/** An order of a slot; where the farm has moved it, whether its buyer has seen so. */
export const SlotOrder = z
  .object({
    order: Order,
    moved: z.object({ at: Instant, reason: z.string(), isRead: z.boolean() }).nullable(),
  })
  .meta({ id: 'SlotOrder' });
export type SlotOrder = z.infer<typeof SlotOrder>;

/** How much room a slot has; its farm also gets `taken` and `capacity`. */
export const SlotUpdate = z
  .object({
    _id: Id,
    farmId: Id,
    ...roomFields,
    taken: loadFields.taken.optional(),
    capacity: loadFields.capacity.optional(),
  })
  .meta({ id: 'SlotUpdate' });
export type SlotUpdate = z.infer<typeof SlotUpdate>;

export const slotEvents = {
  'slot.updated': event({
    data: SlotUpdate,
    summary: 'A slot has another number of orders, another capacity or another state.',
    audience:
      'Its farm, and, without the exact numbers, those who watch the farm and may see what it offers.',
    rooms: [['farm', 'farmWatchers']],
    // No cached answer shows slots.
    changesPublicReads: false,
  }),
  'order.moveSeen': event({
    data: Reference,
    summary: 'A buyer has seen that the farm moved their order to another pickup time.',
    audience: 'The farm.',
    rooms: [['farm']],
    changesPublicReads: false,
  }),
};

const slotParams = idParams('Slot not found');

export const slotsApi = {
  offered: endpoint({
    ...calls.offered,
    summary: 'The pickup slots of a farm that have not begun, by day, time and place',
    access: 'optional',
    params: idParams('Farmer not found'),
    query: SlotsQuery,
    answer: one(z.array(OfferedSlot)),
    rate: 'search',
    failures: [404],
  }),
  list: endpoint({
    ...calls.list,
    summary: 'All slots of the farm with what is taken, by day, time and place',
    access: ['farmer'],
    farmPermission: 'read',
    query: SlotsQuery,
    answer: one(z.array(FarmSlot)),
  }),
  orders: endpoint({
    ...calls.orders,
    summary: 'The open and completed orders of a slot, newest first',
    access: ['farmer'],
    farmPermission: 'read',
    params: slotParams,
    query: ListQuery,
    answer: list(SlotOrder),
    failures: [404],
  }),
  update: endpoint({
    ...calls.update,
    summary: 'Change how many orders a slot takes, or close or open it',
    access: ['farmer'],
    farmPermission: 'changeFarm',
    params: slotParams,
    body: UpdateSlot,
    answer: one(FarmSlot),
    rate: 'writes',
    failures: [404, 409],
  }),
  moveDay: endpoint({
    ...calls.moveDay,
    summary: 'Move the open orders of a day to the same times of another day',
    access: ['farmer'],
    farmPermission: 'answerOrders',
    body: MoveDay,
    answer: one(MovedDay),
    rate: 'writes',
    failures: [409],
  }),
  move: endpoint({
    ...calls.move,
    summary: 'Move all open orders of a slot to another slot',
    access: ['farmer'],
    farmPermission: 'answerOrders',
    params: slotParams,
    body: MoveSlot,
    answer: one(z.object({ moved: z.number().int(), slot: FarmSlot })),
    rate: 'writes',
    failures: [404, 409],
  }),
  moveOrder: endpoint({
    ...calls.moveOrder,
    summary: 'Move an order to another slot: its buyer until the cut-off, its farm always',
    access: ['consumer', 'farmer'],
    farmPermission: 'answerOrders',
    params: idParams('Order not found'),
    body: MoveOrder,
    answer: one(Order),
    rate: 'writes',
    failures: [404, 409],
  }),
};

type SlotEvents = typeof slotEvents;
declare module '#contract/platform/events/event' {
  interface EventRegistry extends SlotEvents {}
}

declare module '#contract/platform/http/endpoint' {
  interface ApiRegistry {
    slots: typeof slotsApi;
  }
}
