import type { Address } from '#contract/platform/http/http';
import type { Hours } from '../../server/farm/slots/policy.ts';
import type { FarmKey } from './farms.ts';
import { at } from './people.ts';

/** A pickup place of a farm of the demo market, and how full its next slots are. */
export interface DemoPlace {
  farm: FarmKey;
  name: string;
  address: Address;
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
    directions: 'The third stall from the fountain, with the striped awning.',
    phone: '',
    hours: on([SATURDAY], { from: '09:00', to: '13:00', slotMinutes: 60, capacity: 6 }),
    loads: [2, 0, 6],
  },
  {
    farm: 'riverbend',
    name: 'Weekly bazaar gate, H-9',
    address: at('2 Bazaar Road, H-9', 'Islamabad', 'ICT', '44000'),
    directions: 'We wait by the main gate in a blue van.',
    phone: '+92 992 000 0184',
    hours: on([THURSDAY], { from: '16:00', to: '18:00', slotMinutes: 30, capacity: null }),
    loads: [1],
  },
];
