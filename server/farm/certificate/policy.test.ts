import { expect, it } from 'vitest';
import { mayBeOrganic } from '#contract/farm/certificate/constants';
import { dayIn } from '#contract/platform/time/constants';
import { daysAfter } from '../../platform/time/clock.ts';
import { nextClockChange } from '../../testing/clock-changes.ts';
import { certificateTimers, endOfCertificate, reminderOn } from './policy.ts';

it.each([
  ['2026-11-01', null],
  ['2026-12-01', null],
  ['2026-12-02', 30],
  ['2026-12-24', 30],
  ['2026-12-25', 7],
  ['2027-01-01', 7],
  ['2027-01-02', 'ended'],
  ['2028-01-01', 'ended'],
])(
  'on %s a farm whose certificate is valid until 2027-01-01 is reminded: %s',
  (today, reminder) => {
    expect(reminderOn(today, '2027-01-01')).toBe(reminder);
  },
);

it('sets what is to come by the clock of the farm, and lets the products follow at once', () => {
  const farm = { farmId: 'f', validUntil: '2027-01-31', timeZone: 'Pacific/Kiritimati' };
  const timers = certificateTimers(farm, new Date('2027-01-10T00:00:00Z'));
  expect(timers.map(({ key, dueAt }) => [key, dueAt.toISOString()])).toEqual([
    ['farm.organic:f', '2027-01-10T00:00:00.000Z'],
    ['farm.certificate:f:7', '2027-01-23T19:00:00.000Z'],
    ['farm.certificate:f:ended', '2027-01-31T19:00:00.000Z'],
  ]);
});

it.each(['skips', 'repeats'] as const)(
  'ends with its last day, also in a night in which the clock %s time, and where midnight is skipped',
  (kind) => {
    for (const timeZone of ['Europe/Berlin', 'America/New_York', 'Africa/Cairo', 'Asia/Beirut']) {
      const { date } = nextClockChange(timeZone, kind);
      for (const validUntil of [date, daysAfter(date, -1)]) {
        const end = endOfCertificate(validUntil, timeZone);
        expect(dayIn(timeZone, end)).toBe(daysAfter(validUntil, 1));
        expect(dayIn(timeZone, end.getTime() - 1)).toBe(validUntil);
      }
    }
  },
);

it.each([
  [null, false, true],
  [null, true, false],
  ['2026-11-29', false, true],
  ['2026-11-29', true, true],
  ['2026-11-28', false, false],
  ['2026-11-28', true, false],
])(
  'with a certificate until %s, in a market that asks for one (%s), goods may be organic: %s',
  (validUntil, requiresOrganicCertificate, isAllowed) => {
    const certificate = validUntil === null ? null : { validUntil };
    expect(mayBeOrganic(certificate, '2026-11-29', { requiresOrganicCertificate })).toBe(isAllowed);
  },
);
