import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { isBrought } from '#contract/farm/schedule/constants';
import { addDays, wallClockIn } from '#contract/platform/time/constants';
import { timeAt } from '#contract/platform/time/constants/clock';
import { dayRulesOf, presentHandoff } from '../../farm/farmers/present.ts';
import { pickupOpenings } from '../../farm/places/present.ts';
import { slotsOf } from '../../farm/slots/policy.ts';
import { decide, FARM, farm, id, order, product } from '../testing/placing.ts';
import type { FarmState, PlacingState } from './decide-place.ts';

// What cards, pages and the cart say of goods is what placing an order refuses.

const TODAY = '2026-11-22';
const DAYS_AHEAD = 5;

const quarter = fc.nat(95).map((each) => timeAt(each * 15));
const chance = (weight: number) => fc.nat(99).map((drawn) => drawn < weight);
const hoursOfDay = fc.option(fc.record({ open: quarter, close: quarter }), { nil: undefined });
const days = fc.nat(DAYS_AHEAD + 1).map((ahead) => addDays(TODAY, ahead - 1));

const farms = fc.record({
  acceptsPickup: chance(80),
  acceptsDelivery: chance(50),
  businessHours: fc
    .tuple(chance(25), fc.tuple(...WEEKDAYS.map(() => hoursOfDay)))
    .map(([hasNone, week]) =>
      hasNone ? {} : Object.fromEntries(WEEKDAYS.map((day, index) => [day, week[index]])),
    ),
  cutoff: fc.option(fc.tuple(fc.nat(3), quarter)),
  closedDays: fc.uniqueArray(days, { maxLength: 5 }),
  bookableDays: fc.integer({ min: 1, max: DAYS_AHEAD }),
  // Each hour of a place is one slot.
  placeHours: fc.option(
    fc.array(fc.tuple(fc.nat(6), fc.nat(22), fc.integer({ min: 1, max: 24 })), { maxLength: 4 }),
    { nil: [] },
  ),
});
const moments = fc.tuple(fc.nat(24 * 60 - 1), fc.nat(59_999)).map(([minute, ms]) => ({
  now: new Date(Date.parse(`${TODAY}T${timeAt(minute)}:00Z`) + ms),
}));
const lastDays = fc.option(fc.nat(DAYS_AHEAD).map((ahead) => addDays(TODAY, ahead)));

type Drawn = typeof farms extends fc.Arbitrary<infer Value> ? Value : never;

const stateOf = ({ cutoff, placeHours, ...over }: Drawn): FarmState =>
  farm({
    ...over,
    cutoffDaysBefore: cutoff?.[0] ?? null,
    cutoffTime: cutoff?.[1] ?? null,
    hasSlots: placeHours.length > 0,
  });

const hoursOf = ({ placeHours }: Drawn) =>
  placeHours
    .filter(([, from, to]) => from < to)
    .map(([weekday, from, to]) => ({
      weekday,
      from: timeAt(from * 60),
      to: timeAt(to * 60),
      slotMinutes: (to - from) * 60,
      capacity: null,
    }));

const { pickupDetails: _, ...ONE_PRODUCT } = order({ items: [{ product: id(1), quantity: 1 }] });

/** Whether an order of one product for some moment of the next days is placed. */
function isPlaced(drawn: Drawn, now: Date, availableUntil: string | null): boolean {
  const state = stateOf(drawn);
  const only = [product(1, { availableUntil })];
  const isTaken = (over: Partial<PlacingState>, way: object) =>
    'plan' in decide({ now, farm: state, products: only, ...over }, { ...ONE_PRODUCT, ...way });
  const closes = WEEKDAYS.flatMap((day) => {
    const hours = (state.businessHours as Record<string, { close: string } | undefined>)[day];
    return hours ? [hours.close] : [];
  });
  const times = new Set([
    ...Array.from({ length: 6 }, (_, part) => timeAt(part * 4 * 60)),
    ...closes,
    '23:59',
  ]);
  const address = { street: '1', city: '2', state: '3', zipCode: '4' };
  for (let ahead = -1; ahead <= DAYS_AHEAD + 1; ahead++) {
    const date = addDays(TODAY, ahead);
    for (const time of times) {
      if (isTaken({}, { pickupDetails: { date, time, location: 'Gate' } })) return true;
      if (isTaken({}, { deliveryDetails: { date, time, address } })) return true;
    }
  }
  return slotsOf(hoursOf(drawn), { first: TODAY, days: DAYS_AHEAD + 2 }, 'UTC').some((slot) =>
    isTaken(
      {
        slot: {
          id: id(7),
          farmId: FARM,
          date: slot.date,
          from: slot.from,
          to: slot.to,
          startsAt: slot.startsAt.toISOString(),
          endsAt: slot.endsAt.toISOString(),
          capacity: null,
          taken: 0,
          state: 'open',
          place: {
            id: id(8),
            name: 'Gate',
            street: '',
            city: '',
            state: '',
            zipCode: '',
            directions: '',
            phone: '',
            isActive: true,
          },
        } as unknown as PlacingState['slot'],
      },
      { pickupDetails: { slotId: id(7) } },
    ),
  );
}

/** What a card knows of the farm. */
function isOnCard(drawn: Drawn, now: Date, lastDay: string | null): boolean {
  const state = stateOf(drawn);
  const handoff = presentHandoff({
    ...state,
    deliveryRadius: null,
    pickupOpenings: pickupOpenings(hoursOf(drawn)),
    pickupPlaces: [],
    pauseNote: null,
  });
  const { cutoff, closedDays } = dayRulesOf(state);
  return isBrought({ ...handoff, cutoff, closedDays }, lastDay, wallClockIn('UTC', now));
}

test('goods that are not offered are those that no order for any moment brings', () => {
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(farms, moments, lastDays, (drawn, { now }, lastDay) => {
      const own = { ...drawn, placeHours: [] };
      const isOffered = isOnCard(own, now, lastDay);
      seen.add(isOffered);
      expect(isOffered).toBe(isPlaced(own, now, lastDay));
    }),
    { numRuns: 100 },
  );
  expect([...seen].sort()).toEqual([false, true]);
});

test('goods that are not offered fit no slot either', () => {
  fc.assert(
    fc.property(farms, moments, lastDays, (drawn, { now }, lastDay) => {
      if (hoursOf(drawn).length === 0) return;
      if (isPlaced(drawn, now, lastDay)) expect(isOnCard(drawn, now, lastDay)).toBe(true);
    }),
    { numRuns: 100 },
  );
});
