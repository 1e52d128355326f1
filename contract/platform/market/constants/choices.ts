// What the settings of a market can be. Apart from the settings: the forms of admins need it, and no first page does.

/** The longest title, text and announcement, in characters. */
export const MARKET_PAGE_MAX = { title: 100, body: 50_000, announcement: 300 } as const;

/** Where an amount's sign stands. */
export const SIGN_POSITIONS = ['before', 'after'] as const;

/** The most decimals of a currency: with more, the highest prices are no exact numbers any more. */
export const CURRENCY_DECIMALS_MAX = 3;
export const CURRENCY_DECIMALS = Array.from(
  { length: CURRENCY_DECIMALS_MAX + 1 },
  (_, decimals) => decimals,
);

/** The longest texts of the settings, in characters. */
export const MARKET_TEXT_MAX = {
  name: 60,
  tagline: 160,
  address: 200,
  phone: 40,
  sign: 5,
  locale: 35,
} as const;

/** Minutes after which an order can count as unanswered at the latest: a week. */
export const UNANSWERED_MINUTES_MAX = 7 * 24 * 60;

/** The days a week can begin with, as `Date.getDay` counts them. */
export const WEEK_STARTS = [0, 1, 6] as const;

/** What distances are shown in: kilometres, or the miles of the United States. */
export type UnitSystem = 'metric' | 'us';

/** The name of a language in itself: 'Deutsch'. */
export const nameOfLanguage = (language: string): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;

/** Returns the canonical tag of a locale that is known here, without extensions, or undefined. Case does not matter. */
export function findLocale(tag: string): string | undefined {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag.trim());
    if (canonical === undefined || tag.trim() === '') return undefined;
    const [known] = Intl.NumberFormat.supportedLocalesOf(canonical, { localeMatcher: 'lookup' });
    return known && new Intl.Locale(known).baseName;
  } catch {
    return undefined;
  }
}

/** Most people on the About page. */
export const TEAM_MAX = 5;

/** The contact of the demo market. Every new market begins with it, until an admin changes or empties it. */
export const DEMO_CONTACT = {
  address: '12 Market Road, G-9 Markaz, Islamabad 44090',
  phone: '+92 51 000 0142',
  email: 'hello@farmgate.test',
};

/** Returns how a market is really reached: without what it has only begun with, where nobody answers. */
export function ownContact({ contact }: { contact: typeof DEMO_CONTACT }): typeof DEMO_CONTACT {
  const own = (part: keyof typeof DEMO_CONTACT) =>
    contact[part] === DEMO_CONTACT[part] ? '' : contact[part];
  return { address: own('address'), phone: own('phone'), email: own('email') };
}
