// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import { store, userAtom } from '../../platform/session/session.ts';
import { aUser } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { announcementAtom } from '../../platform/ui/feedback/announce.ts';
import { registerToaster } from '../../platform/ui/feedback/toast.ts';
import { noticesOf, orderNoticesSeen, showOrderNotice } from './order-notices.ts';

const { consumer, farmer } = anOrder(1);
const asConsumer = { ...aUser('consumer'), _id: consumer._id };
const asFarmer = { ...aUser('farmer'), _id: farmer._id };
const admin = aUser('admin');

/** An order that somebody gave a status. */
function changed(to: OrderStatus, by: { _id: string }, number = 1, reason?: string): UpdatedOrder {
  const order = anOrder(number);
  return {
    ...order,
    status: to,
    farmer: { ...farmer, farmName: 'Green Valley Farm' },
    pickupDetails: { date: '2026-11-28', time: '10:00', location: 'Gate' },
    timeline: [
      {
        sequence: 2,
        kind: 'status',
        status: to,
        at: order.createdAt,
        by: { _id: by._id, name: 'Somebody', role: by._id === admin._id ? 'admin' : 'farmer' },
        ...(reason === undefined ? {} : { reason }),
      },
    ],
    change: { kind: 'status', from: 'pending', to },
  };
}

type Shown = [message: string, options: { description?: string; onDismiss?: () => void }];
let toasts: Shown[] = [];
const dismiss = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-23T09:00:00') });
  toasts = [];
  const show = (message: string, options = {}) => toasts.push([message, options]);
  registerToaster({ success: show, error: show, info: show, warning: show, dismiss });
  store.set(userAtom, asConsumer);
});
afterEach(() => {
  toasts.at(-1)?.[1].onDismiss?.();
  vi.useRealTimers();
});

it.each([
  ['accepted', farmer, 'Green Valley Farm accepted your order: pickup Sat, 10:00 AM'],
  ['rejected', farmer, 'Green Valley Farm rejected your order'],
  ['completed', farmer, 'Green Valley Farm completed your order'],
  ['cancelled', admin, 'Your order at Green Valley Farm was cancelled'],
] as const)('notifies a customer that the order was %s', (status, by, text) => {
  expect(noticesOf(changed(status, by), asConsumer)?.text).toBe(text);
});

it('notifies a farmer of a cancellation, and a customer in their other tabs', () => {
  const cancelled = changed('cancelled', consumer);
  expect(noticesOf(cancelled, asFarmer)?.text).toMatch(
    / cancelled order #\w{8}: pickup Sat, 10:00\sAM$/,
  );
  expect(noticesOf(cancelled, asConsumer)?.text).toBe(
    'You cancelled your order at Green Valley Farm',
  );
  expect(noticesOf(changed('accepted', farmer), asFarmer)).toBeUndefined();
  expect(noticesOf(changed('accepted', farmer), admin)).toBeUndefined();
});

it('shows one toast however many orders change, and takes it back when they were opened', () => {
  showOrderNotice(changed('rejected', farmer, 1, 'Sold out.'));
  expect(toasts[0]?.[1].description).toBe('Reason: Sold out.');
  showOrderNotice(changed('accepted', farmer, 2));
  showOrderNotice(changed('completed', farmer, 2));
  expect(toasts.at(-1)?.[0]).toBe('2 of your orders changed');
  expect(toasts.at(-1)?.[1].description).toBe('Green Valley Farm completed your order');
  orderNoticesSeen(anOrder(1)._id);
  expect(dismiss).not.toHaveBeenCalled();
  orderNoticesSeen(anOrder(2)._id);
  expect(dismiss).toHaveBeenCalledWith('order-news');
});

it('only announces what happens to the order whose page is in view', () => {
  const order = changed('accepted', farmer);
  history.replaceState(null, '', `/orders/${order._id}`);
  showOrderNotice(order);
  vi.advanceTimersByTime(1_000);
  expect(toasts).toEqual([]);
  expect(store.get(announcementAtom)).toBe(
    'Green Valley Farm accepted your order: pickup Sat, 10:00 AM.',
  );
  vi.advanceTimersByTime(10_000);
  expect(store.get(announcementAtom)).toBe('');
  history.replaceState(null, '', '/');
});

/** An order that somebody moved to Sunday. */
function moved(by: { _id: string }, isClockOnly = false): UpdatedOrder {
  const order = changed('accepted', farmer);
  const detail = {
    from: '2026-11-28T10:00:00.000Z',
    to: '2026-11-29T10:00:00.000Z',
    ...(isClockOnly
      ? {}
      : {
          before: { date: '2026-11-28', time: '10:00', location: 'Gate' },
          after: { date: '2026-11-29', time: '10:00', endTime: '10:30', location: 'Gate' },
        }),
  };
  return {
    ...order,
    pickupDetails: { date: '2026-11-29', time: '10:00', endTime: '10:30', location: 'Gate' },
    timeline: [
      ...order.timeline,
      {
        sequence: 3,
        kind: 'slot',
        at: order.createdAt,
        by: { _id: by._id, name: 'Somebody', role: 'farmer' },
        reason: 'Hail',
        detail,
      },
    ],
    change: { kind: 'slot', ...detail },
  };
}

it.each([
  ['the customer of what the farm moved', asConsumer, farmer, 'Green Valley Farm moved your order'],
  [
    'the customer in their other tabs of what they moved',
    asConsumer,
    consumer,
    'You moved your order',
  ],
  ['the farm of what its customer moved', asFarmer, consumer, /^Cora Buyer moved order #abcdef01/],
])('notifies %s', (_, me, by, text) => {
  const news = noticesOf(moved(by), me);
  expect(news?.text).toMatch(text);
  expect(news?.text.replaceAll('\u202f', ' ')).toMatch(/: pickup Sun, 10:00–10:30 AM$/);
  expect(news?.reason).toBe('Hail');
});

it.each([
  ["the farm's own moves", moved(farmer), asFarmer],
  ["a change of the farm's clock", moved(farmer, true), asConsumer],
  ["other people's orders", moved(farmer), { ...asConsumer, _id: admin._id }],
])('notifies nobody of %s', (_, order, me) => {
  expect(noticesOf(order, me)).toBeUndefined();
});
