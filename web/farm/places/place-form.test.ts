import { describe, expect, it } from 'vitest';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { BusinessHours } from '#contract/farm/farmers/farmers';
import type { PlaceHours } from '#contract/farm/places/places';
import {
  formatMinutes,
  formatSlots,
  hoursLine,
  newPlace,
  PlaceInput,
  slotLengths,
  toPlaceFields,
} from './place-form.ts';

const range = (over: Partial<PlaceHours> = {}): PlaceHours => ({
  weekday: 'saturday',
  from: '08:00',
  to: '12:00',
  slotMinutes: 30,
  capacity: 4,
  ...over,
});

it.each([
  [5, '5 minutes'],
  [30, '30 minutes'],
  [60, '1 hour'],
  [90, '1 h 30 min'],
  [240, '4 hours'],
])('%s minutes are %s', (minutes, words) => {
  expect(formatMinutes(minutes)).toBe(words);
});

describe('the lengths of a slot', () => {
  it('are those that divide the hours, and the whole of them', () => {
    expect(slotLengths(range({ to: '09:30' }))).toEqual([10, 15, 30, 45, 90]);
    expect(slotLengths(range({ to: '14:00' }))).toContain(360);
  });

  it('keep the present one, so that its error is seen', () => {
    expect(slotLengths(range({ to: '09:00', slotMinutes: 45 }))).toContain(45);
  });

  it('are all while the hours make no sense', () => {
    expect(slotLengths(range({ to: '' }))).toHaveLength(10);
    expect(slotLengths(range({ to: '07:00' }))).toHaveLength(10);
  });
});

it.each([
  [{}, '8 slots, 32 orders in all'],
  [{ to: '08:30', capacity: 1 }, '1 slot, 1 order in all'],
  [{ capacity: null }, '8 slots, any number of orders'],
  [{ slotMinutes: 45 }, undefined],
  [{ to: '07:00' }, undefined],
  [{ to: '' }, undefined],
])('hours with %o make %s', (over, words) => {
  expect(formatSlots(range(over))).toBe(words);
});

it('begins as the farm itself, at its own hours as far as they make slots', () => {
  const businessHours = BusinessHours.parse({
    ...Object.fromEntries(WEEKDAYS.map((day) => [day, {}])),
    monday: { open: '08:00', close: '12:00', more: [{ open: '15:00', close: '18:00' }] },
    friday: { open: '20:00', close: '00:00' },
    saturday: { open: '20:00', close: '02:00' },
    sunday: { open: '08:00', close: '08:07' },
  });
  const address = { street: '40 Mill Lane', city: 'Putney', state: 'VT', zipCode: '05346' };
  const first = newPlace({ address, businessHours });
  expect(first).toMatchObject({ name: 'Farm gate', address });
  const { hours } = toPlaceFields(first);
  const slots = { slotMinutes: 30, capacity: null };
  expect(hours).toEqual([
    { weekday: 'monday', from: '08:00', to: '12:00', ...slots },
    { weekday: 'monday', from: '15:00', to: '18:00', ...slots },
    { weekday: 'friday', from: '20:00', to: '24:00', ...slots },
  ]);
  expect(newPlace(undefined)).toMatchObject({ name: '', hours: { monday: [] } });
});

it('says what is wrong at the hours of their day', () => {
  const place = { ...newPlace(undefined), name: 'Stand' };
  const { weekday: _, ...late } = range({ from: '11:00', to: '13:00', slotMinutes: 45 });
  place.hours.saturday = [range(), late];
  const paths = PlaceInput.safeParse(place).error?.issues.map(({ path }) => path.join('.'));
  expect(paths).toContain('hours.saturday.1.slotMinutes');
  expect(paths).toContain('hours.saturday.1.from');
});

it('writes a week in one line', () => {
  const afternoon = { from: '15:00', to: '18:00' };
  expect(hoursLine([])).toBe('');
  expect(
    hoursLine([
      range({ ...afternoon }),
      range(),
      range({ weekday: 'thursday', ...afternoon }),
      range({ weekday: 'tuesday', ...afternoon }),
    ]),
  ).toBe('Tue, Thu 3–6 PM; Sat 8 AM–12 PM and 3–6 PM');
});
