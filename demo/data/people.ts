import type { Address } from '#contract/platform/http/http';

/** A person of the demo market who owns no farm. */
export interface DemoPerson {
  name: string;
  email: string;
  phone: string;
  address: Address;
  /** In which language they read the market; as their browser prefers unless given. */
  language?: 'ur';
  /** How long ago the account was opened. */
  joinedDaysAgo: number;
}

/** Returns an address. */
export const at = (street: string, city: string, state: string, zipCode: string): Address => ({
  street,
  city,
  state,
  zipCode,
});

/** Password of every demo account while the server is reached from its own machine alone. */
export const DEMO_PASSWORD = 'password123';

export const admin: DemoPerson = {
  name: 'Amna Rashid',
  email: 'admin@farmgate.test',
  phone: '+92 51 000 0100',
  address: at('12 Market Road, G-9 Markaz', 'Islamabad', 'ICT', '44090'),
  joinedDaysAgo: 420,
};

/** The consumers; the first two are the demo accounts that the start names. */
export const consumers = [
  {
    name: 'Ayesha Malik',
    email: 'consumer@farmgate.test',
    phone: '+92 300 000 0151',
    address: at('House 46, Street 3, F-8/1', 'Islamabad', 'ICT', '44220'),
    joinedDaysAgo: 184,
  },
  {
    name: 'Bilal Ahmed',
    email: 'consumer2@farmgate.test',
    phone: '+92 300 000 0158',
    address: at('9 Bank Road, Saddar', 'Rawalpindi', 'Punjab', '46000'),
    joinedDaysAgo: 131,
  },
  {
    name: 'Priya Kumari',
    email: 'priya@farmgate.test',
    phone: '+92 300 000 0170',
    address: at('27 Lalarukh Avenue', 'Wah Cantt', 'Punjab', '47040'),
    joinedDaysAgo: 97,
  },
  {
    name: 'Jonas Sadiq',
    email: 'jonas@farmgate.test',
    phone: '+92 300 000 0188',
    address: at('150 Museum Road', 'Taxila', 'Punjab', '47080'),
    joinedDaysAgo: 62,
  },
  {
    name: 'Grace Masih',
    email: 'grace@farmgate.test',
    phone: '+92 300 000 0122',
    address: at('31 Circular Road', 'Haripur', 'KP', '22620'),
    joinedDaysAgo: 45,
  },
  {
    name: 'زینب حسین',
    email: 'zainab@farmgate.test',
    phone: '+92 300 000 0164',
    address: at('مکان 12، گلی 7، جی 10/2', 'اسلام آباد', 'ICT', '44000'),
    language: 'ur',
    joinedDaysAgo: 52,
  },
] as const satisfies readonly DemoPerson[];

export type ConsumerEmail = (typeof consumers)[number]['email'];
