/** How the demo market can be reached, as the columns of its settings. */
export const contact = {
  contactAddress: '12 Market Lane, Salem, OR 97301',
  contactPhone: '(503) 555-0142',
  contactEmail: 'hello@farmgate.test',
};
