import { answerByMs } from '#contract/ordering/orders/constants';
import type { PlaceOrder } from '#contract/ordering/orders/orders';
import type { Appointment } from '#contract/ordering/orders/pickup';
import { CUTOFF_TIMER, cutoffTimerKey } from '../../farm/schedule/rules.ts';
import { presentPickupPlace, type SlotRow } from '../../farm/slots/present.ts';
import type { NewTimer } from '../../platform/stores/timers.ts';
import type { HandoverField } from './columns.ts';
import type { OrderRow } from './present.ts';
import type { ProposalRow } from './present-lines.ts';

/** The columns of an order that say when and where it is handed over. */
export type Handover = Pick<OrderRow, HandoverField | 'placeId'>;

const NO_SLOT = {
  endsAt: null,
  slotId: null,
  placeId: null,
  endTime: null,
  placeName: '',
  placeDirections: '',
};

/** Returns the handover in a slot: the order's own copy of its times and place. */
export function handoverIn(slot: SlotRow): Handover {
  const { name, address, directions, location } = presentPickupPlace(slot.place);
  return {
    date: slot.date,
    time: slot.from,
    startsAt: new Date(slot.startsAt).toISOString(),
    endsAt: new Date(slot.endsAt).toISOString(),
    slotId: slot.id,
    placeId: slot.place.id,
    endTime: slot.to,
    placeName: name,
    placeDirections: directions,
    pickupLocation: location,
    ...address,
  };
}

/** Returns the handover that an order without a slot asks for. */
export function freeHandover(
  { pickupDetails: pickup, deliveryDetails: delivery }: PlaceOrder,
  startsAt: Date,
): Handover {
  const details = pickup ?? delivery;
  if (!details || 'slotId' in details) throw new Error('The order has neither a slot nor a moment');
  const location = pickup && 'location' in pickup ? pickup.location : '';
  return {
    ...NO_SLOT,
    date: details.date,
    time: details.time,
    startsAt: startsAt.toISOString(),
    pickupLocation: location,
    ...(delivery?.address ?? { street: '', city: '', state: '', zipCode: '' }),
  };
}

/** Returns an order's day `YYYY-MM-DD`, from wherever it was read. */
export const dayOf = ({ date }: Pick<OrderRow, 'date'>): string =>
  typeof date === 'string' ? date : date.toISOString().slice(0, 10);

/** Returns date, time and place of a handover, as the timeline has them. */
export const appointmentOf = (row: Handover): Appointment => ({
  date: dayOf(row),
  time: row.time,
  ...(row.endTime === null ? {} : { endTime: row.endTime }),
  location: row.pickupLocation,
});

/** The last reminder comes so long before the end, in milliseconds. */
const LAST_CALL_MS = 10 * 60_000;

/** Returns until when a consumer can answer a proposal that is made `now`: see {@link answerByMs}. */
export function answerByOf(
  { startsAt }: Pick<OrderRow, 'startsAt'>,
  now: Date,
  answerMinutes: number,
): Date | null {
  const startsAtMs = startsAt === null ? null : new Date(startsAt).getTime();
  const untilMs = answerByMs(startsAtMs, now.getTime(), answerMinutes);
  return untilMs === null ? null : new Date(untilMs);
}

/** Returns when the consumer is reminded of a proposal: half-way, and ten minutes before the end. */
export function remindersOf(createdAt: Date, answerBy: Date): Date[] {
  const [from, to] = [createdAt.getTime(), answerBy.getTime()];
  const half = from + (to - from) / 2;
  const last = to - LAST_CALL_MS;
  return (last > half ? [half, last] : [half]).map((at) => new Date(at));
}

/** The key of the timer that ends a proposal. */
export const expiryKey = (proposalId: string) => `order.change:${proposalId}` as const;

/** Returns the timers that end a proposal and remind of it. */
export function proposalTimers({ id, createdAt, answerBy }: ProposalRow): NewTimer[] {
  const reminders = remindersOf(new Date(createdAt), new Date(answerBy));
  return [
    { kind: 'order.change', key: expiryKey(id), dueAt: new Date(answerBy) },
    ...reminders.map((dueAt, index) => ({
      kind: 'order.changeReminder' as const,
      key: `order.changeReminder:${id}:${index + 1}` as const,
      dueAt,
    })),
  ];
}

/** Milliseconds; of proposals that end together, as those of one shortage do, the first follow-up finds all. */
const GATHER_MS = 60_000;

/**
 * Returns the timer that lets the cut-off look at an order again whose proposal has ended and that still waits for the
 * farm: the cut-off passes over what waits for its consumer, so the order would stay pending for ever. It looks at the
 * present state, and waits on where it is still ahead. Each order has its own, since the timer of the day is locked
 * before orders by the run that answers them at the cut-off.
 */
export function cutoffFollowUp({
  before,
  after,
  at,
}: {
  before: OrderRow;
  after: OrderRow;
  at: Date;
}): NewTimer[] {
  const isFreed = before.proposals.length > 0 && after.proposals.length === 0;
  if (!isFreed || after.status !== 'pending') return [];
  return [
    {
      kind: CUTOFF_TIMER,
      key: cutoffTimerKey(after.farmerId, dayOf(after), after.id),
      dueAt: new Date(at.getTime() + GATHER_MS),
    },
  ];
}
