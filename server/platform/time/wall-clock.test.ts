import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { findTimeZone } from '#contract/platform/http/http';
import { dayIn, knowsTimeZone, wallClockIn } from '#contract/platform/time/constants';
import { clockShows } from '#contract/platform/time/constants/clock';
import { daysAfter, instantOf } from './clock.ts';

describe('instantOf', () => {
  it.each([
    ['the hour that spring skips', '2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:00Z'],
    ['the start of that hour', '2026-03-29', '02:00', 'Europe/Berlin', '2026-03-29T01:00Z'],
    ['the minute before it', '2026-03-29', '01:59', 'Europe/Berlin', '2026-03-29T00:59Z'],
    ['the hour that autumn repeats', '2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30Z'],
    ['half an hour skipped', '2026-10-04', '02:15', 'Australia/Lord_Howe', '2026-10-03T15:30Z'],
    ['half an hour repeated', '2026-04-05', '01:45', 'Australia/Lord_Howe', '2026-04-04T14:45Z'],
    ['at 2:45, skipped', '2026-09-27', '03:00', 'Pacific/Chatham', '2026-09-26T14:00Z'],
    ['at 2:45, repeated', '2026-04-05', '03:00', 'Pacific/Chatham', '2026-04-04T13:15Z'],
    ['before a day of fasting', '2026-03-22', '02:30', 'Africa/Casablanca', '2026-03-22T02:00Z'],
    ['after midnight, skipped', '2026-04-24', '00:30', 'Africa/Cairo', '2026-04-23T22:00Z'],
    ['before midnight, repeated', '2026-10-29', '23:30', 'Africa/Cairo', '2026-10-29T20:30Z'],
    ['the last hour, skipped', '2026-03-28', '23:30', 'America/Nuuk', '2026-03-29T01:00Z'],
    ['the end of a day', '2026-11-23', '24:00', 'Asia/Karachi', '2026-11-23T19:00Z'],
    ['in the south', '2026-04-05', '02:30', 'Australia/Sydney', '2026-04-04T15:30Z'],
    ['a midnight that is skipped', '2026-09-06', '00:00', 'America/Santiago', '2026-09-06T04:00Z'],
    ['east of the date line', '2026-11-23', '00:00', 'Pacific/Kiritimati', '2026-11-22T10:00Z'],
    ['a day that was skipped', '2011-12-30', '10:00', 'Pacific/Apia', '2011-12-30T10:00Z'],
    ['an old name', '2026-11-23', '10:00', 'Asia/Kolkata', '2026-11-23T04:30Z'],
    ['only a day', '2026-11-23', undefined, 'Asia/Karachi', '2026-11-22T19:00Z'],
    [
      'only a day without midnight',
      '2026-09-06',
      undefined,
      'America/Santiago',
      '2026-09-06T04:00Z',
    ],
  ])('%s', (_, date, time, zone, expected) => {
    const wall = time === undefined ? { date } : { date, time };
    expect(instantOf(wall, zone)).toEqual(new Date(expected));
  });

  it.each([
    ['2026-02-30', '10:00', 'UTC'],
    ['2026-02-28', '24:30', 'UTC'],
    ['2026-02-28', '10:00', 'Europe/Nowhere'],
  ])('throws for %s %s in %s', (date, time, zone) => {
    expect(() => instantOf({ date, time }, zone)).toThrow(RangeError);
  });

  it('is undone by the clock of its zone, except where that skips: then it is the first instant after it', () => {
    fc.assert(
      fc.property(zones, days, minutes, (zone, date, time) => {
        const instant = instantOf({ date, time }, zone);
        const shown = wallClockIn(zone, instant);
        expect(clockShows(zone, { date, time })).toBe(shown.date === date && shown.time === time);
        if (clockShows(zone, { date, time })) return;
        expect(`${shown.date}T${shown.time}` > `${date}T${time}`).toBe(true);
        const before = wallClockIn(zone, instant.getTime() - 1);
        expect(`${before.date}T${before.time}` < `${date}T${time}`).toBe(true);
      }),
    );
  });
});

describe('clockShows', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', ['01:59', '03:00'], ['02:00', '02:59']],
    ['Europe/Berlin', '2026-10-25', ['02:00', '02:59'], []],
    ['Africa/Cairo', '2026-04-24', ['01:00', '23:59'], ['00:00', '00:59']],
    ['Australia/Lord_Howe', '2026-10-04', ['01:59', '02:30'], ['02:00', '02:29']],
    ['Pacific/Chatham', '2026-09-27', ['02:44', '03:45'], ['02:45', '03:44']],
    ['Africa/Casablanca', '2026-03-22', ['01:59', '03:00'], ['02:00', '02:59']],
    ['Pacific/Apia', '2011-12-30', [], ['00:00', '12:00', '23:59']],
  ])('%s on %s', (zone, date, shown, skipped) => {
    for (const time of shown) expect(clockShows(zone, { date, time }), time).toBe(true);
    for (const time of skipped) expect(clockShows(zone, { date, time }), time).toBe(false);
  });

  it('agrees with Temporal, in every zone and at every change of a clock', () => {
    fc.assert(
      fc.property(zones, days, fc.integer({ min: -120, max: 120 }), (zone, date, aside) => {
        const change = Temporal.PlainDate.from(date)
          .toZonedDateTime(zone)
          .getTimeZoneTransition('next');
        const wall = (change ?? Temporal.PlainDate.from(date).toZonedDateTime(zone))
          .toPlainDateTime()
          .round('minute')
          .add({ minutes: aside });
        const [day, time] = wall.toString({ smallestUnit: 'minute' }).split('T');
        const isShown = wall.toZonedDateTime(zone).toPlainDateTime().equals(wall);
        expect(clockShows(zone, { date: day ?? '', time: time ?? '' })).toBe(isShown);
      }),
    );
  });
});

const zones = fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone'));
const days = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const minutes = fc
  .nat({ max: 1439 })
  .map(
    (at) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`,
  );

describe('dayIn', () => {
  it('is the day that Temporal says, in every zone', () => {
    const instants = fc.date({
      min: new Date('1900-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(zones, instants, (zone, at) => {
        const temporal = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(
          zone,
        );
        expect(dayIn(zone, at)).toBe(temporal.toPlainDate().toString());
      }),
    );
  });

  it('goes on at midnight, also in the nights on which clocks change', () => {
    expect(dayIn('Europe/Berlin', new Date('2026-03-29T21:59:59.999Z'))).toBe('2026-03-29');
    expect(dayIn('Europe/Berlin', new Date('2026-03-29T22:00:00Z'))).toBe('2026-03-30');
    expect(dayIn('Europe/Berlin', new Date('2026-10-25T22:59:59.999Z'))).toBe('2026-10-25');
    expect(dayIn('Europe/Berlin', new Date('2026-10-25T23:00:00Z'))).toBe('2026-10-26');
  });
});

it('a zone that is not known here is taken for UTC, so that no page breaks', () => {
  expect(dayIn('Mars/Base', new Date('2026-11-22T23:59:59Z'))).toBe('2026-11-22');
  expect(knowsTimeZone('Mars/Base')).toBe(false);
  expect(knowsTimeZone('Europe/Berlin')).toBe(true);
});

it('daysAfter counts calendar days', () => {
  expect(daysAfter('2028-02-28', 1)).toBe('2028-02-29');
  expect(daysAfter('2026-12-31', 1)).toBe('2027-01-01');
  expect(daysAfter('2026-01-01', -1)).toBe('2025-12-31');
});

describe('findTimeZone', () => {
  it.each([
    ['UTC', 'UTC'],
    ['Etc/UTC', 'UTC'],
    ['europe/berlin', 'Europe/Berlin'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ])('%s is %s', (name, zone) => {
    expect(findTimeZone(name)).toBe(zone);
  });

  it.each(['', 'Europe', 'Europe/Nowhere', 'EST', 'GMT', 'Etc/GMT+5', '+05:30', 'UTC+1', '../UTC'])(
    '%j is none',
    (name) => {
      expect(findTimeZone(name)).toBeUndefined();
    },
  );

  it('takes every zone that is supported, by its own name', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) expect(findTimeZone(zone)).toBe(zone);
  });
});
