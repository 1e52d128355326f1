import { afterEach, describe, expect, it } from 'vitest';
import type { Handoff } from '#contract/farm/farmers/farmers';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { nearbyOf, nearestFirst, nextTimes } from './places.ts';

afterEach(() => setMarket(DEFAULT_MARKET));

// Thursday, 9:00 in Islamabad.
const NOW = new Date('2026-11-26T04:00:00Z');
const openings: Handoff['openings'] = [
  { days: ['thursday', 'saturday'], open: '16:00', close: '18:00' },
];
const handoff = (over: Partial<Handoff> = {}): Handoff => ({
  pickup: true,
  delivery: false,
  deliveryRadius: null,
  openings,
  timeZone: 'Asia/Karachi',
  ...over,
});
const HERE = { latitude: 33.7, longitude: 73.1 };
/** So many degrees north of the reader, each of 69 miles. */
const north = (degrees: number) => ({ latitude: 33.7 + degrees, longitude: 73.1 });
const spot = (degrees: number | null, day: 'friday' | 'sunday') => ({
  town: 'Islamabad',
  openings: [{ days: [day], open: '08:00', close: '10:00' }],
  ...(degrees !== null && { position: north(degrees) }),
});

describe('the next times of a place', () => {
  it('are the next days, by the farm’s clock', () => {
    expect(nextTimes(handoff(), NOW)).toEqual(['today 4–6 PM', 'Sat 4–6 PM', 'Thu, Dec 3 4–6 PM']);
  });

  it('leave out closed days and those after their cut-off', () => {
    const over = { cutoff: { daysBefore: 1, time: '12:00' }, closedDays: ['2026-11-28'] };
    expect(nextTimes(handoff(over), NOW, 1)).toEqual(['Thu, Dec 3 4–6 PM']);
    const closedDays = Array.from({ length: 36 }, (_, day) =>
      new Date(NOW.getTime() + day * 86_400_000).toISOString().slice(0, 10),
    );
    expect(nextTimes(handoff({ closedDays }), NOW)).toEqual([]);
  });
});

describe('how far a farm is', () => {
  it('is the way to its nearest pickup place, with the next pickup there', () => {
    const places = [spot(0.5, 'friday'), spot(0.1, 'sunday'), spot(null, 'friday')];
    expect(nearbyOf({ handoff: handoff({ places }), position: HERE }, HERE, NOW)).toMatchObject({
      words: '11 km · next pickup Sun',
    });
  });

  it('is the way to the farm where no place says where it is', () => {
    const places = [spot(null, 'friday')];
    expect(nearbyOf({ handoff: handoff({ places }), position: north(1) }, HERE, NOW)?.words).toBe(
      '111 km · next pickup tomorrow',
    );
    expect(nearbyOf({ position: north(1) }, HERE, NOW)?.words).toBe('111 km');
    const delivers = handoff({ pickup: false, delivery: true });
    expect(nearbyOf({ handoff: delivers, position: HERE }, HERE, NOW)?.words).toBe('1 km');
  });

  it('is in miles where the market has them', () => {
    setMarket({ ...DEFAULT_MARKET, unitSystem: 'us' });
    expect(nearbyOf({ position: north(0.1) }, HERE, NOW)?.words).toBe('7 miles');
    expect(nearbyOf({ position: HERE }, HERE, NOW)?.words).toBe('1 mile');
  });

  it('is not known without any position', () => {
    expect(nearbyOf({ handoff: handoff(), position: null }, HERE, NOW)).toBeUndefined();
  });
});

it('sorts farms by how far they are, and those that do not say it last, as they came', () => {
  const farms = [
    { _id: 'b' },
    { _id: 'far', position: north(2) },
    { _id: 'a', position: null },
    { _id: 'near', position: north(-1) },
    { _id: 'same', position: north(1) },
  ];
  expect(nearestFirst(farms, HERE).map(({ farm }) => farm._id)).toEqual([
    ...['near', 'same', 'far', 'b', 'a'],
  ]);
});
