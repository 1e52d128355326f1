import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CalendarEntry, toCalendarFile } from './calendar.ts';

const NOW = new Date('2026-11-22T09:08:07.123Z');
const entry = (over: Partial<CalendarEntry> = {}): CalendarEntry => ({
  uid: 'abcdef01@farmgate',
  title: 'Pick up at Green Valley Farm',
  description: 'Kale',
  location: 'The red gate',
  date: '2026-11-28',
  time: '10:30',
  durationMinutes: 30,
  isConfirmed: true,
  sequence: 2,
  ...over,
});
const linesOf = (over: Partial<CalendarEntry> = {}) =>
  toCalendarFile(entry(over), NOW).replaceAll('\r\n ', '').split('\r\n');
const fieldOf = (name: string, over: Partial<CalendarEntry> = {}) =>
  linesOf(over)
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1);
const plainText = (text = '') =>
  text.replace(/\\(.)/gs, (_, letter: string) => (letter === 'n' ? '\n' : letter));

it('is one entry in floating local time', () => {
  expect(toCalendarFile(entry(), NOW)).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Farmgate//Orders//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'BEGIN:VEVENT',
      'UID:abcdef01@farmgate',
      'DTSTAMP:20261122T090807Z',
      'DTSTART:20261128T103000',
      'DTEND:20261128T110000',
      'SEQUENCE:2',
      'STATUS:CONFIRMED',
      'SUMMARY:Pick up at Green Valley Farm',
      'LOCATION:The red gate',
      'DESCRIPTION:Kale',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  );
});

it('is at its instant where that is known', () => {
  const startsAt = '2026-11-28T05:00:00.000Z';
  expect(fieldOf('DTSTART', { startsAt })).toBe('20261128T050000Z');
  expect(fieldOf('DTEND', { startsAt, durationMinutes: 90 })).toBe('20261128T063000Z');
});

describe('the time', () => {
  it.each([
    ['2026-12-31', '23:45', '20261231T234500', '20270101T001500'],
    ['2028-02-28', '23:59', '20280228T235900', '20280229T002900'],
    // The nights in which clocks change in the United States: a floating time knows no gap.
    ['2026-03-08', '02:30', '20260308T023000', '20260308T030000'],
    ['2026-11-01', '01:30', '20261101T013000', '20261101T020000'],
  ])('of %s %s is %s to %s', (date, time, start, end) => {
    expect(fieldOf('DTSTART', { date, time })).toBe(start);
    expect(fieldOf('DTEND', { date, time })).toBe(end);
  });

  it('must be one', () => {
    expect(() => toCalendarFile(entry({ time: 'soon' }), NOW)).toThrow(RangeError);
  });
});

describe('texts', () => {
  it('are escaped', () => {
    const title = 'A; b, c\\d\ne\r\nf\rg: "h"';
    expect(fieldOf('SUMMARY', { title })).toBe('A\\; b\\, c\\\\d\\ne\\nf\\ng: "h"');
  });

  it('cannot add lines of their own', () => {
    const description = 'x\r\nEND:VEVENT\r\nBEGIN:VALARM\u0000\u0085';
    expect(linesOf({ description }).filter((line) => line.startsWith('END:'))).toHaveLength(2);
    expect(linesOf({ description }).some((line) => line.startsWith('BEGIN:VALARM'))).toBe(false);
  });

  it('are whole after folding, in lines of at most 75 octets that are valid UTF-8', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc
        .array(fc.constantFrom('é', '₨', '🍐', 'a', ',', ';', '\\', '\n', ' '), { maxLength: 200 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, texts, (title, location) => {
        const file = toCalendarFile(entry({ title, location }), NOW);
        const physical = file.split('\r\n');
        for (const line of physical) {
          expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
          expect(line).not.toMatch(/\p{Cc}/u);
        }
        const plain = (text: string) =>
          text.replace(/\r\n|\r/g, '\n').replace(/[\p{Cc}]/gu, (c) => (c === '\n' ? c : ''));
        expect(plainText(fieldOf('SUMMARY', { title, location }))).toBe(plain(title));
        expect(plainText(fieldOf('LOCATION', { title, location }))).toBe(plain(location));
      }),
      { numRuns: 300 },
    );
  });

  it('are marked as not certain yet', () => {
    expect(fieldOf('STATUS', { isConfirmed: false })).toBe('TENTATIVE');
  });
});
