import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import { msg, t } from '#contract/platform/text/constants/texts';
import { dayOf } from '../../../server/ordering/model/handover.ts';
import { presentOrder, readOrders } from '../../../server/ordering/model/present.ts';
import { OUTDATED, setTimer } from '../../../server/platform/stores/timers.ts';
import { daysAfter, instantOf, readClock } from '../../../server/platform/time/clock.ts';
import type { Definition } from '../engine/definition.ts';
import { handoverOf, noticeTo, settleFor } from './order-words.ts';

/** When the evening begins, by the clock of the farm. */
const EVENING = '18:00';

/** At least so long before a handover is the evening before it, also where the clock is set forward, in milliseconds. */
const EVENING_BEFORE_MAX_MS = 31 * 60 * 60 * 1000;

/** Whether an order was accepted by this change, or an accepted one moved. */
const hasNewTime = ({ change, status, timeline }: UpdatedOrder): boolean =>
  status === 'accepted' && (change.kind === 'slot' || timeline.at(-1)?.kind === 'status');

/**
 * Decides whether a handover is reminded of `now`: the evening before it is `due` for, or the instant at which that
 * comes. `heard`: its consumer was notified of it since; `late`: it has begun.
 */
export function decideReminder(
  { date, startsAt, heardAt }: { date: string; startsAt: Date; heardAt: Date },
  timeZone: string,
  now: Date,
): 'due' | 'heard' | 'late' | Date {
  const evening = instantOf({ date: daysAfter(date, -1), time: EVENING }, timeZone);
  if (now < evening) return evening;
  if (heardAt >= evening) return 'heard';
  return startsAt <= now ? 'late' : 'due';
}

/**
 * Reminds the consumer of an accepted order on the evening before it is handed over. The key of its timer is
 * `order.reminder:<order>:<version>`: each acceptance and each move sets one, since reactions do not know the farm's
 * clock. What the consumer heard of since that evening has come, they are not reminded of: an order of the same day, or
 * one that was just moved.
 */
export const orderReminder: Definition<'order.reminder'> = {
  kind: 'order.reminder',
  reach: 'own',
  action: msg('View order'),
  isUrgent: true,
  hasCalendar: true,
  subject: ({ farm: whom, handover: { isDelivery } }, nameOf) => {
    const farm = nameOf(whom);
    if (!farm) return isDelivery ? t('Your delivery') : t('Your pickup');
    return isDelivery
      ? t('Your delivery from {farm}', { farm })
      : t('Your pickup at {farm}', { farm });
  },
  reactions: {
    'order.updated': ({ data: order }) => {
      const { _id, consumer, startsAt, status, version, change } = order;
      const isOver = status !== 'accepted' || change.kind === 'slot';
      return [
        ...(isOver ? [settleFor('consumer', order, 'order.reminder')] : []),
        ...(hasNewTime(order) && startsAt
          ? [
              {
                do: 'schedule' as const,
                userId: consumer._id,
                kind: 'order.reminder' as const,
                key: `order.reminder:${_id}:${version}`,
                notBefore: new Date(Date.parse(startsAt) - EVENING_BEFORE_MAX_MS),
              },
            ]
          : []),
      ];
    },
  },
  remind: async (key, tx) => {
    const [, orderId = '', version = ''] = key.split(':');
    const [row] = await readOrders(tx, [orderId]);
    const farm =
      row &&
      (await tx.farmerProfile.findUnique({
        where: { userId: row.farmerId },
        select: { timeZone: true },
      }));
    if (!farm || row.status !== 'accepted' || row.startsAt === null) return [];
    const order = presentOrder(row);
    const heard = order.timeline.findLast(({ kind }) => kind === 'status' || kind === 'slot');
    const date = dayOf(row);
    const decided = decideReminder(
      { date, startsAt: new Date(row.startsAt), heardAt: new Date(heard?.at ?? order.createdAt) },
      farm.timeZone,
      await readClock(tx),
    );
    if (decided === 'late') return OUTDATED;
    if (decided === 'heard') return [];
    if (decided !== 'due') {
      // This very timer, whose row this transaction holds.
      const setAgain = { kind: 'order.reminder', dueAt: decided } as const;
      await setTimer(tx, { ...setAgain, key: `order.reminder:${orderId}:${version}` });
      return [];
    }
    return [
      noticeTo('consumer', order, {
        kind: 'order.reminder',
        // Once for a day and time, however many timers it had.
        key: `order.reminder:${orderId}:${date} ${row.time}`,
        params: {
          order: orderId,
          farm: { _id: row.farmerId },
          handover: handoverOf(order),
          ...(order.pickupDetails && { place: order.pickupDetails.location }),
        },
      }),
    ];
  },
};
