import type { Market } from '#contract/platform/market/constants';

/** The contact of the demo market. Every new market begins with it, until an admin changes or empties it. */
export const DEMO_CONTACT: Market['contact'] = {
  address: '12 Market Road, G-9 Markaz, Islamabad 44090',
  phone: '+92 51 000 0142',
  email: 'hello@farmgate.test',
};

/** Returns how a market is really reached: without what it has only begun with, where nobody answers. */
export function ownContact({ contact }: Pick<Market, 'contact'>): Market['contact'] {
  const own = (part: keyof Market['contact']) =>
    contact[part] === DEMO_CONTACT[part] ? '' : contact[part];
  return { address: own('address'), phone: own('phone'), email: own('email') };
}
