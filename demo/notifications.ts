import { isLow } from '#contract/catalogue/products/constants/products';
import type { ParamsOf } from '#contract/people/notifications/constants/words';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import type { Prisma } from '../prisma/generated/client.ts';
import { presentDate, presentSold } from '../server/catalogue/products/present.ts';
import { stockOf } from '../workers/notifications/catalogue/products.ts';
import type { Reactions } from '../workers/notifications/engine/definition.ts';
import { changeProposed, orderWeighed } from '../workers/notifications/ordering/order-changes.ts';
import { handoverOf, orderLink } from '../workers/notifications/ordering/order-words.ts';
import { farmIdOf, idOf } from './data/farms.ts';
import { products } from './data/products.ts';
import type { BentOrders } from './farm-day.ts';
import { saleRow } from './goods.ts';
import type { DemoOrder } from './orders.ts';
import { after, before, DAY_MS, HOUR_MS, MINUTE_MS } from './times.ts';

/** Older notifications are read. */
const UNREAD_FOR_MS = DAY_MS;
/** The age of the oldest notification. */
const MAX_AGE_MS = 7 * DAY_MS;

type Row = Prisma.NotificationCreateManyInput & { createdAt: Date };

/** Creates the notifications of the last days; `events` is what happened to orders beside their status. */
export function makeNotifications(
  orders: readonly DemoOrder[],
  events: BentOrders['events'],
  now: Date,
): Row[] {
  const rows = [
    ...orders.flatMap(orderNotifications),
    ...events.flatMap(changeNotifications),
    ...stockNotifications(now),
  ];
  return rows
    .filter(({ createdAt }) => now.getTime() - createdAt.getTime() < MAX_AGE_MS)
    .map((row) => {
      const isUnread = now.getTime() - row.createdAt.getTime() < UNREAD_FOR_MS;
      return { ...row, readAt: isUnread ? null : after(row.createdAt, 20 * MINUTE_MS) };
    });
}

function notification<Kind extends NotificationKind>(
  kind: Kind,
  userId: string,
  about: string,
  rest: { params: ParamsOf<Kind>; link: string; createdAt: Date },
): Row {
  const key = `${kind}:${about}`;
  return { ...rest, ...toRow({ userId, kind, key, params: rest.params }) };
}

const toRow = ({
  userId,
  kind,
  key,
  params,
}: Record<'userId' | 'kind' | 'key', string> & {
  params: object;
}) => ({
  id: idOf('notification', `${userId} ${key}`),
  userId,
  kind,
  key,
  params: params as Prisma.InputJsonObject,
});

type OrderUpdated = Parameters<NonNullable<Reactions['order.updated']>>[0];

/** Returns the notifications that the workers make of a change of lines or weights. */
function changeNotifications({ event, at }: BentOrders['events'][number]): Row[] {
  return [changeProposed, orderWeighed]
    .flatMap(
      ({ reactions }) =>
        reactions['order.updated']?.({ name: 'order.updated', data: event } as OrderUpdated) ?? [],
    )
    .flatMap((effect) => {
      if (effect.do !== 'notify') return [];
      return [{ ...toRow(effect), link: effect.link, createdAt: at }];
    });
}

/** Returns the notifications of an order's status. */
function orderNotifications({ order, lines, timeline }: DemoOrder): Row[] {
  const moment = { date: presentDate(order.date) ?? '', time: order.time };
  const handover = handoverOf({
    createdAt: order.createdAt.toISOString(),
    ...(order.isPickup ? { pickupDetails: moment } : { deliveryDetails: moment }),
  });
  const customer = { _id: order.consumerId };
  const statuses = timeline.filter(({ kind }) => kind === 'status');
  return statuses.map(({ sequence, status, byId, at, reason }) => {
    const about = { link: orderLink({ _id: order.id }), createdAt: at };
    if (sequence === 1) {
      const cost = { minor: Number(order.totalMinor) };
      return notification('order.placed', order.farmerId, order.id, {
        params: { order: order.id, customer, count: lines.length, cost, handover },
        ...about,
      });
    }
    if (byId === order.consumerId) {
      return notification('order.cancelledByConsumer', order.farmerId, order.id, {
        params: { order: order.id, customer, handover, isBack: true, reason },
        ...about,
      });
    }
    return notification('order.statusChanged', order.consumerId, `${order.id}:${sequence}`, {
      params: {
        order: order.id,
        status: status ?? 'pending',
        farm: { _id: order.farmerId },
        handover,
        reason,
      },
      ...about,
    });
  });
}

const lowProducts = products
  .map((product) => ({
    ...presentSold(saleRow(product)),
    name: product.name,
    id: idOf('product', product.key),
    farmerId: farmIdOf(product.farm),
  }))
  .filter(isLow);

function stockNotifications(now: Date): Row[] {
  return lowProducts.map(({ id, farmerId, ...product }, index) =>
    notification('stock.low', farmerId, id, {
      params: stockOf(product),
      link: `/farmer/products/edit/${id}`,
      createdAt: before(now, (2 + index * 7) * HOUR_MS),
    }),
  );
}

/** Delivery rows that prevent a second notification about the same low product. */
export const lowStockMarks = (): Prisma.NotificationDeliveryCreateManyInput[] =>
  lowProducts.map(({ id, farmerId }) => ({
    userId: farmerId,
    key: `stock.low:${id}`,
    channel: 'in_app',
    kind: 'stock.low',
    status: 'sent',
  }));
