import type { FarmRole } from '#contract/constants/farm';
import type { FarmKey } from './farms.ts';
import type { DemoPerson } from './people.ts';

/** Somebody who works on a farm of the demo market that another person owns. */
export interface DemoStaff extends DemoPerson {
  farm: FarmKey;
  role: FarmRole;
}

const inBrattleboro = (street: string) => ({
  street,
  city: 'Brattleboro',
  state: 'VT',
  zipCode: '05301',
});

export const staff = [
  {
    farm: 'green-valley',
    role: 'manager',
    name: 'Ben Alvarez',
    email: 'ben@farmgate.test',
    phone: '(802) 555-0121',
    address: inBrattleboro('18 Elliot Street'),
    joinedDaysAgo: 240,
  },
  {
    farm: 'green-valley',
    role: 'packer',
    name: 'Tess Moran',
    email: 'tess@farmgate.test',
    phone: '(802) 555-0122',
    address: inBrattleboro('5 Green Street'),
    joinedDaysAgo: 41,
  },
  {
    farm: 'stony-brook',
    role: 'seller',
    name: 'Lou Carver',
    email: 'lou@farmgate.test',
    phone: '(802) 555-0123',
    address: inBrattleboro('77 Western Avenue'),
    joinedDaysAgo: 66,
  },
] as const satisfies readonly DemoStaff[];

/** Emails of the staff. */
export type StaffEmail = (typeof staff)[number]['email'];

/** An invitation that is still open. */
export const invited = {
  farm: 'green-valley',
  role: 'seller',
  email: 'sam@farmgate.test',
  daysLeft: 5,
} as const;
