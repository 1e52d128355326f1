import { describe, expect, it } from 'vitest';
import {
  formatNearSlot,
  formatSlot,
  slotInSentence,
  slotOf,
  wayOf,
} from '#contract/farm/slots/constants';
import {
  addDays,
  formatDay,
  formatNearDay,
  formatWallDate,
  formatWallTime,
} from '#contract/platform/time/constants';
import {
  formatFullDay,
  formatWallTimes,
  midSentence,
} from '#contract/platform/time/constants/clock';
import { formatTime, localToday } from './format.ts';
import { formatNearDate, formatNearDateTime } from './near-day.ts';

/** `Intl` puts a narrow space before AM and PM. */
const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('a day', () => {
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
    ['', ''],
  ])('%s is said as %s on Nov 28', (date, words) => {
    expect(formatNearDay(date, '2026-11-28')).toBe(words);
  });

  it.each([
    // Over the end of a year.
    ['2027-01-01', '2026-12-31', 'Tomorrow'],
    ['2026-12-31', '2027-01-01', 'Yesterday'],
    ['2027-01-04', '2026-12-31', 'Mon'],
    ['2026-12-30', '2027-01-01', 'Wed, Dec 30, 2026'],
    // Over a leap day.
    ['2028-03-01', '2028-02-28', 'Wed'],
    ['2028-02-29', '2028-02-28', 'Tomorrow'],
    // Over the nights on which clocks change in America and in Europe.
    ['2026-11-02', '2026-11-01', 'Tomorrow'],
    ['2026-03-09', '2026-03-08', 'Tomorrow'],
    ['2026-10-26', '2026-10-25', 'Tomorrow'],
    ['2026-03-29', '2026-03-30', 'Yesterday'],
  ])('%s is said on %s as %s', (date, today, words) => {
    expect(formatNearDay(date, today)).toBe(words);
  });

  it('has its year where that is not this one, and never a word that ages in a text that lasts', () => {
    expect(formatDay('2026-11-28', '2026-11-28')).toBe('Sat, Nov 28');
    expect(formatDay('2027-01-02', '2026-12-31')).toBe('Sat, Jan 2, 2027');
    expect(formatDay('someday', '2026-12-31')).toBe('someday');
  });

  it.each([
    ['2027-01-01', '2026-12-31', 'Tomorrow, Fri, Jan 1, 2027'],
    ['2026-12-31', '2026-12-31', 'Today, Thu, Dec 31, 2026'],
    ['2026-12-30', '2026-12-31', 'Yesterday, Wed, Dec 30, 2026'],
    ['2027-01-02', '2026-12-31', 'Sat, Jan 2, 2027'],
    ['someday', '2026-12-31', 'someday'],
  ])('%s is written in full on %s as %s', (date, today, words) => {
    expect(formatFullDay(date, today, 'year')).toBe(words);
  });

  it('is found over the ends of months, years and clocks', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
    expect(addDays('2026-11-01', -1)).toBe('2026-10-31');
  });

  it('fits into a sentence', () => {
    const words = ['Today, 4 PM', 'Tomorrow', 'Yesterday', 'Sat, Nov 28'];
    expect(words.map(midSentence)).toEqual(['today, 4 PM', 'tomorrow', 'yesterday', 'Sat, Nov 28']);
  });
});

describe("a farm's wall clock", () => {
  it('is not shifted by a time zone', () => {
    expect(formatWallDate('2026-11-21', 'short')).toBe('Nov 21');
    expect(formatWallDate('2026-11-21', 'weekday')).toBe('Sat, Nov 21');
    expect(formatWallDate('2026-11-21T00:00:00.000Z', 'long')).toBe('Saturday, November 21, 2026');
    expect(plain(formatWallTime('16:05'))).toBe('4:05 PM');
    expect(plain(formatWallTime('00:00'))).toBe('12:00 AM');
  });

  it('leaves what it cannot read as it is', () => {
    expect(formatWallDate('soon', 'long')).toBe('soon');
    expect(formatWallTime('noon')).toBe('noon');
  });
});

describe('a slot', () => {
  const moment = { date: '2026-11-28', time: '10:00' };

  it('is read from the pickup or the delivery', () => {
    const pickup = slotOf({ pickupDetails: moment });
    expect(pickup).toEqual({ ...moment, isDelivery: false });
    expect(wayOf(pickup)).toBe('Pickup');
    const delivery = slotOf({ pickupDetails: undefined, deliveryDetails: moment });
    expect(delivery).toEqual({ ...moment, isDelivery: true });
    expect(wayOf(delivery)).toBe('Delivery');
    expect(slotOf({})).toEqual({ date: '', time: '', isDelivery: false });
  });

  it('is written for now and for later', () => {
    const slot = slotOf({ pickupDetails: moment });
    expect(plain(formatNearSlot(slot, '2026-11-27'))).toBe('Tomorrow, 10:00 AM');
    expect(plain(formatNearSlot(slot, '2026-11-23'))).toBe('Sat, 10:00 AM');
    expect(plain(slotInSentence(slot, '2026-11-27'))).toBe('tomorrow at 10:00 AM');
    expect(plain(slotInSentence(slot, '2026-11-28'))).toBe('today at 10:00 AM');
    expect(plain(slotInSentence(slot, '2026-11-23'))).toBe('on Sat, Nov 28 at 10:00 AM');
    expect(plain(slotInSentence(slot, '2026-11-29'))).toBe('on Sat, Nov 28 at 10:00 AM');
    expect(plain(formatSlot(slot, '2026-11-27'))).toBe('Sat, Nov 28 at 10:00 AM');
    expect(plain(formatSlot(slot, '2025-12-31'))).toBe('Sat, Nov 28, 2026 at 10:00 AM');
  });
});

describe('a slot with an end', () => {
  const pickupDetails = {
    date: '2026-11-28',
    time: '10:00',
    endTime: '10:30',
    place: { name: 'Gate' },
  };

  it.each([
    ['10:00', '10:30', '10:00–10:30 AM'],
    ['11:30', '12:00', '11:30 AM–12:00 PM'],
    ['13:00', '17:15', '1:00–5:15 PM'],
    ['18:00', '24:00', '6:00 PM to midnight'],
    ['10:00', undefined, '10:00 AM'],
    ['noon', 'later', 'noon–later'],
  ])('from %s to %s is written as %s', (from, to, words) => {
    expect(plain(formatWallTimes(from, to))).toBe(words);
  });

  it('is written with both its times, and has its place', () => {
    const slot = slotOf({ pickupDetails });
    expect(slot.place).toBe('Gate');
    expect(plain(formatNearSlot(slot, '2026-11-27'))).toBe('Tomorrow, 10:00–10:30 AM');
    expect(plain(slotInSentence(slot, '2026-11-28'))).toBe('today at 10:00–10:30 AM');
    expect(plain(formatSlot(slot, '2026-11-27'))).toBe('Sat, Nov 28 at 10:00–10:30 AM');
  });
});

describe('an instant', () => {
  it.each([
    // Midnight in New York, in winter and in summer.
    ['2026-11-28T05:00:00Z', 'America/New_York', '2026-11-28', 'Today, 12:00 AM'],
    ['2026-11-28T04:59:59Z', 'America/New_York', '2026-11-28', 'Yesterday, 11:59 PM'],
    ['2026-07-04T03:59:00Z', 'America/New_York', '2026-07-04', 'Yesterday, 11:59 PM'],
    // The hour that comes twice, and the one that is left out.
    ['2026-11-01T05:30:00Z', 'America/New_York', '2026-11-01', 'Today, 1:30 AM'],
    ['2026-11-01T06:30:00Z', 'America/New_York', '2026-11-01', 'Today, 1:30 AM'],
    ['2026-03-08T06:59:00Z', 'America/New_York', '2026-03-08', 'Today, 1:59 AM'],
    ['2026-03-08T07:00:00Z', 'America/New_York', '2026-03-08', 'Today, 3:00 AM'],
    // East and west of the date line.
    ['2026-12-31T11:00:00Z', 'Pacific/Kiritimati', '2027-01-01', 'Today, 1:00 AM'],
    ['2026-12-31T11:00:00Z', 'Pacific/Pago_Pago', '2026-12-31', 'Today, 12:00 AM'],
    ['2026-12-31T23:59:00Z', 'UTC', '2027-01-01', 'Yesterday, 11:59 PM'],
    ['2026-12-30T23:59:00Z', 'UTC', '2027-01-01', 'Wed, Dec 30, 2026, 11:59 PM'],
    ['2026-11-02T10:05:00Z', 'UTC', '2026-11-22', 'Mon, Nov 2, 10:05 AM'],
    ['never', 'UTC', '2026-11-22', ''],
  ])('%s in %s is said on %s as %s', (iso, timeZone, today, words) => {
    expect(plain(formatNearDateTime(iso, today, timeZone))).toBe(words);
    expect(words).toContain(formatNearDate(iso, today, timeZone));
  });

  it("has the day and the time of the reader's clock unless given", () => {
    const now = new Date(2026, 0, 5, 23, 59);
    expect(localToday(now)).toBe('2026-01-05');
    expect(localToday(new Date(2026, 0, 5, 0, 1))).toBe('2026-01-05');
    expect(formatNearDateTime(now.toISOString(), '2026-01-05')).toBe(`Today, ${formatTime(now)}`);
    expect(localToday(new Date('2026-01-05T04:59:00Z'), 'America/New_York')).toBe('2026-01-04');
  });
});
