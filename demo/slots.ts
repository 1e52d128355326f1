import type { Position } from '#contract/farm/places/places';
import { SLOT_DAYS_AHEAD } from '#contract/farm/slots/constants';
import type { Address } from '#contract/platform/http/http';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { dayIn } from '#contract/platform/time/constants';
import type { Prisma } from '../prisma/generated/client.ts';
import { placeColumnsOf } from '../server/farm/places/present.ts';
import type { Hours } from '../server/farm/slots/policy.ts';
import { slotsOf } from '../server/farm/slots/policy.ts';
import { daysAfter } from '../server/platform/time/clock.ts';
import type { FarmKey } from './data/farms.ts';
import { farmIdOf, idOf } from './data/farms.ts';
import { at } from './data/people.ts';

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
      ...place.position,
      directions: place.directions,
      phone: place.phone,
      createdAt: now,
    })),
    placeHours: places.flatMap((place) =>
      place.hours.map((hours) => ({ placeId: placeIdOf(place), ...hours })),
    ),
    /** Whose pickups need a slot, with where and when one can pick up. */
    farmsWithSlots: [...new Set(places.map(({ farm }) => farmIdOf(farm)))].map((farmId) => ({
      farmId,
      columns: placeColumnsOf(
        places
          .filter((place) => farmIdOf(place.farm) === farmId)
          .map(({ address, position, hours }) => ({ ...address, ...position, hours })),
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

/** A pickup place of a farm of the demo market, and how full its next slots are. */
export interface DemoPlace {
  farm: FarmKey;
  name: string;
  address: Address;
  position: Position;
  directions: string;
  phone: string;
  hours: readonly Hours[];
  /**
   * Orders in its first slots from {@link LOADED_DAYS_AHEAD} days ahead on, one number for each; `closed` where the
   * farm takes none.
   */
  loads: readonly (number | 'closed')[];
}

/** The days before have passed the farm's cut-off. */
export const LOADED_DAYS_AHEAD = 4;

const [WEDNESDAY, THURSDAY, FRIDAY, SATURDAY] = [2, 3, 4, 5] as const;

/** The same hours on several days. */
const on = (days: readonly number[], hours: Omit<Hours, 'weekday'>): Hours[] =>
  days.map((weekday) => ({ weekday, ...hours }));

export const places: readonly DemoPlace[] = [
  {
    farm: 'riverbend',
    name: 'Bakery counter',
    address: at('12 Mill Street', 'Havelian', 'KP', '22500'),
    position: { latitude: 34.0536, longitude: 73.1606 },
    directions: 'Park at the mill race and come in by the green door. The bread waits on the left.',
    phone: '+92 992 000 0183',
    hours: on([WEDNESDAY, THURSDAY, FRIDAY, SATURDAY], {
      from: '07:00',
      to: '15:00',
      slotMinutes: 120,
      capacity: 4,
    }),
    loads: [4, 3, 'closed', 1],
  },
  {
    farm: 'riverbend',
    name: 'Haripur farmers market',
    address: at('Company Bagh', 'Haripur', 'KP', '22620'),
    position: { latitude: 33.9964, longitude: 72.9346 },
    directions: 'The third stall from the fountain, with the striped awning.',
    phone: '',
    hours: on([SATURDAY], { from: '09:00', to: '13:00', slotMinutes: 60, capacity: 6 }),
    loads: [2, 0, 6],
  },
  {
    farm: 'riverbend',
    name: 'Weekly bazaar gate, H-9',
    address: at('2 Bazaar Road, H-9', 'Islamabad', 'ICT', '44000'),
    position: { latitude: 33.6711, longitude: 73.0479 },
    directions: 'We wait by the main gate in a blue van.',
    phone: '+92 992 000 0184',
    hours: on([THURSDAY], { from: '16:00', to: '18:00', slotMinutes: 30, capacity: null }),
    loads: [1],
  },
];
