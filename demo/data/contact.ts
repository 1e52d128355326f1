/** By whose clock the demo market counts its days, unless the environment names another. */
export const DEMO_TIME_ZONE = 'Asia/Karachi';

/** Where the demo market is, and how it can be reached, as the columns of its settings. */
export const contact = {
  contactAddress: '12 Market Road, G-9 Markaz, Islamabad 44090',
  contactPhone: '+92 51 000 0142',
  contactEmail: 'hello@farmgate.test',
};
