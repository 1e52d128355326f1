import { UNSEEN_HOURS } from '#contract/ordering/picklist/constants';
import { isPickChange } from '#contract/ordering/picklist/pick-summary';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import { msg } from '#contract/platform/text/constants/texts';
import { CONCERNS } from '../../../server/ordering/attention/receivers.ts';
import { readUnseen, type UnseenChanges } from '../../../server/ordering/picklist/list.ts';
import { readClock } from '../../../server/platform/time/clock.ts';
import { type Definition, type Effect, settle } from '../engine/definition.ts';
import { goodsOf } from './order-words.ts';

const PREFIX = 'picklist.changed:';
const HOUR_MS = 60 * 60 * 1000;
/** Goods that a notification names; the others it counts. */
const GOODS_MAX = 3;

const linkOf = ({ date, place }: { date: string; place?: string | null | undefined }): string =>
  `/farmer/picklist?date=${date}${place ? `&place=${place}` : ''}`;

function effectOf(list: UnseenChanges, today: string): Effect {
  const { farmId, date, placeName, print, changes } = list;
  const named = changes.slice(0, GOODS_MAX);
  return {
    do: 'notify',
    userId: farmId,
    kind: 'picklist.changed',
    // Changes that come close together make one notification: all their timers find the same latest one.
    key: `${PREFIX}${print.id}:${changes[0]?.orderId}:${changes[0]?.sequence}`,
    params: {
      date,
      today,
      count: new Set(changes.map(({ orderId }) => orderId)).size,
      place: placeName ?? undefined,
      print: print.number,
      goods: named.map((change) => ({ ...goodsOf(change), milli: toMilli(change.delta) })),
      more: changes.length - named.length,
    },
    link: linkOf(list),
    asks: { farmId, subjectId: print.id },
  };
}

/**
 * Notifies those who pack of changes since the last print that nobody has seen, from some hours before the handover on.
 */
export const picklistChanged: Definition<'picklist.changed'> = {
  kind: 'picklist.changed',
  reach: 'own',
  concerns: CONCERNS['picklist.changed'],
  hasPlan: true,
  action: msg('Open the pick list'),
  isUrgent: true,
  reactions: {
    'order.updated': ({ data: order }) => {
      const isSame = order.change.kind === 'party' || order.change.kind === 'kept';
      if (isSame || !isPickChange(order) || !order.startsAt) return [];
      const earliest = order.change.kind === 'slot' ? order.change.from : order.startsAt;
      const starts = Math.min(Date.parse(order.startsAt), Date.parse(earliest));
      return [
        {
          do: 'schedule',
          userId: order.farmer._id,
          kind: 'picklist.changed',
          key: `${PREFIX}${order._id}:${order.version}`,
          notBefore: new Date(starts - UNSEEN_HOURS * HOUR_MS),
          // A print that comes later has the change already.
          needsPrint: true,
        },
      ];
    },
    // A new print has everything.
    'picklist.printed': ({ data }) => [settle(data.farmId, linkOf(data), 'picklist.changed')],
  },
  remind: async (key, tx) => {
    const [orderId = ''] = key.slice(PREFIX.length).split(':');
    const today = (await readClock(tx)).toISOString().slice(0, 10);
    return (await readUnseen(tx, orderId)).map((list) => effectOf(list, today));
  },
};
