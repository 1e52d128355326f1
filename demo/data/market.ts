import { DEFAULT_TIME_ZONE } from '#contract/platform/time/constants';

/**
 * By whose clock the demo market counts its days, unless the environment names another: as any market that nobody has
 * set up, not by the clock of its place, so that what is tried with the API goes by the day that its times are in.
 */
export const DEMO_TIME_ZONE = DEFAULT_TIME_ZONE;

/** Where the demo market is, and how it can be reached, as the columns of its settings. */
export const contact = {
  contactAddress: '12 Market Road, G-9 Markaz, Islamabad 44090',
  contactPhone: '+92 51 000 0142',
  contactEmail: 'hello@farmgate.test',
};
