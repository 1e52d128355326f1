/** What pages, cards and structured data say of the market as a whole. */
export const SITE = {
  name: 'Farmgate',
  /** What stands before any page of it in a search result. */
  description:
    'Fresh produce straight from the farms around you. Order from one farm, pick up or have it delivered, and follow it live.',
  lang: 'en',
  locale: 'en_US',
  /** ISO 4217, of the sign that prices have: search engines read no signs. */
  currency: 'PKR',
} as const;
