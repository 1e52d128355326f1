import { describe, expect, it, test } from 'vitest';
import type { DayRules } from '#contract/farm/schedule/constants';
import {
  dayProblem,
  freeOrdersUntil,
  listPossibleDays,
  nextPossible,
  ordersUntil,
} from './rules.ts';

const BERLIN = 'Europe/Berlin';
const KARACHI = 'Asia/Karachi';

const rules = (over: Partial<DayRules> = {}): DayRules => ({
  openings: [
    { days: ['tuesday', 'thursday'], open: '15:00', close: '18:00' },
    { days: ['saturday'], open: '08:00', close: '14:00' },
  ],
  cutoff: { daysBefore: 1, time: '18:00' },
  closedDays: [],
  ...over,
});
const free: DayRules = { openings: [], cutoff: null, closedDays: [] };

describe('a day and time', () => {
  it.each([
    ['2026-11-28', '08:00', undefined],
    ['2026-11-28', '14:00', undefined],
    ['2026-11-28', '07:59', 'OUTSIDE_HOURS'],
    ['2026-11-28', '14:01', 'OUTSIDE_HOURS'],
    ['2026-11-29', '10:00', 'CLOSED_WEEKDAY'],
    ['2026-12-24', '16:00', 'CLOSED_DAY'],
    ['2026-12-25', '16:00', 'CLOSED_WEEKDAY'],
  ])('%s %s: %s', (date, time, problem) => {
    expect(dayProblem(rules({ closedDays: ['2026-12-24'] }), { date, time })).toBe(problem);
  });

  it.each([
    // All day on Saturday, and until 2 AM after Sunday.
    ['2026-11-28', '00:00', undefined],
    ['2026-11-28', '23:59', undefined],
    ['2026-11-29', '00:30', 'OUTSIDE_HOURS'],
    ['2026-11-29', '20:00', undefined],
    ['2026-11-30', '02:00', undefined],
    ['2026-11-30', '02:01', 'CLOSED_WEEKDAY'],
  ])('at hours that go on after midnight: %s %s: %s', (date, time, problem) => {
    const openings: DayRules['openings'] = [
      { days: ['saturday'], open: '00:00', close: '00:00' },
      { days: ['sunday'], open: '20:00', close: '02:00' },
    ];
    expect(dayProblem(rules({ openings }), { date, time })).toBe(problem);
  });

  it.each([
    ['08:30', undefined],
    ['12:00', undefined],
    ['13:00', 'OUTSIDE_HOURS'],
    ['15:00', undefined],
    ['18:01', 'OUTSIDE_HOURS'],
  ])('on a day with several hours: %s: %s', (time, problem) => {
    const openings: DayRules['openings'] = [
      { days: ['saturday'], open: '15:00', close: '18:00' },
      { days: ['saturday'], open: '08:00', close: '12:00' },
    ];
    expect(dayProblem(rules({ openings }), { date: '2026-11-28', time })).toBe(problem);
  });

  test('hours that go on after midnight do not begin on a closed day', () => {
    const openings: DayRules['openings'] = [
      { days: ['sunday', 'monday'], open: '20:00', close: '02:00' },
    ];
    const problemAt = (date: string, time: string, closedDays: string[] = ['2026-11-29']) =>
      dayProblem(rules({ openings, closedDays }), { date, time });
    expect(problemAt('2026-11-30', '01:00', [])).toBeUndefined();
    expect(problemAt('2026-11-30', '01:00')).toBe('OUTSIDE_HOURS');
    expect(problemAt('2026-11-30', '20:00')).toBeUndefined();
    expect(problemAt('2026-12-01', '01:00')).toBeUndefined();
  });

  test('without hours every moment but a closed day will do', () => {
    expect(dayProblem(free, { date: '2026-11-29', time: '03:00' })).toBeUndefined();
    const closed = { ...free, closedDays: ['2026-11-29'] };
    expect(dayProblem(closed, { date: '2026-11-29', time: '03:00' })).toBe('CLOSED_DAY');
  });
});

describe('the cut-off', () => {
  it.each([
    // The same wall clock through both nights of a clock change.
    ['2026-10-24', '2026-10-23T16:00:00.000Z'],
    ['2026-10-25', '2026-10-24T16:00:00.000Z'],
    ['2026-10-26', '2026-10-25T17:00:00.000Z'],
    ['2027-03-28', '2027-03-27T17:00:00.000Z'],
    ['2027-03-29', '2027-03-28T16:00:00.000Z'],
  ])('of %s in Berlin is at %s', (date, instant) => {
    expect(ordersUntil(rules(), date, BERLIN)?.toISOString()).toBe(instant);
  });

  it.each([
    ['in the hour that the clock skips', '2027-03-28', '02:30', '2027-03-28T01:00:00.000Z'],
    ['in the hour that the clock shows twice', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
  ])('%s', (_, date, time, instant) => {
    const cutoff = { daysBefore: 0, time };
    expect(ordersUntil(rules({ cutoff }), date, BERLIN)?.toISOString()).toBe(instant);
    const [day] = listPossibleDays({ ...free, cutoff }, BERLIN, new Date(Date.parse(instant) - 1), {
      from: date,
      to: date,
    });
    expect(day?.ordersUntil).toBe(instant);
    expect(
      listPossibleDays({ ...free, cutoff }, BERLIN, new Date(instant), { from: date, to: date }),
    ).toEqual([]);
  });

  test("follows the farm's clock, not the market's", () => {
    expect(ordersUntil(rules(), '2026-11-28', KARACHI)?.toISOString()).toBe(
      '2026-11-27T13:00:00.000Z',
    );
  });

  test('ends with the start of the handover at the latest', () => {
    const startsAt = new Date('2026-11-26T10:00:00Z');
    expect(ordersUntil(rules(), '2026-11-28', BERLIN, startsAt)).toEqual(startsAt);
    const later = new Date('2026-11-28T10:00:00Z');
    expect(ordersUntil(rules(), '2026-11-28', BERLIN, later)?.toISOString()).toBe(
      '2026-11-27T17:00:00.000Z',
    );
    expect(ordersUntil(rules({ cutoff: null }), '2026-11-28', BERLIN, later)).toEqual(later);
    expect(ordersUntil(rules({ cutoff: null }), '2026-11-28', BERLIN)).toBeNull();
  });

  test('of a farm with neither hours nor a cut-off is none', () => {
    const startsAt = new Date('2026-11-28T10:00:00Z');
    expect(freeOrdersUntil(free, '2026-11-28', BERLIN, startsAt)).toBeNull();
    expect(freeOrdersUntil(rules({ cutoff: null }), '2026-11-28', BERLIN, startsAt)).toEqual(
      startsAt,
    );
  });
});

describe('the possible days', () => {
  const range = { from: '2026-11-22', to: '2026-12-06' };
  const listed = (over: Partial<DayRules>, now: string, timeZone = BERLIN) =>
    listPossibleDays(rules(over), timeZone, new Date(now), range).map(({ date }) => date);

  test('have the hours and the last moment to order', () => {
    expect(listPossibleDays(rules(), BERLIN, new Date('2026-11-24T12:00:00Z'), range)).toEqual([
      {
        date: '2026-11-26',
        open: '15:00',
        close: '18:00',
        ordersUntil: '2026-11-25T17:00:00.000Z',
      },
      {
        date: '2026-11-28',
        open: '08:00',
        close: '14:00',
        ordersUntil: '2026-11-27T17:00:00.000Z',
      },
      {
        date: '2026-12-01',
        open: '15:00',
        close: '18:00',
        ordersUntil: '2026-11-30T17:00:00.000Z',
      },
      {
        date: '2026-12-03',
        open: '15:00',
        close: '18:00',
        ordersUntil: '2026-12-02T17:00:00.000Z',
      },
      {
        date: '2026-12-05',
        open: '08:00',
        close: '14:00',
        ordersUntil: '2026-12-04T17:00:00.000Z',
      },
    ]);
  });

  test('leave out closed days, and those that are closed to orders to the millisecond', () => {
    expect(
      listed({ closedDays: ['2026-11-28', '2026-12-03'] }, '2026-11-25T16:59:59.999Z'),
    ).toEqual(['2026-11-26', '2026-12-01', '2026-12-05']);
    expect(listed({}, '2026-11-25T17:00:00.000Z')[0]).toBe('2026-11-28');
  });

  test('without a cut-off last until closing time', () => {
    expect(listed({ cutoff: null }, '2026-11-24T16:59:00Z')[0]).toBe('2026-11-24');
    expect(listed({ cutoff: null }, '2026-11-24T17:00:00Z')[0]).toBe('2026-11-26');
  });

  test('never outlast closing time, whatever the cut-off says', () => {
    const cutoff = { daysBefore: 0, time: '20:00' };
    const [day] = listPossibleDays(
      rules({ cutoff }),
      BERLIN,
      new Date('2026-11-24T12:00:00Z'),
      range,
    );
    expect(day?.ordersUntil).toBe('2026-11-24T17:00:00.000Z');
  });

  test('without hours are all days, each until its midnight', () => {
    const days = listPossibleDays(free, BERLIN, new Date('2026-11-24T22:59:00Z'), {
      from: '2026-11-24',
      to: '2026-11-25',
    });
    expect(days).toEqual([
      { date: '2026-11-24', open: null, close: null, ordersUntil: '2026-11-24T23:00:00.000Z' },
      { date: '2026-11-25', open: null, close: null, ordersUntil: '2026-11-25T23:00:00.000Z' },
    ]);
  });

  test('of a past range are none, however long it is', () => {
    expect(
      listPossibleDays(rules(), BERLIN, new Date('2026-11-24T12:00:00Z'), {
        from: '1900-01-01',
        to: '2026-11-24',
      }),
    ).toEqual([]);
  });

  test('the next one is looked for from a day on', () => {
    const now = new Date('2026-11-24T12:00:00Z');
    const next = (from: string, over: Partial<DayRules> = {}) =>
      nextPossible(rules(over), BERLIN, now, { from, daysAhead: 35 })?.date;
    expect(next('2026-11-29')).toBe('2026-12-01');
    expect(next('2026-11-24')).toBe('2026-11-26');
    const days = Array.from(
      { length: 31 },
      (_, at) => `2026-12-${String(at + 1).padStart(2, '0')}`,
    );
    expect(next('2026-11-29', { closedDays: days })).toBe('2027-01-02');
    expect(
      nextPossible(rules({ closedDays: days }), BERLIN, now, { from: '2026-11-29', daysAhead: 30 }),
    ).toBeNull();
  });
});
