import { afterEach, beforeEach, expect, it } from 'vitest';
import { farmClockNote, formatFarmInstant, formatFarmTime } from './farm-clock.ts';

const plain = (text: string | undefined) => text?.replaceAll('\u202f', ' ');

const own = process.env.TZ;
beforeEach(() => {
  process.env.TZ = 'Asia/Karachi';
});
afterEach(() => {
  if (own === undefined) delete process.env.TZ;
  else process.env.TZ = own;
});

const at = { date: '2026-11-28', time: '10:00' };

it.each([
  ['2026-11-28T05:00:00.000Z', '10:00 AM'],
  ['2026-11-28T04:30:00.000Z', '10:00 AM at the farm (9:30 AM your time)'],
  ['2026-11-28T20:00:00.000Z', '10:00 AM at the farm (Sun, Nov 29, 1:00 AM your time)'],
  ['2026-11-27T20:00:00.000Z', '10:00 AM at the farm (1:00 AM your time)'],
  ['2026-11-27T18:59:00.000Z', '10:00 AM at the farm (Fri, Nov 27, 11:59 PM your time)'],
  [undefined, '10:00 AM'],
  ['soon', '10:00 AM'],
])('a handover that starts at %s is %s', (startsAt, text) => {
  expect(plain(formatFarmTime(at, startsAt))).toBe(text);
});

it("writes a slot's end by both clocks", () => {
  const slot = { ...at, endTime: '10:30' };
  const [from, to] = ['2026-11-28T04:30:00.000Z', '2026-11-28T05:00:00.000Z'];
  expect(plain(formatFarmTime(slot, from, to))).toBe(
    '10:00–10:30 AM at the farm (9:30–10:00 AM your time)',
  );
  expect(plain(formatFarmTime(slot, '2026-11-28T05:00:00.000Z', undefined))).toBe('10:00–10:30 AM');
});

it.each([
  ['Asia/Karachi', 'Sat, Nov 28, 10:00 AM'],
  ['Asia/Kolkata', 'Sat, Nov 28, 10:30 AM at the farm (10:00 AM your time)'],
  ['Pacific/Pago_Pago', 'Fri, Nov 27, 6:00 PM at the farm (Sat, Nov 28, 10:00 AM your time)'],
  ['Mars/Base', 'Sat, Nov 28, 10:00 AM'],
])('an instant at a farm in %s is %s', (timeZone, text) => {
  expect(plain(formatFarmInstant('2026-11-28T05:00:00.000Z', timeZone, '2026-11-24'))).toBe(text);
});

it.each([
  ['Asia/Karachi', undefined],
  // Another zone whose clock shows the same.
  ['Asia/Tashkent', undefined],
  // It is 1:30 AM on the 29th in Karachi.
  ['Pacific/Kiritimati', "By the farm's clock, where it is 10:30 AM now."],
  ['Europe/Berlin', "By the farm's clock, where it is 9:30 PM on Sat, Nov 28 now."],
  [undefined, undefined],
  ['Mars/Base', undefined],
])('the clock of a farm in %s: %s', (timeZone, text) => {
  expect(plain(farmClockNote(timeZone, new Date('2026-11-28T20:30:00Z')))).toBe(text);
});
