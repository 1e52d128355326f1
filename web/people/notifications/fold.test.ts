import { expect, it } from 'vitest';
import type { Notification, NotificationKind } from '#contract/people/notifications/notifications';
import { countUnreadRows, foldNotifications } from './fold.ts';

let number = 0;
const item = (kind: NotificationKind, rest: Partial<Notification> = {}): Notification => {
  number += 1;
  return {
    _id: `id-${number}`,
    kind,
    title: `Title ${number}`,
    body: `Body ${number}`,
    link: `/orders/${number}`,
    isRead: false,
    createdAt: '2026-11-22T10:00:00.000Z',
    ...rest,
  };
};
const placed = (name: string, rest: Partial<Notification> = {}) =>
  item('order.placed', { title: `New order from ${name}`, ...rest });
const titles = (items: readonly Notification[]) =>
  foldNotifications(items).map(({ title, body, link }) => [title, body, link]);

it('shows forty new orders as one, with the newest names and the list as its page', () => {
  const orders = Array.from({ length: 40 }, (_, index) => placed(`Customer ${index}`));
  expect(titles(orders)).toEqual([
    ['40 new orders', 'Customer 0, Customer 1, Customer 2 and 37 others', '/farmer/orders'],
  ]);
  expect(foldNotifications(orders)[0]?.items).toHaveLength(40);
  expect(countUnreadRows(orders, 40)).toBe(1);
  // Fifty are loaded of a hundred thousand.
  expect(countUnreadRows(orders, 100_000)).toBe(1);
});

it('leaves one of a kind, and what was read, as it is', () => {
  const items = [
    placed('Asha'),
    placed('Ben', { isRead: true }),
    placed('Cora', { isRead: true }),
    item('stock.low'),
  ];
  expect(foldNotifications(items).map(({ newest }) => newest)).toEqual(items);
  expect(countUnreadRows(items, 2)).toBe(2);
  expect(countUnreadRows(items, 9)).toBe(9);
  expect(countUnreadRows([], 0)).toBe(0);
});

it('folds a reminder into the notification of the same order', () => {
  const order = placed('Asha', { link: '/orders/a' });
  const reminder = item('order.unanswered', {
    title: 'Asha is waiting for your answer',
    link: '/orders/a',
  });
  expect(titles([reminder, order])).toEqual([[reminder.title, reminder.body, '/orders/a']]);
  const other = placed('Ben');
  expect(titles([reminder, other, order])).toEqual([
    ['2 orders are waiting for you', 'Asha and Ben', '/farmer/orders'],
  ]);
});

it('folds what is about the same order of a customer, and shows the newest', () => {
  const link = '/orders/a';
  const items = [
    item('order.statusChanged', { title: 'Your order is complete', link }),
    item('order.statusChanged', { link: '/orders/b' }),
    item('order.statusChanged', { title: 'Your order was accepted', link }),
  ];
  expect(foldNotifications(items).map(({ newest }) => newest)).toEqual(items.slice(0, 2));
  expect(countUnreadRows(items, 3)).toBe(2);
});
