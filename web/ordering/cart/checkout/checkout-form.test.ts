import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { checkoutAt } from './checkout-form.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const accepts = (timeZone: string | undefined, date: string): boolean =>
  checkoutAt(timeZone).safeParse({
    orderType: 'pickup',
    pickupDetails: { date, time: '10:00', location: 'Farm gate' },
    notes: '',
    paymentMethod: 'cash',
  }).success;

// The same cases as those of the server's decision (`server/ordering/place/decide-place.test.ts`).
it.each([
  ['Asia/Karachi', '2026-11-22T19:30:00Z', '2026-11-22', true],
  ['Asia/Karachi', '2026-11-22T19:30:00Z', '2026-11-23', false],
  ['Asia/Karachi', '2026-11-22T18:59:59.999Z', '2026-11-22', false],
  ['America/Los_Angeles', '2026-11-23T07:59:59.999Z', '2026-11-22', false],
  ['America/Los_Angeles', '2026-11-23T08:00:00Z', '2026-11-22', true],
  ['Pacific/Kiritimati', '2026-11-22T10:00:00Z', '2026-11-22', true],
  ['Pacific/Pago_Pago', '2026-11-23T10:59:59Z', '2026-11-22', false],
  ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-28', true],
  ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-29', true],
  ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-24', true],
  ['Europe/Berlin', '2026-10-25T22:30:00Z', '2026-10-25', false],
])('in %s at %s, %s is past: %s', (timeZone, now, date, isPast) => {
  vi.setSystemTime(new Date(now));
  expect(accepts(timeZone, date)).toBe(!isPast);
});
