import { describe, expect, it } from 'vitest';
import { BusinessHours, Handoff } from '#contract/farm/farmers/farmers';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { dayRulesOf, presentHandoff } from './present.ts';

const farm = {
  acceptsPickup: true,
  acceptsDelivery: true,
  deliveryRadius: 25,
  timeZone: 'Europe/Berlin',
  cutoffDaysBefore: null,
  cutoffTime: null,
  closedDays: [],
  bookableDays: 90,
  pickupOpenings: [],
  pickupPlaces: [],
  pausedUntil: null,
  pauseNote: null,
};
const openingsOf = (hours: unknown) => presentHandoff({ ...farm, businessHours: hours }).openings;

it('presents what a farm offers, with the days of equal hours together', () => {
  const hours = BusinessHours.parse({
    monday: { open: '08:00', close: '18:00' },
    wednesday: { open: '08:00', close: '18:00' },
    saturday: { open: '08:00', close: '14:00' },
    sunday: { open: '10:00', close: '' },
  });
  const presented = presentHandoff({ ...farm, businessHours: hours });
  expect(presented).toEqual({
    pickup: true,
    delivery: true,
    deliveryRadius: 25,
    openings: [
      { days: ['monday', 'wednesday'], open: '08:00', close: '18:00' },
      { days: ['saturday'], open: '08:00', close: '14:00' },
    ],
    timeZone: 'Europe/Berlin',
    cutoff: null,
    closedDays: [],
    bookableDays: 90,
  });
  expect(Handoff.parse(presented)).toEqual(presented);
});

it('presents a farm without a profile like its orders: pickup and no delivery', () => {
  expect(presentHandoff(null)).toEqual({
    pickup: true,
    delivery: false,
    deliveryRadius: null,
    openings: [],
    timeZone: 'UTC',
    cutoff: null,
    closedDays: [],
  });
});

it.each([null, undefined, {}, [], 'x', { monday: null }, { monday: { open: 8, close: 9 } }])(
  'presents no openings for hours that are %j',
  (hours) => {
    expect(openingsOf(hours)).toEqual([]);
  },
);

it('presents the cut-off, and the closed days of the next weeks', () => {
  const today = dayIn(farm.timeZone);
  const at = (days: number) => addDays(today, days);
  const closedDays = [at(-1), at(1), new Date(at(35)), at(36)];
  const row = { ...farm, businessHours: {}, cutoffDaysBefore: 0, cutoffTime: '18:00', closedDays };
  const presented = presentHandoff(row);
  expect(presented).toMatchObject({
    cutoff: { daysBefore: 0, time: '18:00' },
    closedDays: [at(1), at(35)],
  });
  expect(Handoff.parse(presented)).toEqual(presented);
});

describe('a farm with pickup places', () => {
  const businessHours = { monday: { open: '09:00', close: '17:00' } };
  const own = [{ days: ['monday'], open: '09:00', close: '17:00' }];
  const pickupOpenings = [{ days: ['tuesday', 'saturday'], open: '15:00', close: '18:00' }];
  const row = { ...farm, businessHours, pickupOpenings };

  it('presents when one can pick up there, and its cut-off as before', () => {
    const cutoff = { cutoffDaysBefore: 1, cutoffTime: '18:00' };
    const presented = presentHandoff({ ...row, ...cutoff });
    expect(presented).toMatchObject({
      openings: pickupOpenings,
      cutoff: { daysBefore: 1, time: '18:00' },
    });
    expect(Handoff.parse(presented)).toEqual(presented);
  });

  it('presents its own hours where it offers deliveries alone', () => {
    expect(presentHandoff({ ...row, acceptsPickup: false }).openings).toEqual(own);
  });

  it('decides on days of deliveries by its own hours', () => {
    expect(dayRulesOf(row).openings).toEqual(own);
  });
});
