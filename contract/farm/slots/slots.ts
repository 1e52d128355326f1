import {
  slotsApi as calls,
  SLOT_CAPACITY_MAX,
  SLOT_RANGE_MAX_DAYS,
  SLOT_STATES,
} from '#contract/farm/slots/constants';
import { event, Reference } from '#contract/platform/events/event';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import {
  Address,
  dayRangeOf,
  Id,
  Instant,
  idParams,
  named,
  one,
  WallDate,
  WallEnd,
  WallTime,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

export const SlotState = z.enum(SLOT_STATES);
export type SlotState = z.infer<typeof SlotState>;

/** A place as its slots show it. */
export const SlotPlace = named('SlotPlace', {
  _id: Id,
  name: z.string(),
  address: Address,
  directions: z.string(),
  phone: z.string(),
});

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
  remaining: z.int().nullable(),
  state: SlotState,
};

/** How much of a slot is taken, as its farm knows it. */
const loadFields = {
  taken: z.int(),
  /** Null for any number; less than `taken` where it was lowered later. */
  capacity: z.int().nullable(),
};

/** A slot as consumers see it. */
export const OfferedSlot = named('OfferedSlot', { ...timeFields, ...roomFields });
export type OfferedSlot = z.infer<typeof OfferedSlot>;

/** A slot as its farm sees it. */
export const FarmSlot = named('FarmSlot', {
  ...timeFields,
  state: SlotState,
  ...loadFields,
  /** Whether the farm's schedule closes this day, so that the slot takes no orders. */
  isDayClosed: z.boolean(),
});
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

/** How much room a slot has; its farm also gets `taken` and `capacity`. */
export const SlotUpdate = named('SlotUpdate', {
  _id: Id,
  farmId: Id,
  ...roomFields,
  taken: loadFields.taken.optional(),
  capacity: loadFields.capacity.optional(),
});
export type SlotUpdate = z.infer<typeof SlotUpdate>;

export const slotEvents = {
  'slot.updated': event({
    data: SlotUpdate,
    summary: 'A slot has another number of orders, another capacity or another state.',
    audience:
      'Its farm, and, without the exact numbers, those who watch the farm and may see what it offers.',
    rooms: [['farm', 'farmWatchers']],
    // No cached answer shows slots.
  }),
  'order.moveSeen': event({
    data: Reference,
    summary: 'A customer has seen that the farm moved their order to another pickup time.',
    audience: 'The farm.',
    rooms: [['farm']],
  }),
};

const slotParams = idParams(() => t('Slot not found'));

export const slotsApi = endpoints(calls, {
  offered: {
    summary: 'The pickup slots of a farm that have not begun, by day, time and place',
    access: 'optional',
    params: idParams(() => t('Farmer not found')),
    query: SlotsQuery,
    answer: one(z.array(OfferedSlot)),
    rate: 'search',
  },
  list: {
    summary: 'All slots of the farm with what is taken, by day, time and place',
    ...forFarm('read'),
    query: SlotsQuery,
    answer: one(z.array(FarmSlot)),
  },
  update: {
    summary: 'Change how many orders a slot takes, or close or open it',
    ...forFarm('changeFarm'),
    params: slotParams,
    body: UpdateSlot,
    answer: one(FarmSlot),
  },
});
