import { room } from '#contract/platform/events/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { presentOrder, readOrders } from '../../../server/ordering/model/present.ts';
import { record } from '../../../server/platform/events/event-log.ts';
import { OUTDATED } from '../../../server/platform/stores/timers.ts';
import type { Definition } from '../engine/definition.ts';
import { nameInText } from '../engine/wording.ts';
import { leftUnanswered } from './order-left-unanswered.ts';
import { handoverOf, orderLink, orderName, totalInText } from './order-words.ts';

const PREFIX = 'order.unanswered:';

/** Returns whether the time of an order's handover has passed, by the clock of the database. */
const isOver = async (tx: Transaction, id: string): Promise<boolean> =>
  (await tx.$queryRaw<unknown[]>`SELECT FROM orders WHERE id = ${id}::uuid AND ends_at < now()`)
    .length > 0;

/** Notifies the farmer again, and admins, of an order that is unanswered for too long. */
export const orderUnanswered: Definition<'order.unanswered'> = {
  kind: 'order.unanswered',
  concerns: 'answerOrders',
  action: 'Answer the order',
  subject: () => 'An order is waiting for your answer',
  isUrgent: true,
  reactions: {
    'order.created': ({ data: order }) => [
      {
        do: 'schedule',
        userId: order.farmer._id,
        kind: 'order.unanswered',
        key: PREFIX + order._id,
      },
    ],
  },
  remind: async (key, tx) => {
    const [row] = await readOrders(tx, [key.slice(PREFIX.length)]);
    if (row?.status !== 'pending') return [];
    const order = presentOrder(row);
    // Nobody can answer it in time any more: a worker has stood still, or the timer comes from a backup.
    if (await isOver(tx, order._id)) return OUTDATED;
    await record(tx, { name: 'order.unanswered', data: order, rooms: [room.admins] });
    return [
      // The reminder takes the place of the notification of the order.
      {
        do: 'settle',
        userId: order.farmer._id,
        links: [orderLink(order)],
        kinds: ['order.placed'],
      },
      {
        do: 'notify',
        userId: order.farmer._id,
        kind: 'order.unanswered',
        key,
        title: `${nameInText(order.consumer.name)} is waiting for your answer`,
        body: `Order ${orderName(order)} (${totalInText(order)}, ${handoverOf(order)}) is still waiting. Accept or reject it so your customer can plan.`,
        link: orderLink(order),
      },
      leftUnanswered(order),
    ];
  },
};
