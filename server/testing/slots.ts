import { randomUUID } from 'node:crypto';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { weekdayOf } from '#contract/farm/schedule/constants';
import type { FarmSlot } from '#contract/farm/slots/slots';
import { addDays, dayIn } from '#contract/platform/time/constants';
import type { Caller, TestMarket } from './market.ts';

/** A place that is open for an hour each day, for so many orders. */
export const placeInput = (over: Record<string, unknown> = {}, capacity: number | null = null) => ({
  name: `Gate ${randomUUID().slice(0, 8)}`,
  address: { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' },
  directions: 'Behind the barn.',
  phone: '555-0100',
  hours: WEEKDAYS.map((weekday) => ({
    weekday,
    from: '10:00',
    to: '12:00',
    slotMinutes: 60,
    capacity,
  })),
  ...over,
});

/** Adds a place to a farm. @returns its id */
export async function makePlace(
  market: TestMarket,
  farmer: Caller,
  over: Record<string, unknown> = {},
  capacity: number | null = null,
): Promise<string> {
  const body = placeInput(over, capacity);
  const { status, body: answer } = await market.call('POST', '/farm/places', { as: farmer, body });
  if (status !== 201) throw new Error(`A place was refused: ${JSON.stringify(answer)}`);
  return answer.data._id;
}

/** The slots of a farm on the days from tomorrow on, of one place or of all. */
export async function slotsAhead(
  market: TestMarket,
  farmer: Caller,
  placeId?: string,
): Promise<FarmSlot[]> {
  const from = addDays(dayIn('UTC'), 2);
  const { body } = await market.call('GET', `/farm/slots?from=${from}&to=${addDays(from, 20)}`, {
    as: farmer,
  });
  return body.data.filter((slot: FarmSlot) => placeId === undefined || slot.place._id === placeId);
}

/** Adds a place with hours to a farm. @returns the id of one of its slots */
export async function makeSlot(
  market: TestMarket,
  farmer: Caller,
  capacity: number | null = null,
): Promise<string> {
  const place = await makePlace(market, farmer, {}, capacity);
  const [slot] = await slotsAhead(market, farmer, place);
  if (!slot) throw new Error('A new place has no slots');
  return slot._id;
}

/** Returns a Monday to come, a week ahead at least. */
export const nextMonday = (): string => {
  const soon = addDays(dayIn('UTC'), 7);
  return addDays(soon, 7 - WEEKDAYS.indexOf(weekdayOf(soon)));
};
