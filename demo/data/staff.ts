import type { FarmRole } from '#contract/platform/session/constants';
import type { FarmKey } from './farms.ts';
import { at, type DemoPerson } from './people.ts';

/** Somebody who works on a farm of the demo market that another person owns. */
export interface DemoStaff extends DemoPerson {
  farm: FarmKey;
  role: FarmRole;
}

const inTaxila = (street: string) => at(street, 'Taxila', 'Punjab', '47080');

export const staff = [
  {
    farm: 'green-valley',
    role: 'manager',
    name: 'Ben Iqbal',
    email: 'ben@farmgate.test',
    phone: '+92 300 000 0121',
    address: inTaxila('18 Station Road'),
    joinedDaysAgo: 240,
  },
  {
    farm: 'green-valley',
    role: 'packer',
    name: 'Tess D’Souza',
    email: 'tess@farmgate.test',
    phone: '+92 300 000 0132',
    address: inTaxila('5 Sirkap Street'),
    joinedDaysAgo: 41,
  },
  {
    farm: 'stony-brook',
    role: 'seller',
    name: 'Lou Gill',
    email: 'lou@farmgate.test',
    phone: '+92 300 000 0123',
    address: inTaxila('77 Hattar Road'),
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
