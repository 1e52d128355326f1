import { afterEach, describe, expect, it } from 'vitest';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import type { BusinessHours } from '#contract/farm/farmers/farmers';
import { setReader } from '#contract/platform/text/constants/reader';
import { loadCatalogue } from '../../platform/format/catalogues.ts';
import { formatTasks, greeting, hoursOn } from './rules.ts';

const closed = { open: '', close: '' };
const hours = (open: Partial<BusinessHours>): BusinessHours => ({
  ...(Object.fromEntries(WEEKDAYS.map((day) => [day, closed])) as BusinessHours),
  ...open,
});
const morning = { open: '08:00', close: '12:00' };
const wholeDay = { open: '08:00', close: '18:00' };

describe('the hours of a day', () => {
  // A Sunday.
  const SUNDAY = '2026-11-29';

  it.each<[string, Partial<BusinessHours>, string, string | undefined]>([
    ['an open day', { sunday: morning }, SUNDAY, 'Open 8 AM–12 PM on Sunday.'],
    [
      'a closed day before an open one',
      { monday: wholeDay, saturday: morning },
      SUNDAY,
      'Closed on Sundays. Next: Mon 8 AM–6 PM.',
    ],
    [
      'a closed day with days between',
      { thursday: morning, saturday: wholeDay },
      SUNDAY,
      'Closed on Sundays. Next: Thu 8 AM–12 PM.',
    ],
    [
      'the day after the only open one',
      { sunday: { open: '15:00', close: '18:00' } },
      '2026-11-30',
      'Closed on Mondays. Next: Sun 3–6 PM.',
    ],
    ['a day that is only half given', { sunday: { open: '08:00', close: '' } }, SUNDAY, undefined],
    ['a farm without hours', {}, SUNDAY, undefined],
    [
      'a day with several',
      { sunday: { ...morning, more: [{ open: '15:00', close: '18:00' }] } },
      SUNDAY,
      'Open 8 AM–12 PM and 3–6 PM on Sunday.',
    ],
    [
      'a closed day before one with several',
      { monday: { ...morning, more: [{ open: '15:00', close: '18:00' }] } },
      SUNDAY,
      'Closed on Sundays. Next: Mon 8 AM–12 PM and 3–6 PM.',
    ],
    ['no day', { sunday: morning }, '', undefined],
    // The first day of a year, and the night on which clocks change.
    ['a new year', { friday: morning }, '2027-01-01', 'Open 8 AM–12 PM on Friday.'],
    ['the night of a change', { sunday: morning }, '2026-03-08', 'Open 8 AM–12 PM on Sunday.'],
  ])('of %s', (_, open, date, words) => {
    expect(hoursOn(hours(open), date)).toBe(words);
  });
});

it.each([
  [0, 'Good evening'],
  [4, 'Good evening'],
  [5, 'Good morning'],
  [11, 'Good morning'],
  [12, 'Good afternoon'],
  [17, 'Good afternoon'],
  [18, 'Good evening'],
  [23, 'Good evening'],
])('greets at %d o’clock with %s', (hour, words) => {
  expect(greeting(hour, 'Ada')).toBe(`${words}, Ada.`);
});

it.each([
  [0, 0, "You're all caught up."],
  [1, 0, '1 order to answer.'],
  [44, 12, '44 orders to answer, 12 to pack.'],
  [0, 1, '1 order to pack.'],
  [1200, 1000, '1,200 orders to answer, 1,000 to pack.'],
])('says that %d orders are to be answered and %d to be packed', (pending, accepted, words) => {
  expect(formatTasks({ pending, accepted })).toBe(words);
});

describe('in German', () => {
  afterEach(() => setReader(() => undefined));

  it('says the hours and the tasks in its own order of words', async () => {
    const { reader, whenWhole } = await loadCatalogue('de');
    await whenWhole;
    setReader(() => reader);
    expect(hoursOn(hours({ monday: wholeDay }), '2026-11-29')).toBe(
      'Am Sonntag geschlossen. Nächste Öffnung: Mo 08:00–18:00.',
    );
    expect(formatTasks({ pending: 1, accepted: 1200 })).toBe(
      '1 Bestellung zu beantworten, 1.200 zu packen.',
    );
  });
});
