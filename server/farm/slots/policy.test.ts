import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { addDays, wallClockIn } from '#contract/platform/time/constants';
import { minutesOf, timeAt } from '#contract/platform/time/constants/clock';
import { instantOf } from '../../platform/time/clock.ts';
import { hasRoomFor, publicRoom, refuseSlot, type SlotOffer, shownIn, slotsOf } from './policy.ts';

const BERLIN = 'Europe/Berlin';
const daily = (from: string, to: string, slotMinutes: number) =>
  WEEKDAYS.map((_, weekday) => ({ weekday, from, to, slotMinutes, capacity: 4 }));

const times = (hours: ReturnType<typeof daily>, first: string, days: number, zone: string) =>
  slotsOf(hours, { first, days }, zone).map(
    ({ date, from, to, startsAt, endsAt }) =>
      `${date} ${from}–${to} ${startsAt.toISOString().slice(11, 16)}–${endsAt.toISOString().slice(11, 16)}`,
  );

describe('the slots of hours', () => {
  test('fill them from start to end, on their weekdays alone', () => {
    const saturday = [
      { weekday: 5, from: '09:00', to: '10:30', slotMinutes: 30, capacity: null },
      { weekday: 5, from: '14:00', to: '15:00', slotMinutes: 60, capacity: 2 },
    ];
    const slots = slotsOf(saturday, { first: '2026-11-23', days: 14 }, BERLIN);
    expect(slots.map(({ date, from, to, capacity }) => [date, from, to, capacity])).toEqual(
      ['2026-11-28', '2026-12-05'].flatMap((date) => [
        [date, '09:00', '09:30', null],
        [date, '09:30', '10:00', null],
        [date, '10:00', '10:30', null],
        [date, '14:00', '15:00', 2],
      ]),
    );
  });

  test('keep to the wall clock over the change to winter time', () => {
    expect(times(daily('10:00', '11:00', 60), '2026-10-24', 3, BERLIN)).toEqual([
      '2026-10-24 10:00–11:00 08:00–09:00',
      '2026-10-25 10:00–11:00 09:00–10:00',
      '2026-10-26 10:00–11:00 09:00–10:00',
    ]);
  });

  test('leave out what the night skips in spring', () => {
    expect(times(daily('01:00', '04:00', 30), '2027-03-28', 1, BERLIN)).toEqual([
      '2027-03-28 01:00–01:30 00:00–00:30',
      '2027-03-28 03:00–03:30 01:00–01:30',
      '2027-03-28 03:30–04:00 01:30–02:00',
    ]);
  });

  test('are longer where the night repeats an hour in autumn', () => {
    expect(times(daily('01:00', '04:00', 60), '2026-10-25', 1, BERLIN)).toEqual([
      '2026-10-25 01:00–02:00 23:00–00:00',
      '2026-10-25 02:00–03:00 00:00–02:00',
      '2026-10-25 03:00–04:00 02:00–03:00',
    ]);
  });

  // Santiago skips the midnight after 5 September, Nuuk the last hour of 28 March, and Cairo shows that of 29 October twice.
  it.each([
    ['Asia/Karachi', '2026-11-23', ['23:00–24:00 18:00–19:00']],
    ['America/Santiago', '2026-09-05', ['23:00–24:00 03:00–04:00']],
    ['America/Nuuk', '2026-03-28', []],
    ['Africa/Cairo', '2026-10-29', ['23:00–24:00 20:00–22:00']],
    ['Africa/Cairo', '2026-04-23', ['23:00–24:00 21:00–22:00']],
  ])('end at midnight in %s on %s', (zone, date, expected) => {
    expect(times(daily('23:00', '24:00', 60), date, 1, zone)).toEqual(
      expected.map((each) => `${date} ${each}`),
    );
  });

  test('end at midnight on every day of a year, in every zone, where their start is shown', () => {
    const zones = ['Africa/Cairo', 'Asia/Beirut', 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC'];
    const anyNight = fc.tuple(
      fc.constantFrom('America/Santiago', 'America/Nuuk', ...zones),
      fc.nat(366).map((day) => addDays('2026-01-01', day)),
    );
    const nights = fc.oneof(
      anyNight,
      fc.constantFrom(
        ['America/Santiago', '2026-09-05'] as const,
        ['America/Santiago', '2026-04-04'] as const,
        ['America/Nuuk', '2026-03-28'] as const,
        ['Africa/Cairo', '2026-10-29'] as const,
        ['Asia/Beirut', '2026-03-28'] as const,
      ),
    );
    fc.assert(
      fc.property(nights, fc.nat(95), ([zone, date], quarter) => {
        const from = timeAt(quarter * 15);
        const hours = daily(from, '24:00', 24 * 60 - minutesOf(from));
        const [slot] = slotsOf(hours, { first: date, days: 1 }, zone);
        // The next day's first instant, whatever its clock shows then.
        const end = instantOf({ date: addDays(date, 1) }, zone);
        if (!slot) {
          const start = wallClockIn(zone, instantOf({ date, time: from }, zone));
          expect(start).not.toEqual({ date, time: from });
          return;
        }
        expect(slot).toMatchObject({ date, from, to: '24:00', endsAt: end });
        // A farm that moves to another zone keeps what it says.
        expect(shownIn(zone, slot)).toMatchObject({ date, from, to: '24:00', endsAt: end });
      }),
    );
  });

  test('of no hours are none', () => {
    expect(slotsOf([], { first: '2026-11-23', days: 56 }, BERLIN)).toEqual([]);
  });
});

describe('a slot', () => {
  const at = (time: string) => new Date(`2026-11-28T${time}:00Z`);
  const offer = (over: Partial<SlotOffer> = {}): SlotOffer => ({
    state: 'open',
    taken: 3,
    capacity: 4,
    isPlaceActive: true,
    isDayClosed: false,
    closesAt: at('08:00'),
    startsAt: at('10:00'),
    ...over,
  });

  it.each<[string, SlotOffer | null, string, object, string | undefined]>([
    ['with room is taken', offer(), '07:59', {}, undefined],
    ['without a limit is taken', offer({ capacity: null, taken: 900 }), '07:59', {}, undefined],
    ['that is not there', null, '07:59', {}, 'SLOT_CLOSED'],
    ['of a closed day', offer({ isDayClosed: true }), '09:00', {}, 'DAY_CLOSED'],
    ['at its cut-off', offer(), '08:00', {}, 'CUTOFF_PASSED'],
    ['closed, after its cut-off', offer({ state: 'closed' }), '09:00', {}, 'CUTOFF_PASSED'],
    ['closed and full', offer({ state: 'closed', taken: 4 }), '07:00', {}, 'SLOT_CLOSED'],
    ['no longer in the hours', offer({ state: 'cancelled' }), '07:00', {}, 'SLOT_CLOSED'],
    ['of a place that is not active', offer({ isPlaceActive: false }), '07:00', {}, 'SLOT_CLOSED'],
    ['that is full', offer({ taken: 4 }), '07:00', {}, 'SLOT_FULL'],
    ['that is over its capacity', offer({ taken: 9 }), '07:00', {}, 'SLOT_FULL'],
    ['with room for one of two', offer(), '07:00', { orders: 2 }, 'SLOT_FULL'],
    ['its farm: after its cut-off', offer(), '09:59', { isByFarm: true }, undefined],
    ['its farm: closed', offer({ state: 'closed' }), '07:00', { isByFarm: true }, undefined],
    ['its farm: begun', offer(), '10:00', { isByFarm: true }, 'CUTOFF_PASSED'],
    ['its farm: full', offer({ taken: 4 }), '07:00', { isByFarm: true }, 'SLOT_FULL'],
  ])('%s', (_, slot, now, options, refusal) => {
    expect(refuseSlot(slot, at(now), options)).toBe(refusal);
  });

  test('shows its room exactly only when little is left', () => {
    const room = (taken: number, capacity: number | null) =>
      publicRoom({ taken, capacity, state: 'open' });
    expect(room(4, 10)).toEqual({ hasLimit: true, remaining: null, state: 'open' });
    expect(room(5, 10)).toEqual({ hasLimit: true, remaining: 5, state: 'open' });
    expect(room(10, 10)).toEqual({ hasLimit: true, remaining: 0, state: 'open' });
    expect(room(13, 10)).toEqual({ hasLimit: true, remaining: 0, state: 'open' });
    expect(room(13, null)).toEqual({ hasLimit: false, remaining: null, state: 'open' });
  });

  test('has room up to its capacity', () => {
    expect([
      hasRoomFor({ taken: 3, capacity: 4 }, 1),
      hasRoomFor({ taken: 3, capacity: 4 }, 2),
    ]).toEqual([true, false]);
  });
});
