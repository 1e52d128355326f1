import { SLOT_DAYS_AHEAD } from '#contract/farm/slots/constants';
import { formatAddress } from '#contract/platform/text/constants/formats';
import { dayIn } from '#contract/platform/time/constants';
import type { Prisma } from '../prisma/generated/client.ts';
import { pickupOpenings } from '../server/farm/places/service.ts';
import { slotsOf } from '../server/farm/slots/policy.ts';
import { daysAfter } from '../server/platform/time/clock.ts';
import { type DemoPlace, LOADED_DAYS_AHEAD, places } from './data/places.ts';
import { farmIdOf, idOf } from './ids.ts';

/** A slot of the demo market with its place. */
export interface DemoSlot {
  place: DemoPlace;
  row: Prisma.SlotCreateManyInput & { id: string; taken: number; startsAt: Date; endsAt: Date };
}

const placeIdOf = ({ farm, name }: DemoPlace): string => idOf('place', `${farm} ${name}`);

/** Creates the rows of all places and their hours. */
export function makePlaces(now: Date) {
  return {
    places: places.map((place) => ({
      id: placeIdOf(place),
      farmId: farmIdOf(place.farm),
      name: place.name,
      ...place.address,
      directions: place.directions,
      phone: place.phone,
      createdAt: now,
    })),
    placeHours: places.flatMap((place) =>
      place.hours.map((hours) => ({ placeId: placeIdOf(place), ...hours })),
    ),
    /** Whose pickups need a slot, with when one can pick up there. */
    farmsWithSlots: [...new Set(places.map(({ farm }) => farmIdOf(farm)))].map((farmId) => ({
      farmId,
      pickupOpenings: pickupOpenings(
        places.filter((place) => farmIdOf(place.farm) === farmId).flatMap(({ hours }) => hours),
      ),
    })),
  };
}

/** Creates the slots of all places as far ahead as farms have them, with as many orders taken as intended. */
export function makeSlots(now: Date, timeZone: string): DemoSlot[] {
  const first = dayIn(timeZone, now);
  return places.flatMap((place) => {
    const coming = slotsOf(place.hours, { first, days: SLOT_DAYS_AHEAD }, timeZone).filter(
      ({ startsAt }) => startsAt > now,
    );
    const loaded = coming.filter(({ date }) => date >= daysAfter(first, LOADED_DAYS_AHEAD));
    return coming.map((times) => {
      const load = place.loads[loaded.indexOf(times)] ?? 0;
      return {
        place,
        row: {
          ...times,
          id: idOf('slot', `${placeIdOf(place)} ${times.startsAt.toISOString()}`),
          farmId: farmIdOf(place.farm),
          placeId: placeIdOf(place),
          date: new Date(times.date),
          taken: load === 'closed' ? 0 : load,
          state: load === 'closed' ? ('closed' as const) : ('open' as const),
        },
      };
    });
  });
}

/** The place on one line, as orders name it. */
const locationOf = ({ name, address }: DemoPlace): string => `${name}, ${formatAddress(address)}`;

/** Returns what an order in a slot keeps of it. */
export const handoverIn = ({ place, row }: DemoSlot) => ({
  isPickup: true,
  date: row.date as Date,
  time: row.from,
  endTime: row.to,
  startsAt: row.startsAt,
  endsAt: row.endsAt,
  slotId: row.id,
  placeName: place.name,
  placeDirections: place.directions,
  pickupLocation: locationOf(place),
  ...place.address,
});
