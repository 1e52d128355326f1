// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import { Providers } from '../../app/Providers.tsx';
import { aUser } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { noticesOf } from '../news/order-notices.ts';
import { OrderCard } from '../orders/lists/OrderCard.tsx';
import { dayAtFarm } from './day-at-farm.ts';

const own = process.env.TZ;

/** It is noon of the day before for readers in Los Angeles, and the day itself for the farm in Pakistan. */
const NOW = new Date('2026-11-27T20:00:00.000Z');
const order = anOrder(1, {
  status: 'accepted',
  pickupDetails: { date: '2026-11-28', time: '10:00', location: 'Gate' },
  startsAt: '2026-11-28T05:00:00.000Z',
});

beforeEach(() => {
  process.env.TZ = 'America/Los_Angeles';
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  if (own === undefined) delete process.env.TZ;
  else process.env.TZ = own;
});

it("is the farm's, and the reader's where the instant of the handover is not known", () => {
  expect(dayAtFarm(order, NOW.getTime())).toBe('2026-11-28');
  expect(dayAtFarm({ ...order, startsAt: undefined }, NOW.getTime())).toBe('2026-11-27');
});

it("says 'Today' beside the farm's time in a list, whatever day it is for its reader", () => {
  render(
    <Providers>
      <ul>
        <OrderCard order={order} reader="consumer" isNew={false} isLeaving={false} />
      </ul>
    </Providers>,
  );
  expect(
    screen.getByText(/^Today, 10:00\sAM at the farm \(Fri, Nov 27, 9:00\sPM your time\)$/),
  ).toBeDefined();
});

it("says 'today' to the farm's own people who are elsewhere", () => {
  const cancelled: UpdatedOrder = {
    ...order,
    status: 'cancelled',
    timeline: order.timeline.map(({ sequence, at, by }) => ({
      sequence,
      at,
      by,
      kind: 'status',
      status: 'cancelled',
    })),
    change: { kind: 'status', from: 'accepted', to: 'cancelled' },
  };
  const farmer = { ...aUser('farmer'), _id: order.farmer._id };
  expect(noticesOf(cancelled, farmer)?.text).toMatch(/: pickup today, 10:00\sAM$/);
});
