import { FarmSlot } from '#contract/farm/slots/slots';
import { movesApi as calls } from '#contract/ordering/moves/constants';
import { Order } from '#contract/ordering/orders/orders';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import {
  Day,
  ExpectedVersion,
  Id,
  Instant,
  idParams,
  ListQuery,
  list,
  named,
  one,
  text,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { REASON_MAX } from '#contract/platform/orders/constants';
import { t } from '#contract/platform/text/constants/texts';

const reason = text(REASON_MAX).default('');

/** Why orders are moved; their consumers read it. */
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
    error: () => t('Choose another day.'),
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
export const MovedDay = named('MovedDay', {
  /** Orders that moved. */
  moved: z.int(),
  /** Slots whose orders stayed, and why: all orders of a slot move, or none. */
  stayed: z.array(z.object({ slot: FarmSlot, code: z.enum(MOVE_PROBLEMS), message: z.string() })),
});

export type MovedDay = z.infer<typeof MovedDay>;

/** An order of a slot; where the farm has moved it, whether its consumer has seen so. */
export const SlotOrder = named('SlotOrder', {
  order: Order,
  moved: z.object({ at: Instant, reason: z.string(), isRead: z.boolean() }).nullable(),
});

export type SlotOrder = z.infer<typeof SlotOrder>;

const slotParams = idParams(() => t('Slot not found'));

export const movesApi = endpoints(calls, {
  orders: {
    summary: 'The open and completed orders of a slot, newest first',
    ...forFarm('read'),
    params: slotParams,
    query: ListQuery,
    answer: list(SlotOrder),
  },
  moveDay: {
    summary: 'Move the open orders of a day to the same times of another day',
    ...forFarm('answerOrders'),
    body: MoveDay,
    answer: one(MovedDay),
  },
  move: {
    summary: 'Move all open orders of a slot to another slot',
    ...forFarm('answerOrders'),
    params: slotParams,
    body: MoveSlot,
    answer: one(z.object({ moved: z.int(), slot: FarmSlot })),
  },
  moveOrder: {
    summary: 'Move an order to another slot: its customer until the cut-off, its farm always',
    access: ['consumer', 'farmer'],
    farmPermission: 'answerOrders',
    params: idParams(() => t('Order not found')),
    body: MoveOrder,
    answer: one(Order),
  },
});
