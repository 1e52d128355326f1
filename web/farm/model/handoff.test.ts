import { afterEach, describe, expect, it } from 'vitest';
import type { Weekday } from '#contract/farm/farmers/constants';
import type { Handoff } from '#contract/farm/farmers/farmers';
import { setReader } from '#contract/platform/text/constants/reader';
import { loadCatalogue } from '../../platform/format/catalogues.ts';
import {
  formatDays,
  formatHours,
  handoffAtAGlance,
  handoffSentence,
  nextHandoff,
  nextHandoffSentence,
  weekdayName,
} from './handoff.ts';
import { pickupSentence, pickupTown } from './places.ts';

const handoff = (over: Partial<Handoff> = {}): Handoff => ({
  pickup: true,
  delivery: true,
  deliveryRadius: 25,
  openings: [{ days: ['saturday'], open: '08:00', close: '14:00' }],
  ...over,
});
const weekdays: Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

it.each<[Weekday[], string]>([
  [[], ''],
  [['saturday'], 'Sat'],
  [['saturday', 'tuesday'], 'Tue, Sat'],
  [['monday', 'tuesday'], 'Mon, Tue'],
  [weekdays, 'Mon–Fri'],
  [[...weekdays, 'sunday'], 'Mon–Fri, Sun'],
  [['friday', 'saturday', 'sunday'], 'Fri–Sun'],
  [[...weekdays, 'saturday', 'sunday'], 'every day'],
])('names the days %j', (days, words) => {
  expect(formatDays(days)).toBe(words);
});

it.each([
  ['08:00', '14:00', '8 AM–2 PM'],
  ['15:00', '18:00', '3–6 PM'],
  ['08:30', '11:45', '8:30–11:45 AM'],
  ['00:00', '12:00', '12 AM–12 PM'],
  ['12:00', '00:00', '12 PM to midnight'],
  ['18:00', '14:00', '6 PM–2 PM'],
  ['22:00', '02:00', '10 PM–2 AM'],
  ['07:00', '07:00', 'all day'],
])('formats %s to %s', (open, close, words) => {
  expect(formatHours({ open, close })).toBe(words);
});

describe('the sentences', () => {
  it('say when, where and how', () => {
    expect(pickupSentence(handoff(), 'Putney, VT')).toBe('Pickup Sat 8 AM–2 PM in Putney, VT');
    expect(handoffSentence(handoff())).toBe('Pickup Sat 8 AM–2 PM · Delivery up to 40 km');
  });

  it.each<[Partial<Handoff>, string]>([
    [{ delivery: false }, 'Pickup Sat 8 AM–2 PM'],
    [{ pickup: false }, 'Delivery up to 40 km'],
    [{ pickup: false, deliveryRadius: 1 }, 'Delivery up to 2 km'],
    [{ pickup: false, deliveryRadius: null }, 'Delivery'],
    [{ pickup: false, deliveryRadius: 0 }, 'Delivery'],
    [{ delivery: false, openings: [] }, 'Pickup'],
    [{ pickup: false, delivery: false }, 'No pickup or delivery at the moment'],
  ])('say what is offered: %j', (over, words) => {
    expect(handoffSentence(handoff(over))).toBe(words);
  });

  it('name the hours of two kinds of days, and only the days of more', () => {
    const two: Handoff['openings'] = [
      { days: ['tuesday', 'thursday'], open: '15:00', close: '18:00' },
      { days: ['saturday'], open: '08:00', close: '14:00' },
    ];
    expect(pickupSentence(handoff({ openings: two }), 'Putney, VT')).toBe(
      'Pickup Tue, Thu 3–6 PM and Sat 8 AM–2 PM in Putney, VT',
    );
    const three = [...two, { days: ['wednesday' as const], open: '09:00', close: '10:00' }];
    expect(pickupSentence(handoff({ openings: three }))).toBe('Pickup Tue–Thu, Sat');
  });
});

describe('nextHandoff', () => {
  // A Wednesday.
  const at = (hour: number, minute = 0) => new Date(2026, 10, 25, hour, minute);
  const openings: Handoff['openings'] = [
    { days: ['wednesday'], open: '08:00', close: '14:00' },
    { days: ['saturday'], open: '09:00', close: '12:00' },
  ];

  it.each([
    [at(0), '2026-11-25'],
    [at(13, 59), '2026-11-25'],
    [at(14), '2026-11-28'],
    [at(23, 59), '2026-11-28'],
  ])('of %s is on %s', (now, date) => {
    expect(nextHandoff(handoff({ openings }), now)?.date).toBe(date);
  });

  it('is in a week when the only day is over', () => {
    const only = openings.slice(0, 1);
    expect(nextHandoff(handoff({ openings: only }), at(20))).toMatchObject({
      date: '2026-12-02',
      open: '08:00',
      close: '14:00',
    });
  });

  it('lasts past midnight where the hours do', () => {
    const late: Handoff['openings'] = [{ days: ['wednesday'], open: '18:00', close: '02:00' }];
    expect(nextHandoff(handoff({ openings: late }), at(23))?.date).toBe('2026-11-25');
  });

  it.each([
    // It is 14:30 on Wednesday in Kiritimati, 13:30 on Tuesday in Pago Pago.
    ['Pacific/Kiritimati', '2026-11-28'],
    ['Pacific/Pago_Pago', '2026-11-25'],
  ])("goes by the farm's clock in %s", (timeZone, date) => {
    const now = new Date('2026-11-25T00:30:00Z');
    expect(nextHandoff(handoff({ openings, timeZone }), now)?.date).toBe(date);
  });

  it.each([
    [at(7), '2026-11-25', '08:00', '10:00'],
    [at(9, 59), '2026-11-25', '08:00', '10:00'],
    [at(10), '2026-11-25', '14:00', '16:00'],
    [at(16), '2026-11-28', '14:00', '16:00'],
  ])('of %s is on %s from %s to %s, where a day has several hours', (now, date, open, close) => {
    const several: Handoff['openings'] = [
      { days: ['wednesday', 'saturday'], open: '14:00', close: '16:00' },
      { days: ['wednesday'], open: '08:00', close: '10:00' },
    ];
    expect(nextHandoff(handoff({ openings: several }), now)).toMatchObject({ date, open, close });
  });

  it('is unknown where no hours are listed', () => {
    expect(nextHandoff(handoff({ openings: [] }), at(8))).toBeUndefined();
  });
});

describe('what a card says of the next day', () => {
  // Thursday, 9:00 in Berlin.
  const now = new Date('2026-11-26T08:00:00Z');
  const openings: Handoff['openings'] = [{ days: ['saturday'], open: '08:00', close: '14:00' }];
  const berlin = (over: Partial<Handoff>) =>
    handoff({ openings, timeZone: 'Europe/Berlin', ...over });

  const NOTHING = { pickup: false, delivery: false };
  it.each<[string, Partial<Handoff>, string]>([
    ['its hours', { cutoff: { daysBefore: 1, time: '18:00' } }, 'Next pickup Sat 8 AM–2 PM'],
    ['no closed day', { closedDays: ['2026-11-28'] }, 'Next pickup Sat, Dec 5 8 AM–2 PM'],
    ['nothing where nothing is offered', NOTHING, 'No pickup or delivery at the moment'],
  ])('has, on a small card, %s', (_, over, brief) => {
    expect(handoffAtAGlance(berlin(over), now).brief).toBe(brief);
  });

  it.each<[string, Partial<Handoff>, string | undefined]>([
    ['its hours', {}, 'Next pickup Sat 8 AM–2 PM'],
    [
      'its cut-off',
      { cutoff: { daysBefore: 1, time: '18:00' } },
      'Next pickup Sat 8 AM–2 PM, order until 6 PM tomorrow',
    ],
    [
      'a cut-off of today',
      { cutoff: { daysBefore: 2, time: '09:30' } },
      'Next pickup Sat 8 AM–2 PM, order until 9:30 AM today',
    ],
    [
      'the week after where its cut-off has passed',
      { cutoff: { daysBefore: 2, time: '09:00' } },
      'Next pickup Sat, Dec 5 8 AM–2 PM, order until Thu, Dec 3 9 AM',
    ],
    ['no closed day', { closedDays: ['2026-11-28'] }, 'Next pickup Sat, Dec 5 8 AM–2 PM'],
    ['deliveries', { pickup: false }, 'Next delivery Sat 8 AM–2 PM'],
    [
      'a cut-off without hours',
      { openings: [], cutoff: { daysBefore: 1, time: '08:00' } },
      'Next pickup Sat, order until 8 AM tomorrow',
    ],
    ['nothing without hours and cut-off', { openings: [] }, undefined],
    ['nothing where nothing is offered', { pickup: false, delivery: false }, undefined],
  ])('has %s', (_, over, sentence) => {
    expect(nextHandoffSentence(berlin(over), now)).toBe(sentence);
  });
});

describe('a farm with pickup places', () => {
  // Thursday, 9:00 in Islamabad.
  const now = new Date('2026-11-26T04:00:00Z');
  const spot = (town: string, day: Weekday, open: string, close: string) => ({
    town,
    openings: [{ days: [day], open, close }],
  });
  const places = [
    spot('Haripur', 'saturday', '09:00', '13:00'),
    spot('Islamabad', 'thursday', '16:00', '18:00'),
    spot('Havelian', 'friday', '07:00', '15:00'),
  ];
  const openings = places.flatMap((place) => place.openings);
  const farm = (over: Partial<Handoff> = {}) =>
    handoff({ places, openings, timeZone: 'Asia/Karachi', delivery: false, ...over });

  it.each<[string, Partial<Handoff>, number, string, string]>([
    ['the first', {}, 0, 'Islamabad', '3 places, next: Islamabad, 4 PM today'],
    ['while it is open', {}, 8, 'Islamabad', '3 places, next: Islamabad, today 4–6 PM'],
    ['once it has closed', {}, 10, 'Havelian', '3 places, next: Havelian, 7 AM tomorrow'],
    [
      'not on a closed day',
      { closedDays: ['2026-11-26', '2026-11-27'] },
      0,
      'Haripur',
      '3 places, next: Haripur, Sat 9 AM',
    ],
    [
      'not after its cut-off',
      { cutoff: { daysBefore: 1, time: '12:00' } },
      0,
      'Havelian',
      '3 places, next: Havelian, 7 AM tomorrow',
    ],
  ])('says where the next pickup is, %s', (_, over, hours, town, brief) => {
    const at = now.getTime() + hours * 3_600_000;
    expect(handoffAtAGlance(farm(over), at)).toMatchObject({ town, brief });
  });

  it('adds until when to order where there is room', () => {
    const cutoff = { daysBefore: 1, time: '12:00' };
    expect(nextHandoffSentence(farm({ cutoff }), now)).toBe(
      '3 places, next: Havelian, 7 AM tomorrow, order until 12 PM today',
    );
  });

  it('names the one place by its town, not by that of the farm', () => {
    const one = farm({ places: places.slice(1, 2), openings: openings.slice(1, 2) });
    expect(handoffAtAGlance(one, now)).toEqual({
      when: '4 PM today',
      brief: 'Next pickup today 4–6 PM',
      town: 'Islamabad',
    });
    // However long it is closed.
    const closed = { ...one, openings: [], places: [{ town: 'Islamabad', openings: [] }] };
    expect(handoffAtAGlance(closed, now)).toEqual({
      when: 'Pickup',
      brief: 'Pickup',
      town: 'Islamabad',
    });
    expect(pickupTown(one, 'Putney, VT')).toBe('Islamabad');
    expect(pickupTown(farm(), 'Putney, VT')).toBe('');
    expect(pickupTown(handoff(), 'Putney, VT')).toBe('Putney, VT');
  });
});

describe('in other languages', () => {
  const read = async (language: string) => {
    const { reader, whenWhole } = await loadCatalogue(language);
    await whenWhole;
    setReader(() => reader);
  };
  afterEach(() => setReader(() => undefined));

  // Saturday, 2:00 at the farm, while it is Friday where the reader is.
  const now = new Date('2026-11-27T12:00:00Z');
  const far = handoff({
    timeZone: 'Pacific/Kiritimati',
    cutoff: { daysBefore: 0, time: '07:30' },
  });

  it('today is the day of the farm', async () => {
    expect(nextHandoffSentence(far, now)).toBe(
      'Next pickup today 8 AM–2 PM, order until 7:30 AM today',
    );
    await read('de');
    expect(nextHandoffSentence(far, now)).toBe(
      'Nächste Abholung heute 08:00–14:00, bestellbar bis heute, 07:30',
    );
    expect(handoffAtAGlance(far, new Date('2026-11-26T12:00:00Z')).brief).toBe(
      'Nächste Abholung morgen 08:00–14:00',
    );
  });

  it('times stay together in a sentence that is read from the right', async () => {
    await read('ur');
    const sentences = [nextHandoffSentence(far, now), pickupSentence(handoff(), 'Putney, VT')];
    expect(sentences.map((each) => each?.replace(/[\u2066-\u2069]/g, ''))).toEqual([
      'اگلی خود وصولی آج 8 AM–2 PM، آج 7:30 AM تک آرڈر کریں',
      'Putney, VT میں خود وصولی ہفتہ 8 AM–2 PM',
    ]);
    for (const each of sentences) expect(each).toMatch(/[\u2066\u2068]8 AM–2 PM\u2069/);
  });

  it('weekdays are named by the language', async () => {
    await read('de');
    expect([weekdayName('thursday'), formatDays(['tuesday', 'thursday'])]).toEqual([
      'Donnerstag',
      'Di, Do',
    ]);
    await read('ur');
    expect(formatDays(weekdays)).toBe('پیر–جمعہ');
    expect(formatDays(['monday', 'wednesday', 'friday'])).toBe('پیر، بدھ، اور جمعہ');
  });
});
