import { afterEach, expect, it } from 'vitest';
import { DELIVERY_RADIUS_MAX_MILES, WEEKDAYS } from '#contract/farm/farmers/constants';
import { BusinessHours, type FarmProfile } from '#contract/farm/farmers/farmers';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import {
  formatDistance,
  toShownDistance,
} from '#contract/platform/quantities/constants/quantities';
import {
  FarmFields,
  longestRadius,
  toFarmFields,
  toFarmUpdate,
  toMiles,
} from './farm-profile-form.ts';

afterEach(() => setMarket(DEFAULT_MARKET));

const profile = {
  farmName: 'Hill Farm',
  deliveryRadius: 12.5,
  businessHours: BusinessHours.parse(Object.fromEntries(WEEKDAYS.map((day) => [day, {}]))),
} as unknown as FarmProfile;
/** What the form says of a radius. */
const problemOf = (radius: number | null) =>
  FarmFields.shape.deliveryRadius.safeParse(radius).error?.issues.map(({ message }) => message)[0];

it('any whole number of kilometres comes back as it was typed', () => {
  const longest = longestRadius();
  expect(longest).toBe(16_093);
  const changed: number[] = [];
  for (let km = 0; km <= longest; km++) {
    const sent = JSON.parse(JSON.stringify(toMiles(km)));
    if (toShownDistance(sent) !== km || sent > DELIVERY_RADIUS_MAX_MILES) changed.push(km);
  }
  expect(changed).toEqual([]);
});

it('is shown in the unit of the market', () => {
  expect([formatDistance(25), formatDistance(toMiles(25))]).toEqual(['40 km', '25 km']);
  // A way that is not nothing is not called so.
  expect([formatDistance(0.1), formatDistance(DELIVERY_RADIUS_MAX_MILES)]).toEqual([
    '1 km',
    '16,093 km',
  ]);
  setMarket({ ...DEFAULT_MARKET, unitSystem: 'us' });
  expect([1, 12.5, 25].map(formatDistance)).toEqual(['1 mile', '12.5 miles', '25 miles']);
  expect([toMiles(12.5), toShownDistance(12.5)]).toEqual([12.5, 12.5]);
});

it('is sent in miles, and only where it was changed', () => {
  const before = toFarmFields(profile);
  expect(before.deliveryRadius).toBe(20);
  expect(toFarmUpdate(before, before)).not.toHaveProperty('deliveryRadius');
  const sent = toFarmUpdate({ ...before, deliveryRadius: 25 }, before);
  expect(sent.deliveryRadius && toShownDistance(sent.deliveryRadius)).toBe(25);
  expect(toFarmUpdate({ ...before, deliveryRadius: null }, before).deliveryRadius).toBeNull();
  expect(toFarmUpdate({ ...before, deliveryRadius: 0 }, before).deliveryRadius).toBe(0);
});

it('is refused in the unit that is shown', () => {
  expect([20, 0, null, 16_093].map(problemOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(problemOf(12.5)).toBe('Enter whole kilometres, such as 25.');
  expect(problemOf(Number.NaN)).toBe('Enter whole kilometres, such as 25.');
  expect(problemOf(16_094)).toBe('The radius can be at most 16,093 km.');
  expect(problemOf(-1)).toBe("The radius can't be negative.");
  setMarket({ ...DEFAULT_MARKET, unitSystem: 'us' });
  expect([problemOf(12.5), problemOf(10_000)]).toEqual([undefined, undefined]);
  expect(problemOf(Number.NaN)).toBe('Enter a number of miles, such as 12.5.');
  expect(problemOf(10_000.5)).toBe('The radius can be at most 10,000 miles.');
});
