import type { NotificationKind } from '#contract/notifications';
import { LOW_STOCK } from '#contract/products';
import type { Prisma } from '../generated/client.ts';
import { farms } from './data/farms.ts';
import { products } from './data/products.ts';
import { idOf } from './ids.ts';
import { after, before, DAY, HOUR, MINUTE } from './moments.ts';
import type { DemoOrder } from './orders.ts';

/** What is older was read. */
const UNREAD_FOR_MS = DAY;
/** How far back the bell remembers. */
const SPAN_MS = 7 * DAY;

type Row = Prisma.NotificationCreateManyInput & { createdAt: Date };

/** Makes what the bells of the demo market say about the last days. */
export function makeNotifications(orders: readonly DemoOrder[], now: Date): Row[] {
  const rows = [...orders.flatMap(aboutOrder), ...aboutStock(now)];
  return rows
    .filter(({ createdAt }) => now.getTime() - createdAt.getTime() < SPAN_MS)
    .map((row) => {
      const isUnread = now.getTime() - row.createdAt.getTime() < UNREAD_FOR_MS;
      return { ...row, readAt: isUnread ? null : after(row.createdAt, 20 * MINUTE) };
    });
}

function notification(
  kind: NotificationKind,
  userId: string,
  about: string,
  rest: { title: string; body: string; link: string; createdAt: Date },
): Row {
  const key = `${kind}:${about}`;
  return { id: idOf('notification', `${userId} ${key}`), userId, kind, key, ...rest };
}

const money = (minor: bigint) =>
  `₨${(Number(minor) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

function aboutOrder({ order, timeline, consumer, farm }: DemoOrder): Row[] {
  const link = `/orders/${order.id}`;
  const number = order.id.slice(0, 8);
  return timeline.map((entry) =>
    entry.version === 1
      ? notification('order.placed', order.farmerId, order.id, {
          title: 'New order',
          body: `${consumer.name} ordered for ${money(order.totalMinor as bigint)}.`,
          link,
          createdAt: entry.at,
        })
      : entry.byId === order.consumerId
        ? notification('order.cancelledByConsumer', order.farmerId, order.id, {
            title: 'Order cancelled',
            body: `${consumer.name} cancelled order ${number}.`,
            link,
            createdAt: entry.at,
          })
        : notification('order.statusChanged', order.consumerId, `${order.id}:${entry.version}`, {
            title: `Order ${entry.status}`,
            body: `${farm.farmName} ${entry.status} your order ${number}.`,
            link,
            createdAt: entry.at,
          }),
  );
}

function aboutStock(now: Date): Row[] {
  return products
    .filter(({ left }) => left < LOW_STOCK)
    .map((product, index) => {
      const farmer = farms.find(({ key }) => key === product.farm)?.farmer.email ?? '';
      const id = idOf('product', product.key);
      return notification('stock.low', idOf('user', farmer), id, {
        title: product.left === 0 ? 'Sold out' : 'Low on stock',
        body:
          product.left === 0
            ? `${product.name} is sold out.`
            : `Only ${product.left} of ${product.name} left.`,
        link: `/farmer/products/edit/${id}`,
        createdAt: before(now, (2 + index * 7) * HOUR),
      });
    });
}
