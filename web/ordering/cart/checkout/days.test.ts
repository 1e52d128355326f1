import { describe, expect, it, test } from 'vitest';
import type { PossibleDay } from '#contract/farm/schedule/schedule';
import {
  type FarmDays,
  firstChoice,
  insteadOf,
  stillPossible,
  timeFor,
  timeOnOther,
  timesOf,
} from './initial-values.ts';

const BERLIN = 'Europe/Berlin';
const day = (date: string, over: Partial<PossibleDay> = {}): PossibleDay => ({
  date,
  open: '08:00',
  close: '14:00',
  ordersUntil: `${date}T13:00:00.000Z`,
  ...over,
});
const days = [day('2026-11-25'), day('2026-11-28'), day('2026-12-05')];
const farm = (over: Partial<FarmDays> = {}): FarmDays => ({
  days,
  keepsDays: true,
  hasCutoff: false,
  timeZone: BERLIN,
  ...over,
});
/** 11:10 in Berlin on the first of the days. */
const NOW = Date.parse('2026-11-25T10:10:00Z');
const clock = { date: '2026-11-25', time: '11:10' };

describe('the times of a day', () => {
  it.each([
    ['08:00', '11:00', ['08:00', '08:30', '09:00', '09:30', '10:00', '10:30']],
    ['08:00', '14:00', ['08:00', '09:00', '10:00', '11:00', '12:00', '13:00']],
    ['08:15', '09:30', ['08:15', '08:45', '09:15']],
    ['08:00', '20:00', ['08:00', '10:00', '12:00', '14:00', '16:00', '18:00']],
    ['00:00', '00:00', ['00:00', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00']],
    ['20:00', '02:00', ['20:00', '20:30', '21:00', '21:30', '22:00', '22:30', '23:00', '23:30']],
  ])('from %s to %s', (open, close, times) => {
    expect(timesOf(day('2026-11-28', { open, close }), clock)).toEqual(times);
  });

  test('of today leave time to get there', () => {
    expect(timesOf(day('2026-11-25'), clock)).toEqual(['12:00', '12:30', '13:00', '13:30']);
    expect(timesOf(day('2026-11-25', { close: '11:30' }), clock)).toEqual([]);
  });

  test('are none without hours', () => {
    expect(timesOf(day('2026-11-28', { open: null, close: null }), clock)).toEqual([]);
  });
});

describe('the time that a day begins with', () => {
  it.each([
    ['the wanted one within the hours', '2026-11-28', '09:45', '09:45'],
    ['the first where the farm is closed at the wanted one', '2026-11-28', '16:00', '08:00'],
    ['the first where none is wanted', '2026-11-28', '', '08:00'],
    ['one ahead where the wanted one is over', '2026-11-25', '09:45', '12:00'],
    ['the wanted one later today', '2026-11-25', '11:30', '11:30'],
  ])('is %s', (_, date, wanted, time) => {
    expect(timeFor(day(date), clock, wanted)).toBe(time);
  });

  test('is the wanted one, or none, where no hours are listed', () => {
    const open = day('2026-11-28', { open: null, close: null });
    expect([timeFor(open, clock, '19:30'), timeFor(open, clock, '')]).toEqual(['19:30', '']);
  });
});

describe('the time of another day', () => {
  it.each([
    ['the usual one where a later one was suggested for today', '12:00', '10:30', '10:30'],
    ['the one that was chosen', '13:00', '10:30', '13:00'],
    ['the one that was suggested where none is usual', '12:00', '', '12:00'],
    ['the first where the farm is closed at the usual one', '12:00', '19:00', '08:00'],
  ])('is %s', (_, time, usualTime, expected) => {
    const other = day('2026-11-28');
    expect(timeOnOther(other, clock, { time, suggestedTime: '12:00', usualTime })).toBe(expected);
  });

  test('is the usual one also once the clock has passed what was suggested', () => {
    const suggested = { time: '12:00', suggestedTime: '12:00', usualTime: '10:30' };
    const later = { ...clock, time: '11:40' };
    expect(timeFor(day('2026-11-25'), later, '10:30')).toBe('12:30');
    expect(timeOnOther(day('2026-11-28'), later, suggested)).toBe('10:30');
  });
});

describe('the checkout begins', () => {
  test('with the first day that leaves time', () => {
    expect(firstChoice(farm(), NOW, '')).toEqual({ date: '2026-11-25', time: '12:00' });
    const short = [day('2026-11-25', { close: '11:30' }), ...days.slice(1)];
    expect(firstChoice(farm({ days: short }), NOW, '10:30')).toEqual({
      date: '2026-11-28',
      time: '10:30',
    });
  });

  test('without days whose cut-off has passed since they were fetched', () => {
    const late = [day('2026-11-25', { ordersUntil: '2026-11-25T10:10:00.000Z' }), ...days.slice(1)];
    expect(firstChoice(farm({ days: late }), NOW, '').date).toBe('2026-11-28');
    expect(stillPossible(late, NOW - 1)).toHaveLength(3);
  });

  test('empty where the farm keeps no days, has none soon, or they are unknown', () => {
    const empty = { date: '', time: '' };
    expect(firstChoice(farm({ keepsDays: false }), NOW, '10:00')).toEqual(empty);
    expect(firstChoice(farm({ days: [] }), NOW, '10:00')).toEqual(empty);
    expect(firstChoice(farm({ days: undefined }), NOW, '10:00')).toEqual(empty);
  });
});

test.each([
  ['2026-11-28', undefined],
  ['2026-11-29', '2026-12-05'],
  ['2026-12-06', '2026-11-25'],
  ['2026-11-24', undefined],
  ['2026-12-26', undefined],
  ['', undefined],
])('instead of %s it offers %s', (date, instead) => {
  expect(insteadOf(date, farm(), NOW)?.date).toBe(instead);
  expect(insteadOf(date, farm({ days: undefined }), NOW)).toBeUndefined();
});
