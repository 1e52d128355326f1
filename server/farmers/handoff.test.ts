import { expect, it } from 'vitest';
import { BusinessHours, Handoff } from '#contract/farmers';
import { presentHandoff } from './present.ts';

const farm = {
  acceptsPickup: true,
  acceptsDelivery: true,
  deliveryRadius: 25,
  timeZone: 'Europe/Berlin',
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
  });
});

it.each([null, undefined, {}, [], 'x', { monday: null }, { monday: { open: 8, close: 9 } }])(
  'presents no openings for hours that are %j',
  (hours) => {
    expect(openingsOf(hours)).toEqual([]);
  },
);
