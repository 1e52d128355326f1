import { UNSEEN_HOURS } from '#contract/ordering/picklist/constants';
import { isPickChange } from '#contract/ordering/picklist/pick-summary';
import type { PickChange } from '#contract/ordering/picklist/picklist';
import { formatQuantityChange } from '#contract/platform/quantities/constants/pieces';
import { formatDay } from '#contract/platform/time/constants';
import { readUnseen, type UnseenChanges } from '../../../server/ordering/picklist/list.ts';
import { readClock } from '../../../server/platform/time/clock.ts';
import { type Definition, type Effect, settle } from '../engine/definition.ts';
import { counted, nameInText } from '../engine/wording.ts';

const PREFIX = 'picklist.changed:';
const HOUR_MS = 60 * 60 * 1000;
/** Goods that a notification names; the others it counts. */
const GOODS_MAX = 3;

const linkOf = ({ date, place }: { date: string; place?: string | null | undefined }): string =>
  `/farmer/picklist?date=${date}${place ? `&place=${place}` : ''}`;

/** '+2 lb of Carrots', '−1 piece of Chicken' */
function goodsOf(change: PickChange): string {
  const { product, delta } = change;
  return `${formatQuantityChange(change, delta)} of ${nameInText(product.name, 'a product')}`;
}

function effectOf(list: UnseenChanges, today: string): Effect {
  const { farmId, date, placeName, print, changes } = list;
  const orders = new Set(changes.map(({ orderId }) => orderId)).size;
  const named = changes.slice(0, GOODS_MAX).map(goodsOf).join(', ');
  const more = changes.length - GOODS_MAX;
  const where = placeName === null ? '' : ` at ${nameInText(placeName, 'a place')}`;
  return {
    do: 'notify',
    userId: farmId,
    kind: 'picklist.changed',
    // Changes that come close together make one notification: all their timers find the same latest one.
    key: `${PREFIX}${print.id}:${changes[0]?.orderId}:${changes[0]?.sequence}`,
    title: `The pick list of ${formatDay(date, today)} has changed`,
    body: `${counted(orders, 'order')}${where} changed since print ${print.number}, and nobody has marked it as seen: ${named}${more > 0 ? ` and ${more} more` : ''}.`,
    link: linkOf(list),
  };
}

/**
 * Notifies those who pack of changes since the last print that nobody has seen, from some hours before the handover on.
 */
export const picklistChanged: Definition<'picklist.changed'> = {
  kind: 'picklist.changed',
  reach: 'own',
  concerns: 'packOrders',
  action: 'Open the pick list',
  isUrgent: true,
  reactions: {
    'order.updated': ({ data: order }) => {
      if (order.change.kind === 'party' || !isPickChange(order) || !order.startsAt) return [];
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
