import { describe, expect, it } from 'vitest';
import { addDays, formatWallTime } from '#contract/platform/time/constants';
import { instantOf } from '../../platform/time/clock.ts';
import { nextClockChange } from '../../testing/clock-changes.ts';
import { decideEnd, type PausingFarm, pausedUntilOf, presentPause } from './policy.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;
const EVERY_DAY = [...WEEKDAYS, 'saturday', 'sunday'] as const;

const farm = (over: Partial<PausingFarm> = {}): PausingFarm => ({
  openings: [{ days: [...WEEKDAYS], open: '08:00', close: '18:00' }],
  closedDays: [],
  timeZone: 'UTC',
  ...over,
});
// A Friday.
const NOW = new Date('2026-11-27T12:00:00.000Z');
const endOf = (over: Partial<PausingFarm> = {}, now = NOW) => {
  const decision = decideEnd(farm(over), undefined, now);
  return 'until' in decision ? decision.until.toISOString() : decision.refusal;
};
const asked = (
  until: Parameters<typeof decideEnd>[1],
  over: Partial<PausingFarm> = {},
  now = NOW,
) => decideEnd(farm(over), until, now);

describe('a pause without an end', () => {
  it('ends when the farm opens next', () => {
    expect(endOf()).toBe('2026-11-30T08:00:00.000Z');
    expect(endOf({}, new Date('2026-11-27T07:59:59.999Z'))).toBe('2026-11-27T08:00:00.000Z');
    // At the very moment of an opening it is the next one.
    expect(endOf({}, new Date('2026-11-27T08:00:00.000Z'))).toBe('2026-11-30T08:00:00.000Z');
  });

  it('ends at the first of several hours of a day that is still ahead, in whatever order they are', () => {
    const openings = [
      { days: ['friday' as const], open: '17:00', close: '20:00' },
      { days: ['friday' as const], open: '14:00', close: '15:00' },
      { days: ['friday' as const], open: '08:00', close: '11:00' },
    ];
    expect(endOf({ openings })).toBe('2026-11-27T14:00:00.000Z');
  });

  it('passes over closed days', () => {
    expect(endOf({ closedDays: ['2026-11-30', '2026-12-01'] })).toBe('2026-12-02T08:00:00.000Z');
  });

  it('ends at midnight where the farm is open all day', () => {
    const openings = [{ days: [...EVERY_DAY], open: '09:00', close: '09:00' }];
    expect(endOf({ openings })).toBe('2026-11-28T00:00:00.000Z');
  });

  it('is by the clock of the farm, in whose zone it is another day already', () => {
    expect(endOf({ timeZone: 'Pacific/Kiritimati' })).toBe('2026-11-29T18:00:00.000Z');
    expect(endOf({ timeZone: 'Pacific/Pago_Pago' })).toBe('2026-11-27T19:00:00.000Z');
  });

  it('lasts 24 hours at a farm that lists no hours', () => {
    expect(endOf({ openings: [] })).toBe('2026-11-28T12:00:00.000Z');
  });

  it('lasts 31 days where no opening comes before', () => {
    const closedDays = Array.from({ length: 40 }, (_, days) =>
      new Date(NOW.getTime() + days * 86_400_000).toISOString().slice(0, 10),
    );
    expect(endOf({ closedDays })).toBe('2026-12-28T12:00:00.000Z');
  });

  it.each(['skips', 'repeats'] as const)(
    'ends once in a night whose clock %s some time',
    (kind) => {
      const timeZone = 'Europe/Berlin';
      const { date, time } = nextClockChange(timeZone, kind, NOW);
      const openings = [{ days: [...EVERY_DAY], open: time, close: '18:00' }];
      const opening = instantOf({ date, time }, timeZone);
      const minuteBefore = new Date(opening.getTime() - 60_000);
      expect(endOf({ openings, timeZone }, minuteBefore)).toBe(opening.toISOString());
      // What the clock shows a second time is no second opening.
      const dayAfter = new Date(`${date}T12:00:00Z`);
      dayAfter.setUTCDate(dayAfter.getUTCDate() + 1);
      const next = instantOf({ date: dayAfter.toISOString().slice(0, 10), time }, timeZone);
      expect(endOf({ openings, timeZone }, opening)).toBe(next.toISOString());
    },
  );
});

describe('a pause with an end', () => {
  it('ends at an instant, or at a day and time of the clock of the farm', () => {
    const timeZone = 'Asia/Karachi';
    expect(asked('2026-11-27T13:00:00.000Z')).toEqual({ until: new Date('2026-11-27T13:00Z') });
    expect(asked({ date: '2026-11-28', time: '06:30' }, { timeZone })).toEqual({
      until: new Date('2026-11-28T01:30Z'),
    });
    expect(asked({ date: '2026-11-28' }, { timeZone })).toEqual({
      until: new Date('2026-11-27T19:00Z'),
    });
  });

  it('begins a day whose midnight the clock skips when that day begins', () => {
    const timeZone = 'Africa/Cairo';
    const { date, time } = nextClockChange(timeZone, 'skips', NOW);
    expect(time).toBe('00:00');
    const now = new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000);
    const end = asked({ date }, { timeZone }, now);
    expect(end).toEqual({ until: instantOf({ date, time: '01:00' }, timeZone) });
    expect(asked({ date, time }, { timeZone }, now)).toHaveProperty('refusal');
  });

  it('may lie 31 days ahead by the clock of the farm, which goes back meanwhile', () => {
    const timeZone = 'Europe/Berlin';
    const { date } = nextClockChange(timeZone, 'repeats', NOW);
    const now = instantOf({ date: addDays(date, -3), time: '12:00' }, timeZone);
    const last = { date: addDays(date, 28), time: '12:00' };
    expect(asked(last, { timeZone }, now)).toEqual({ until: instantOf(last, timeZone) });
    const late = asked({ ...last, time: '12:01' }, { timeZone }, now);
    // The day alone would allow it.
    expect(late).toMatchObject({ refusal: { values: { time: formatWallTime('12:00') } } });
  });

  it('lies ahead, and at most 31 days', () => {
    for (const past of [
      '2026-11-27T12:00:00.000Z',
      '0001-01-01T00:00:00Z',
      { date: '2026-11-27' },
    ]) {
      expect(asked(past), JSON.stringify(past)).toHaveProperty('refusal');
    }
    expect(asked('2026-12-28T12:00:00.000Z')).toHaveProperty('until');
    for (const far of [
      '2026-12-28T12:00:00.001Z',
      '9999-12-31T23:59:59Z',
      { date: '9999-12-31' },
    ]) {
      expect(asked(far), JSON.stringify(far)).toHaveProperty('refusal');
    }
  });
});

it('is over at its end, whether or not a timer has cleared it', () => {
  const row = { pausedUntil: NOW.toISOString(), pauseNote: 'Back soon.' };
  expect(pausedUntilOf(row, NOW.getTime() - 1)).toEqual(NOW);
  expect(pausedUntilOf(row, NOW)).toBeNull();
  expect(pausedUntilOf(null, NOW)).toBeNull();
  expect(presentPause({ ...row, pausedUntil: '2001-01-01T00:00:00Z' })).toEqual({
    pausedUntil: null,
    pauseNote: null,
  });
});
