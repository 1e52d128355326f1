// @vitest-environment happy-dom

import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { marketApi } from '#contract/platform/market/constants';
import { clockMs, dayIn, noteClock } from '#contract/platform/time/constants';
import { nextHandoff } from '../../../farm/model/handoff.ts';
import { call } from '../../../platform/api/api.ts';
import { localToday } from '../../../platform/format/format.ts';
import { useNow } from '../../../platform/hooks/use-now.ts';
import { checkoutAt } from './checkout-form.ts';

const HOUR_MS = 3_600_000;
/** Noon of a Saturday in Berlin. */
const NOW = Date.parse('2026-11-28T11:00:00Z');

const Clock = () => <p>{new Date(useNow(1000)).toISOString()}</p>;

const answered = () =>
  vi.stubGlobal('fetch', async () =>
    Response.json({ success: true, data: {} }, { headers: { Date: new Date(NOW).toUTCString() } }),
  );

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  noteClock(0, 0, 0);
});

describe.each([26, -26])('on a device whose clock is %d hours off', (hours) => {
  const begin = async () => {
    vi.useFakeTimers({ now: NOW + hours * HOUR_MS });
    answered();
    await call(marketApi.read);
  };

  it('days and clocks are the server’s after the first answer', async () => {
    await begin();
    expect(clockMs()).toBe(NOW);
    expect([dayIn('Europe/Berlin'), localToday(undefined, 'Asia/Karachi')]).toEqual([
      '2026-11-28',
      '2026-11-28',
    ]);
    render(<Clock />);
    expect(screen.getByText('2026-11-28T11:00:00.000Z')).toBeTruthy();
  });

  it('today can be ordered for, and yesterday cannot', async () => {
    await begin();
    const accepts = (date: string) =>
      checkoutAt('Europe/Berlin').safeParse({
        orderType: 'pickup',
        pickupDetails: { date, time: '18:00', location: 'Farm gate' },
        notes: '',
        paymentMethod: 'cash',
      }).success;
    expect([accepts('2026-11-27'), accepts('2026-11-28')]).toEqual([false, true]);
    const openings = [{ days: ['saturday' as const], open: '08:00', close: '14:00' }];
    const handoff = { pickup: true, delivery: false, deliveryRadius: null, openings };
    expect(nextHandoff({ ...handoff, timeZone: 'Europe/Berlin' })?.date).toBe('2026-11-28');
  });
});

it('a device that is right within two seconds keeps its own clock', async () => {
  vi.useFakeTimers({ now: NOW + 1400 });
  answered();
  await call(marketApi.read);
  expect(clockMs()).toBe(NOW + 1400);
});

it('a slow answer is no wrong clock', () => {
  vi.useFakeTimers({ now: NOW + 20_000 });
  expect(noteClock(NOW + 4000, NOW, NOW + 20_000)).toBe(0);
  expect(clockMs()).toBe(NOW + 20_000);
});
