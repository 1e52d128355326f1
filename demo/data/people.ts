import type { Address } from '#contract/http';

/** A person of the demo market who owns no farm. */
export interface DemoPerson {
  name: string;
  email: string;
  phone: string;
  address: Address;
  /** How long ago the account was opened. */
  joinedDaysAgo: number;
}

/** Password of every demo account while the server is reached from its own machine alone. */
export const DEMO_PASSWORD = 'password123';

export const admin: DemoPerson = {
  name: 'Alex Morgan',
  email: 'admin@farmgate.test',
  phone: '(802) 555-0100',
  address: { street: '1 Market Square', city: 'Brattleboro', state: 'VT', zipCode: '05301' },
  joinedDaysAgo: 420,
};

/** The buyers; the first two are the demo accounts that the start names. */
export const consumers = [
  {
    name: 'Olivia Bennett',
    email: 'consumer@farmgate.test',
    phone: '(802) 555-0151',
    address: {
      street: '46 Canal Street, Apt 3',
      city: 'Brattleboro',
      state: 'VT',
      zipCode: '05301',
    },
    joinedDaysAgo: 184,
  },
  {
    name: 'Marcus Reed',
    email: 'consumer2@farmgate.test',
    phone: '(603) 555-0158',
    address: { street: '9 Roxbury Street', city: 'Keene', state: 'NH', zipCode: '03431' },
    joinedDaysAgo: 131,
  },
  {
    name: 'Priya Nair',
    email: 'priya@farmgate.test',
    phone: '(413) 555-0170',
    address: { street: '27 Federal Street', city: 'Greenfield', state: 'MA', zipCode: '01301' },
    joinedDaysAgo: 97,
  },
  {
    name: 'Jonas Weber',
    email: 'jonas@farmgate.test',
    phone: '(802) 555-0188',
    address: { street: '150 Main Street', city: 'Putney', state: 'VT', zipCode: '05346' },
    joinedDaysAgo: 62,
  },
  {
    name: 'Grace Kim',
    email: 'grace@farmgate.test',
    phone: '(603) 555-0122',
    address: { street: '31 Westminster Street', city: 'Walpole', state: 'NH', zipCode: '03608' },
    joinedDaysAgo: 45,
  },
] as const satisfies readonly DemoPerson[];

export type ConsumerEmail = (typeof consumers)[number]['email'];
