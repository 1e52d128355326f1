import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { weekdayOf } from '#contract/farm/schedule/constants';
import { addDays } from '#contract/platform/time/constants';
import { minutesOf } from '#contract/platform/time/constants/clock';
import { type Agreed, type HandoverTerms, ordersMet } from './decide-closing.ts';

const MONDAY = '2026-11-30';
const HALL = 'hall';
const KALE = 'kale';

const everyDay = (open: string, close: string) => [{ days: [...WEEKDAYS], open, close }];
const terms = (
  { openings = [], closedDays = [] }: Partial<HandoverTerms['rules']> = {},
  over: Partial<HandoverTerms> = {},
): HandoverTerms => ({
  rules: { openings, closedDays, cutoff: null },
  acceptsPickup: true,
  acceptsDelivery: true,
  places: new Map(),
  lastDays: new Map(),
  ...over,
});
const order = (over: Partial<Agreed> = {}): Agreed => ({
  date: MONDAY,
  time: '10:00',
  endTime: null,
  isPickup: true,
  placeId: null,
  hasSlot: false,
  products: [],
  ...over,
});
const isMet = (before: HandoverTerms, after: HandoverTerms, one: Agreed) =>
  ordersMet(before, after, [one]).length === 1;

it('meets the orders of a day that is closed, and of no other', () => {
  const closed = terms({ closedDays: [MONDAY] });
  expect(isMet(terms(), closed, order())).toBe(true);
  expect(isMet(terms(), closed, order({ isPickup: false }))).toBe(true);
  expect(isMet(terms(), closed, order({ date: addDays(MONDAY, 1) }))).toBe(false);
  // Known already, and opened again.
  expect(isMet(closed, closed, order())).toBe(false);
  expect(isMet(closed, terms(), order())).toBe(false);
});

it('meets what comes after midnight where the evening before is closed', () => {
  const rules = { openings: everyDay('18:00', '02:00') };
  const closed = terms({ ...rules, closedDays: [MONDAY] });
  const night = order({ date: addDays(MONDAY, 1), time: '01:30' });
  expect(isMet(terms(rules), closed, night)).toBe(true);
  expect(isMet(terms(rules), closed, { ...night, time: '18:30' })).toBe(false);
});

it('meets orders outside of new hours, and none by wider ones', () => {
  const [long, short] = [everyDay('08:00', '18:00'), everyDay('12:00', '18:00')];
  expect(isMet(terms({ openings: long }), terms({ openings: short }), order())).toBe(true);
  expect(isMet(terms({ openings: short }), terms({ openings: long }), order())).toBe(false);
  expect(isMet(terms(), terms({ openings: short }), order())).toBe(true);
  // Agreed out of hours before: only the closed day is new.
  expect(isMet(terms({ openings: short }), terms({ openings: short }), order())).toBe(false);
  const both = terms({ openings: short, closedDays: [MONDAY] });
  expect(isMet(terms({ openings: short }), both, order())).toBe(true);
});

it('meets the orders of a way that is switched off', () => {
  const off = terms({}, { acceptsDelivery: false });
  expect(isMet(terms(), off, order({ isPickup: false }))).toBe(true);
  expect(isMet(terms(), off, order())).toBe(false);
});

it("meets a slot by its place's hours, not by those of the farm", () => {
  const slot = order({ hasSlot: true, placeId: HALL, endTime: '11:00' });
  const at = (from: string, to: string) =>
    terms(
      { openings: everyDay('20:00', '21:00') },
      { places: new Map([[HALL, [{ weekday: 0, from, to }]]]) },
    );
  expect(isMet(at('10:00', '12:00'), at('08:00', '11:00'), slot)).toBe(false);
  expect(isMet(at('10:00', '12:00'), at('10:00', '10:45'), slot)).toBe(true);
  expect(isMet(at('10:00', '12:00'), at('10:30', '12:00'), slot)).toBe(true);
  // The place is not offered any more.
  expect(isMet(at('10:00', '12:00'), terms(), slot)).toBe(true);
  const lastSlot = { ...slot, time: '23:00', endTime: '24:00' };
  expect(isMet(at('10:00', '24:00'), at('10:00', '24:00'), lastSlot)).toBe(false);
});

it('meets goods whose last day comes before', () => {
  const until = (day: string) => terms({}, { lastDays: new Map([[KALE, day]]) });
  const kale = order({ products: ['leek', KALE] });
  expect(isMet(terms(), until(addDays(MONDAY, -1)), kale)).toBe(true);
  expect(isMet(terms(), until(MONDAY), kale)).toBe(false);
  expect(isMet(until(addDays(MONDAY, -1)), until(addDays(MONDAY, -2)), kale)).toBe(false);
  expect(isMet(terms(), until(addDays(MONDAY, -1)), order())).toBe(false);
});

// The oracle counts minutes, day by day.
const DAY = 24 * 60;
const minutesIn = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Returns the minutes of a day at which a farm with these hours is open, were the day not closed. */
function openMinutes({ openings, closedDays }: HandoverTerms['rules'], date: string): Set<number> {
  if (openings.length === 0) return new Set(minutesIn(0, DAY - 1));
  const minutes = new Set<number>();
  const of = (day: string) => openings.find(({ days }) => days.includes(weekdayOf(day)));
  const today = of(date);
  if (today) {
    const [open, close] = [minutesOf(today.open), minutesOf(today.close)];
    if (open === close) for (const each of minutesIn(0, DAY - 1)) minutes.add(each);
    else for (const each of minutesIn(open, close < open ? DAY - 1 : close)) minutes.add(each);
  }
  const dayBefore = addDays(date, -1);
  const yesterday = of(dayBefore);
  if (yesterday && yesterday.close < yesterday.open && !closedDays.includes(dayBefore)) {
    for (const each of minutesIn(0, minutesOf(yesterday.close))) minutes.add(each);
  }
  return minutes;
}

/** Returns each thing that an order needs, and whether it is there. */
function needsOf(each: Agreed, { rules, lastDays, ...farm }: HandoverTerms): boolean[] {
  const weekday = (new Date(`${each.date}T00:00Z`).getUTCDay() + 6) % 7;
  const inPlace = (farm.places.get(each.placeId ?? '') ?? [])
    .filter((range) => range.weekday === weekday)
    .some((range) => {
      const open = new Set(minutesIn(minutesOf(range.from), minutesOf(range.to)));
      return minutesIn(minutesOf(each.time), minutesOf(each.endTime ?? each.time)).every((minute) =>
        open.has(minute),
      );
    });
  return [
    !rules.closedDays.includes(each.date),
    each.isPickup ? farm.acceptsPickup : farm.acceptsDelivery,
    each.hasSlot ? inPlace : openMinutes(rules, each.date).has(minutesOf(each.time)),
    ...each.products.map((id) => (lastDays.get(id) ?? '9999-12-31') >= each.date),
  ];
}

const someDay = fc.integer({ min: -1, max: 8 }).map((days) => addDays(MONDAY, days));
const someTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '01', '30'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
const someTerms = fc.record({
  rules: fc.record({
    // Each day of the week is in one of them at most.
    openings: fc
      .array(fc.tuple(fc.constantFrom(...WEEKDAYS), someTime, someTime), { maxLength: 7 })
      .map((all) =>
        all
          .filter(([day], index) => all.findIndex(([other]) => other === day) === index)
          .map(([day, open, close]) => ({ days: [day], open, close })),
      ),
    closedDays: fc.array(someDay, { maxLength: 3 }),
    cutoff: fc.constant(null),
  }),
  acceptsPickup: fc.boolean(),
  acceptsDelivery: fc.boolean(),
  places: fc
    .array(fc.tuple(fc.integer({ min: 0, max: 6 }), someTime, someTime), { maxLength: 4 })
    .map((all) => {
      const ranges = all
        .filter(([, from, to]) => from < to)
        .map(([weekday, from, to]) => ({ weekday, from, to }));
      return new Map([[HALL, ranges]]);
    }),
  lastDays: fc
    .dictionary(fc.constantFrom(KALE, 'leek'), someDay)
    .map((days) => new Map(Object.entries(days))),
});
const someOrder: fc.Arbitrary<Agreed> = fc
  .record({
    date: someDay,
    times: fc.tuple(someTime, someTime).map((pair) => pair.sort()),
    isPickup: fc.boolean(),
    hasSlot: fc.boolean(),
    products: fc.uniqueArray(fc.constantFrom(KALE, 'leek')),
  })
  .map(({ times: [time = '', end = ''], ...each }) => {
    const hasSlot = each.hasSlot && each.isPickup;
    return {
      ...each,
      hasSlot,
      time,
      endTime: hasSlot ? end : null,
      placeId: hasSlot ? HALL : null,
    };
  });

test('agrees with an oracle that counts minutes', () => {
  const tally = { met: 0, other: 0 };
  fc.assert(
    fc.property(someTerms, someTerms, fc.array(someOrder, { maxLength: 8 }), (one, other, all) => {
      const expected = all.filter((each) => {
        const now = needsOf(each, other);
        return needsOf(each, one).some((was, index) => was && !now[index]);
      });
      tally.met += expected.length;
      tally.other += all.length - expected.length;
      expect(ordersMet(one, other, all)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
  expect(Math.min(tally.met, tally.other)).toBeGreaterThan(100);
});
