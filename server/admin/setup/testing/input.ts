import { randomUUID } from 'node:crypto';

/** Returns a body for `POST /setup`; `over` replaces fields. */
export const setUpInput = (over: Record<string, unknown> = {}) => ({
  token: 'none',
  market: {
    name: 'Hill Market',
    currency: { code: 'EUR', sign: '€', decimals: 2, position: 'after' },
    timeZone: 'Europe/Berlin',
    locale: 'de-DE',
    units: ['kg', 'each'],
  },
  admin: { name: 'Hanna', email: `${randomUUID()}@farmgate.test`, password: 'password123' },
  categories: ['vegetables', 'dairy'],
  ...over,
});
