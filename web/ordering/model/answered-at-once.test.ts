// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FarmSchedule, UpdateFarmSchedule } from '#contract/farm/schedule/schedule';
import type { Order } from '#contract/ordering/orders/orders';
import { stubNetwork } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { countAnsweredAtOnce } from './answered-at-once.ts';

const NOW = '2026-11-24T12:00:00.000Z';
const before: FarmSchedule = {
  mode: 'notice',
  cutoff: null,
  exceptions: [],
  atCutoff: 'remind',
  version: 1,
};

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(NOW) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const at = (number: number, startsAt: string): Order => ({
  ...anOrder(number),
  startsAt: `${startsAt}:00.000Z`,
  pickupDetails: { date: startsAt.slice(0, 10), time: startsAt.slice(11), location: 'Gate' },
});

it.each([
  ['accept', 2],
  ['reject', 3],
  ['remind', 0],
] as const)('counts what a farm that would %s answers: %i', async (atCutoff, count) => {
  const data = [
    // Of today one has begun, and two are ahead, one of which is asked about.
    at(1, '2026-11-24T08:00'),
    at(2, '2026-11-24T15:00'),
    { ...at(3, '2026-11-24T16:00'), openChange: { _id: 'x' } },
    at(4, '2026-11-25T09:00'),
    // Nothing of yesterday is ahead, and the day after tomorrow is open.
    at(5, '2026-11-23T09:00'),
    at(6, '2026-11-26T09:00'),
  ];
  stubNetwork({
    'GET /farm': { status: 200, body: { success: true, data: { timeZone: 'UTC' } } },
    'GET /orders/farmer': {
      status: 200,
      body: { success: true, data, count: data.length, nextCursor: null },
    },
  });
  const cutoff = { daysBefore: 1, time: '12:00' };
  const change: UpdateFarmSchedule = { mode: 'notice', cutoff, exceptions: [], atCutoff };
  expect(await countAnsweredAtOnce(before, change)).toBe(count);
});
