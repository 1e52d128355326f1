// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import type { FeedItem } from '#contract/admin/admin/admin';
import type { HealthState } from '#contract/admin/health/constants';
import type { TimelineEntry } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { canActFor } from '#contract/platform/session/constants';
import { Feed } from '../../admin/admin/Feed.tsx';
import { HealthGlance } from '../../admin/admin/health/HealthParts.tsx';
import { describeEnded } from '../../ordering/changes/rules.ts';
import { noticesOf } from '../../ordering/news/order-notices.ts';
import { nextSteps } from '../../ordering/orders/detail/NextSteps.tsx';
import { OrderTimeline } from '../../ordering/orders/detail/OrderTimeline.tsx';
import { createQueryClient } from '../../platform/queries/query-client.ts';
import { aUser } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { StatusBadge } from '../../platform/ui/primitives/Button.tsx';

// A server of a newer release answers with kinds, statuses and fields that this client does not know.

/** A value that only a newer release has. */
const tomorrows = <Value,>(value: string): Value => value as Value;
const status = tomorrows<Order['status']>('packed');
const order = {
  ...anOrder(1, { status }),
  colour: 'blue',
} as Order;
const by = { _id: order.consumer._id, name: 'Cora Buyer', role: 'consumer' } as const;

const show = (element: ReactNode) =>
  render(<QueryClientProvider client={createQueryClient()}>{element}</QueryClientProvider>);

it('shows an order in a status of its own', () => {
  show(<StatusBadge status={status} />);
  expect(screen.getByText('Packed')).toBeDefined();
  expect(nextSteps(order, '2026-11-03')).toMatchObject({ title: 'This order is packed' });
});

it('shows what became of an order in ways that it does not know', () => {
  const [placed] = order.timeline;
  const at = '2026-11-02T11:00:00.000Z';
  show(
    <OrderTimeline
      entries={[
        ...(placed ? [placed] : []),
        { sequence: 2, kind: tomorrows('fetched'), at, by, detail: {} } as TimelineEntry,
        { sequence: 3, kind: 'status', status, at, by } as TimelineEntry,
      ]}
    />,
  );
  expect(screen.getByText('Changed')).toBeDefined();
  expect(screen.getByText('Packed')).toBeDefined();
  expect(describeEnded(tomorrows('merged'), 'consumer', order)).toBe('The change has ended.');
});

it('says that an order was updated', () => {
  const consumer = { ...aUser('consumer'), _id: order.consumer._id };
  const farmers = { _id: 'f', name: 'Finn', role: 'farmer' } as const;
  const timeline: TimelineEntry[] = [
    { sequence: 1, kind: 'status', status, at: order.createdAt, by: farmers },
  ];
  const change = { kind: 'status', from: 'pending', to: status } as const;
  expect(noticesOf({ ...order, timeline, change }, consumer)?.text).toBe(
    'Green Valley updated your order',
  );
});

it('shows news and health of kinds that it does not know', () => {
  const item = {
    _id: 'i',
    kind: tomorrows('order.packed'),
    at: order.createdAt,
    by,
    order,
  } as FeedItem;
  show(<Feed items={[item]} />);
  expect(screen.getByRole('listitem').textContent).toMatch(/Cora Buyer changed/);
  const state = tomorrows<HealthState>('tired');
  show(
    <HealthGlance
      report={{ at: order.createdAt, state, checks: [], processes: [], lastBackup: null }}
    />,
  );
  expect(screen.getByRole('link', { name: /^Health/ })).toBeDefined();
});

it('writes units as they are, and lets roles do nothing', () => {
  expect(formatQuantity(3, tomorrows('crates'))).toBe('3 crates');
  const worker = { membership: { farmId: 'f', role: tomorrows<'packer'>('driver') } };
  expect(canActFor(worker, 'f', 'read')).toBe(false);
});
