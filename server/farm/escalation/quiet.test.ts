import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { answersFrom, type QuietHours, quietEnd } from '#contract/farm/escalation/constants/quiet';
import { isBefore } from '#contract/farm/schedule/constants';
import { wallClockIn } from '#contract/platform/time/constants';
import { timeAt } from '#contract/platform/time/constants/clock';
import { quietHoursOf, quietUntil } from './quiet.ts';

const night = { from: '21:00', to: '07:00' };

describe('quietEnd', () => {
  it.each([
    ['before the night', night, '2026-11-29', '20:59', null],
    ['as the night begins', night, '2026-11-29', '21:00', '2026-11-30 07:00'],
    ['before midnight', night, '2026-12-31', '23:59', '2027-01-01 07:00'],
    ['at midnight', night, '2026-11-30', '00:00', '2026-11-30 07:00'],
    ['in the last minute', night, '2026-11-30', '06:59', '2026-11-30 07:00'],
    ['as the night ends', night, '2026-11-30', '07:00', null],
    ['at noon', { from: '12:00', to: '14:30' }, '2026-11-30', '13:00', '2026-11-30 14:30'],
    ['after noon', { from: '12:00', to: '14:30' }, '2026-11-30', '14:30', null],
    ['until midnight', { from: '20:00', to: '00:00' }, '2026-11-30', '20:00', '2026-12-01 00:00'],
    ['after midnight', { from: '20:00', to: '00:00' }, '2026-11-30', '00:00', null],
    ['from midnight', { from: '00:00', to: '06:00' }, '2026-11-30', '00:00', '2026-11-30 06:00'],
    ['hours that end when they begin', { from: '07:00', to: '07:00' }, '2026-11-30', '07:00', null],
    ['no quiet hours', null, '2026-11-30', '03:00', null],
  ] as [string, QuietHours | null, string, string, string | null][])(
    '%s',
    (_, quietHours, date, time, expected) => {
      const end = quietEnd(quietHours, { date, time });
      expect(end && `${end.date} ${end.time}`).toBe(expected);
    },
  );
});

describe('answersFrom', () => {
  const now = { date: '2026-11-29', time: '22:00' };
  const end = { date: '2026-11-30', time: '07:00' };
  it.each([
    ['with nothing due', [], end],
    ['with a handover later that day', [{ date: '2026-11-30', time: '10:00' }], end],
    ['with a handover as they end', [end], end],
    ['with a handover before', [{ date: '2026-11-30', time: '06:59' }], null],
    [
      'with a cut-off that night',
      [
        { ...end, time: '10:00' },
        { ...now, time: '23:00' },
      ],
      null,
    ],
    ['with a cut-off that has passed', [{ date: '2026-11-29', time: '18:00' }], null],
  ])('in quiet hours, %s', (_, limits, expected) => {
    expect(answersFrom(night, now, limits)).toEqual(expected);
  });

  it('is nothing by day', () => {
    expect(answersFrom(night, { ...now, time: '12:00' }, [])).toBeNull();
  });
});

describe('quietUntil', () => {
  it.each([
    ['an evening', night, 'Asia/Karachi', '2026-11-29T16:00Z', '2026-11-30T02:00Z'],
    ['a minute before it', night, 'Asia/Karachi', '2026-11-29T15:59:59.999Z', null],
    ['the morning after', night, 'Asia/Karachi', '2026-11-30T01:59:59.999Z', '2026-11-30T02:00Z'],
    ['the end, which is not quiet', night, 'Asia/Karachi', '2026-11-30T02:00Z', null],
    ['the short night', night, 'Europe/Berlin', '2026-03-28T20:00Z', '2026-03-29T05:00Z'],
    ['the long night', night, 'Europe/Berlin', '2026-10-24T19:00Z', '2026-10-25T06:00Z'],
    [
      'an end in the hour that spring skips',
      { from: '22:00', to: '02:30' },
      'Europe/Berlin',
      '2026-03-29T00:59:59Z',
      '2026-03-29T01:00Z',
    ],
    [
      'an end in the hour that autumn repeats',
      { from: '22:00', to: '02:30' },
      'Europe/Berlin',
      '2026-10-25T00:29Z',
      '2026-10-25T00:30Z',
    ],
    [
      'the second time before that end',
      { from: '22:00', to: '02:30' },
      'Europe/Berlin',
      '2026-10-25T01:15Z',
      null,
    ],
    [
      'the second time before a beginning that has passed',
      { from: '02:30', to: '05:00' },
      'Europe/Berlin',
      '2026-10-25T01:15Z',
      '2026-10-25T04:00Z',
    ],
    [
      'a span that spring skips as a whole',
      { from: '02:10', to: '02:50' },
      'Europe/Berlin',
      '2026-03-29T01:00Z',
      null,
    ],
    [
      'before midnight for the second time, after it has begun',
      { from: '00:00', to: '06:00' },
      'America/St_Johns',
      '2010-11-07T02:45Z',
      '2010-11-07T09:30Z',
    ],
    [
      'a midnight that is skipped',
      { from: '21:00', to: '00:00' },
      'America/Santiago',
      '2026-09-06T03:00Z',
      '2026-09-06T04:00Z',
    ],
    ['no quiet hours', null, 'UTC', '2026-11-29T03:00Z', null],
    ['hours without length', { from: '07:00', to: '07:00' }, 'UTC', '2026-11-29T07:00Z', null],
  ] as [string, QuietHours | null, string, string, string | null][])(
    '%s',
    (_, quietHours, zone, at, expected) => {
      expect(quietUntil(quietHours, zone, new Date(at))).toEqual(expected && new Date(expected));
    },
  );

  // Apia skipped a whole day in 2011.
  const days = fc
    .date({ min: new Date('2012-01-10'), max: new Date('2060-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const zones = fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone'));
  const times = fc.nat({ max: 1439 }).map(timeAt);

  it('agrees with a clock that is watched minute by minute, in every zone and about every change', () => {
    fc.assert(
      fc.property(
        zones,
        days,
        fc.integer({ min: -1500, max: 1500 }),
        fc.record({ from: times, to: times }),
        fc.boolean(),
        (zone, date, aside, quietHours, isNearChange) => {
          const start = Temporal.PlainDate.from(date).toZonedDateTime(zone);
          const change = start.getTimeZoneTransition('next') ?? start;
          const at = (change.epochMilliseconds / 60_000 + aside) * 60_000;
          const near = change.toPlainDateTime().round('minute');
          // About a change of the clock, the hours begin or end where it is.
          const hours =
            isNearChange && quietHours.from !== quietHours.to
              ? {
                  ...quietHours,
                  to: near
                    .subtract({ minutes: aside % 50 })
                    .toString()
                    .slice(11, 16),
                }
              : quietHours;
          expect(quietUntil(hours, zone, new Date(at))?.getTime() ?? null).toBe(
            watchedEnd(hours, zone, at),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is the time that the client reads, where no clock changes', () => {
    fc.assert(
      fc.property(days, times, fc.record({ from: times, to: times }), (date, time, quietHours) => {
        const until = quietUntil(quietHours, 'Asia/Karachi', new Date(`${date}T${time}+05:00`));
        const shown = until && wallClockIn('Asia/Karachi', until);
        expect(quietEnd(quietHours, { date, time })).toEqual(shown);
      }),
    );
  });
});

describe('quietHoursOf', () => {
  it.each([
    ['a farm that has chosen nothing', null, night],
    ['a farm that has chosen other things', { rounds: 3 }, night],
    ['a farm that wants none', { quietHours: null }, null],
    [
      'a farm with its own',
      { quietHours: { from: '12:00', to: '14:00' } },
      { from: '12:00', to: '14:00' },
    ],
  ])('%s', (_, escalation, expected) => {
    expect(quietHoursOf(escalation)).toEqual(expected);
  });
});

/**
 * Watches a clock minute by minute, by `Intl` alone. A moment has come when the clock has shown it or a later one: what
 * it shows a second time changes nothing.
 */
function watchedEnd(quietHours: QuietHours, zone: string, atMs: number): number | null {
  let latest = { date: '', time: '' };
  const look = (ms: number): void => {
    const shown = wallClockIn(zone, ms);
    if (isBefore(latest, shown)) latest = shown;
  };
  // No clock is set back by more than four hours.
  for (let ms = atMs - 240 * 60_000; ms <= atMs; ms += 60_000) look(ms);
  const end = quietEnd(quietHours, latest);
  if (!end) return null;
  let ms = atMs;
  while (isBefore(latest, end)) {
    ms += 60_000;
    look(ms);
  }
  return ms;
}
