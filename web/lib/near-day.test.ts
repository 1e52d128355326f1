import { expect, it } from 'vitest';
import { addDays, formatNearDay } from './near-day.ts';

it.each([
  ['2026-11-28', 'Today'],
  ['2026-11-29', 'Tomorrow'],
  ['2026-11-27', 'Yesterday'],
  ['2026-11-30', 'Mon'],
  ['2026-12-04', 'Fri'],
  ['2026-12-05', 'Sat, Dec 5'],
  ['2026-11-26', 'Thu, Nov 26'],
  ['2027-01-02', 'Sat, Jan 2, 2027'],
  ['someday', 'someday'],
])('says %s as %s on Nov 28', (date, words) => {
  expect(formatNearDay(date, '2026-11-28')).toBe(words);
});

it('counts days over the ends of months, years and clocks', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
  expect(formatNearDay('2026-11-02', '2026-11-01')).toBe('Tomorrow');
});
