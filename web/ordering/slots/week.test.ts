import { describe, expect, it } from 'vitest';
import { aFarmSlot, MARKET, MILL } from './testing/slots.ts';
import { closedWord, formatWeek, loadOf, rowsOf, weekOf } from './WeekGrid.tsx';

it.each([
  ['2026-11-23', '2026-11-23', 'Nov 23 – 29'],
  ['2026-11-29', '2026-11-23', 'Nov 23 – 29'],
  ['2026-12-01', '2026-11-30', 'Nov 30 – Dec 6'],
  ['2027-01-01', '2026-12-28', 'Dec 28 – Jan 3, 2027'],
])('the week of %s begins on %s: %s', (date, monday, words) => {
  const week = weekOf(date);
  expect(week).toHaveLength(7);
  expect(week[0]).toBe(monday);
  expect(formatWeek(week, '2026-11-26')).toBe(words);
});

it('has a row for each place, with its slots by day and start', () => {
  const late = aFarmSlot('2026-11-27', '15:00');
  const early = aFarmSlot('2026-11-27', '09:00');
  const mill = aFarmSlot('2026-11-28', '09:00', { place: MILL });
  const rows = rowsOf([late, mill, early]);
  expect(rows.map(({ place }) => place)).toEqual([MARKET, MILL]);
  expect(rows[0]?.slotsByDay.get('2026-11-27')).toEqual([early, late]);
  expect(rows[0]?.slotsByDay.get('2026-11-28')).toBeUndefined();
  expect(rowsOf([])).toEqual([]);
});

describe('the load of a slot', () => {
  it.each([
    [0, 20, { text: '0 / 20', over: 0, isFull: false, share: 0 }],
    [20, 20, { text: '20 / 20', over: 0, isFull: true, share: 1 }],
    [23, 20, { text: '23 / 20', over: 3, isFull: true, share: 1 }],
    [7, null, { text: '7', over: 0, isFull: false, share: 0 }],
  ])('%s of %s', (taken, capacity, load) => {
    expect(loadOf({ taken, capacity })).toEqual(load);
  });

  it.each([
    ['open', false, undefined],
    ['closed', false, 'Closed'],
    ['open', true, 'Day closed'],
    ['closed', true, 'Day closed'],
    ['cancelled', true, 'Not offered'],
  ] as const)('is said to be %s on a day that is closed: %s', (state, isDayClosed, word) => {
    expect(closedWord({ state, isDayClosed })).toBe(word);
  });
});
