import { describe, expect, it } from 'vitest';
import type { FarmSlot, OfferedSlot } from '#contract/farm/slots/slots';
import { anOrder } from '../../platform/testing/orders.ts';
import {
  asTarget,
  availabilityOf,
  daysOf,
  firstChoice,
  nearestFree,
  noteOf,
  placesOf,
  timesOf,
  usualSlotOf,
} from './rules.ts';
import { aFarmSlot, aSlot, MARKET, MILL } from './testing/slots.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const ids = (slots: readonly OfferedSlot[]) => slots.map(({ _id }) => _id);

describe('whether a slot can be chosen', () => {
  it.each([
    [{}, 'free', undefined],
    [{ hasLimit: true, remaining: null }, 'free', undefined],
    [{ hasLimit: true, remaining: 3 }, 'free', '3 left'],
    [{ hasLimit: true, remaining: 0 }, 'full', 'Full'],
    [{ state: 'closed' }, 'closed', 'Closed'],
    [{ state: 'cancelled' }, 'closed', 'Closed'],
    // Closed says more than full.
    [{ state: 'closed', hasLimit: true, remaining: 0 }, 'closed', 'Closed'],
    [{ closesAt: '2026-11-26T12:00:00.000Z' }, 'late', 'Too late'],
    [{ closesAt: '2026-11-26T12:00:00.001Z' }, 'free', undefined],
  ] as const)('%o is %s', (over, availability, note) => {
    const slot = aSlot('2026-11-28', '10:00', over);
    expect(availabilityOf(slot, NOW)).toBe(availability);
    expect(noteOf(slot, NOW)).toBe(note);
  });
});

it('writes its hours as people say them', () => {
  expect(timesOf(aSlot('2026-11-28', '10:00'))).toMatch(/^10:00–10:30\sAM$/);
});

describe('the nearest free slots', () => {
  const full = aSlot('2026-11-28', '10:00', { hasLimit: true, remaining: 0 });

  it('are those before and after, at the same place', () => {
    const [before, after, later] = ['09:30', '10:30', '11:00'].map((from) =>
      aSlot('2026-11-28', from),
    );
    const slots = [later, full, before, after] as OfferedSlot[];
    expect(ids(nearestFree(slots, full, NOW))).toEqual([before?._id, after?._id]);
  });

  it('are another day of the place rather than another place at the same time', () => {
    const elsewhere = aSlot('2026-11-28', '10:00', { place: MILL });
    const nextWeek = aSlot('2026-12-05', '10:00');
    expect(ids(nearestFree([elsewhere, nextWeek, full], full, NOW))).toEqual([
      nextWeek._id,
      elsewhere._id,
    ]);
  });

  it('are none where all are full, closed or over', () => {
    const slots = [
      full,
      aSlot('2026-11-28', '10:30', { state: 'closed' }),
      aSlot('2026-11-28', '11:00', { closesAt: '2026-11-26T11:00:00.000Z' }),
    ];
    expect(nearestFree(slots, full, NOW)).toEqual([]);
  });
});

describe('the slot to begin with', () => {
  const thursday = aSlot('2026-11-26', '18:00', { place: MILL });
  const saturday = ['09:00', '10:00'].map((from) => aSlot('2026-11-28', from));
  const nextSaturday = aSlot('2026-12-05', '10:00');
  const slots = [nextSaturday, ...saturday, thursday];

  it('is the first free one', () => {
    expect(firstChoice(slots, NOW)?._id).toBe(thursday._id);
    expect(firstChoice([{ ...thursday, state: 'closed' }, ...saturday], NOW)?._id).toBe(
      saturday[0]?._id,
    );
    expect(firstChoice([], NOW)).toBeUndefined();
  });

  it.each([
    ['the same place, weekday and time', '2026-11-21', '10:00', saturday[1]],
    ['the same place and weekday', '2026-11-21', '15:00', saturday[0]],
    ['the same place and time', '2026-11-22', '10:00', saturday[1]],
    ['the same place', '2026-11-22', '15:00', saturday[0]],
  ])('is like last time: %s', (_, date, from, expected) => {
    expect(firstChoice(slots, NOW, { placeId: MARKET._id, date, from })?._id).toBe(expected?._id);
  });

  it.each([
    ['by another name', { placeId: MILL._id, name: 'Grain mill' }, MILL._id],
    ['created again', { placeId: 'gone', name: MILL.name }, MILL._id],
    ['of an order that keeps its name alone', { placeId: undefined, name: MILL.name }, MILL._id],
    ['that is gone', { placeId: 'gone', name: 'Grain mill' }, undefined],
  ])('follows the place of last time, %s', (_, { placeId, name }, expected) => {
    const place = { name, address: MILL.address, directions: '' };
    const pickupDetails = { date: '2026-11-21', time: '10:00', location: 'x', placeId, place };
    expect(usualSlotOf({ ...anOrder(1), pickupDetails }, slots)?.placeId).toBe(expected);
  });

  it('is the first free one where the place of last time has nothing', () => {
    const usual = { placeId: 'gone', date: '2026-11-21', from: '10:00' };
    expect(firstChoice(slots, NOW, usual)?._id).toBe(thursday._id);
  });
});

it('lists days in order, without what is over, but never drops the choice', () => {
  const over = aSlot('2026-11-26', '09:00', { closesAt: '2026-11-26T09:00:00.000Z' });
  const full = aSlot('2026-11-27', '09:00', { hasLimit: true, remaining: 0 });
  const free = aSlot('2026-11-27', '09:30');
  const days = daysOf([free, over, full], NOW);
  expect(days.map(({ date, free: count }) => [date, count])).toEqual([['2026-11-27', 1]]);
  expect(ids(days[0]?.slots ?? [])).toEqual([full._id, free._id]);
  expect(daysOf([free, over, full], NOW, over._id).map(({ date }) => date)).toEqual([
    '2026-11-26',
    '2026-11-27',
  ]);
});

it('lists each place once, by name', () => {
  const slots = [aSlot('2026-11-28', '10:00', { place: MILL }), aSlot('2026-11-28', '10:00')];
  expect(placesOf([...slots, ...slots])).toEqual([MARKET, MILL]);
  const named = ['Zoo', 'abbey', 'Stall 10', 'Stall 2'].map((name) => ({
    place: { _id: name, name },
  }));
  expect(placesOf(named).map(({ name }) => name)).toEqual(['abbey', 'Stall 2', 'Stall 10', 'Zoo']);
});

it('lets the farm itself use what it has closed, until it begins, as far as there is room', () => {
  const late = { closesAt: '2026-11-26T11:00:00.000Z' };
  const of = (over: Partial<FarmSlot>, orders = 1) =>
    availabilityOf(asTarget(aFarmSlot('2026-11-28', '10:00', over)), NOW, orders);
  expect(of({ ...late, state: 'closed' })).toBe('free');
  expect(of({ taken: 3, capacity: 4 })).toBe('free');
  expect(of({ taken: 3, capacity: 4 }, 2)).toBe('full');
  expect(of({ taken: 9, capacity: 4 })).toBe('full');
  expect(of({ isDayClosed: true })).toBe('closed');
  expect(of({ state: 'cancelled' })).toBe('closed');
  expect(of({ startsAt: '2026-11-26T12:00:00.000Z' })).toBe('late');
});
