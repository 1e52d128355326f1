import { expect, it } from 'vitest';
import type { Notification, NotificationKind } from '#contract/people/notifications/notifications';
import { setReader } from '#contract/platform/text/constants/reader';
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
const about = (name: string) => ({
  order: '0badcafe-0000-4000-8000-000000000001',
  customer: { _id: name, name },
  count: 1,
  cost: { minor: 1200 },
  handover: {
    date: '2026-11-28',
    time: '10:00',
    isDelivery: false,
    orderedAt: '2026-11-22T10:00:00.000Z',
  },
});
const placed = (name: string, rest: Partial<Notification> = {}) =>
  item('order.placed', { params: about(name), ...rest });
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
  const reminder = item('order.unanswered', { params: about('Asha'), link: '/orders/a' });
  expect(titles([reminder, order])).toEqual([
    ['Asha is waiting for your answer', expect.stringContaining('#0badcafe'), '/orders/a'],
  ]);
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

it('writes rows in the language of the reader', () => {
  const german: Record<string, string> = {
    '{count, plural, one {# new order} other {# new orders}}':
      '{count, plural, one {# neue Bestellung} other {# neue Bestellungen}}',
    '{names} and {count, plural, one {# other} other {# others}}': '{names} sowie {count} weitere',
    'New order from {customer}': 'Neue Bestellung von {customer}',
  };
  setReader(() => ({ language: 'de', find: (text) => german[text] }));
  try {
    const orders = Array.from({ length: 5 }, (_, index) => placed(`K${index}`));
    expect(titles(orders)).toEqual([
      ['5 neue Bestellungen', 'K0, K1 und K2 sowie 2 weitere', '/farmer/orders'],
    ]);
    expect(titles(orders.slice(0, 1))[0]?.[0]).toBe('Neue Bestellung von K0');
    expect(titles(orders.slice(0, 2))[0]?.[1]).toBe('K0 und K1');
  } finally {
    setReader(() => undefined);
  }
});

it('shows a notification from before there were params as it was written', () => {
  const old = item('order.weighed', { title: 'Your order was weighed', body: 'It costs ₨12.' });
  expect(titles([old])).toEqual([['Your order was weighed', 'It costs ₨12.', old.link]]);
});
