import type { Calls } from '#contract/platform/http/constants';
import { DEFAULT_MARKET, type Market } from '#contract/platform/market/constants';
import {
  CURRENCY_DECIMALS_MAX,
  MARKET_TEXT_MAX,
} from '#contract/platform/market/constants/choices';
import { UNITS, type Unit } from '#contract/platform/quantities/constants/units';
import { msg } from '#contract/platform/text/constants/texts';

export const setupApi = {
  state: { method: 'GET', path: '/setup' },
  setUp: { method: 'POST', path: '/setup' },
} as const satisfies Calls;

/** Categories that a new market can begin with, each with a drawing in the client. */
export const READY_CATEGORIES = [
  {
    key: 'vegetables',
    name: msg('Vegetables'),
    description: msg('Roots, fruits and pods from the field, picked this week.'),
    icon: '🥕',
  },
  {
    key: 'fruit',
    name: msg('Fruit & Berries'),
    description: msg('From the orchard, the patch and the vine, ripe when it is sold.'),
    icon: '🍎',
  },
  {
    key: 'dairy',
    name: msg('Dairy & Eggs'),
    description: msg('Milk, butter, cheese and eggs of animals that go outside.'),
    icon: '🥚',
  },
  {
    key: 'greens',
    name: msg('Greens & Herbs'),
    description: msg('Leaves and stems, cut to order.'),
    icon: '🌿',
  },
  {
    key: 'pantry',
    name: msg('Pantry'),
    description: msg('Honey, syrup, bread, flour and preserves that keep.'),
    icon: '🍯',
  },
  {
    key: 'flowers',
    name: msg('Flowers'),
    description: msg('Grown in the open, cut at dawn.'),
    icon: '🌻',
  },
] as const;

/** The key of a ready category. */
export type ReadyCategoryKey = (typeof READY_CATEGORIES)[number]['key'];

export const READY_CATEGORY_KEYS: readonly ReadyCategoryKey[] = READY_CATEGORIES.map(
  ({ key }) => key,
);

type Currency = Market['currency'];

/** Signs that Intl has only for a currency's own country, or not at all. */
const SIGNS: Readonly<Record<string, string>> = { LKR: '₨', NPR: '₨', MUR: '₨' };

/**
 * Returns the currencies that are in use today, and the one that is `kept`, by name: `Euro`. A name of a former one
 * ends in its years.
 */
export function currencyChoices(kept?: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames('en-US', { type: 'currency' });
  const isPresent = (code: string, name: string) => name !== code && !/\d|test|unknown/i.test(name);
  return [
    ...new Set([...Intl.supportedValuesOf('currency'), ...(kept === undefined ? [] : [kept])]),
  ]
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .filter(({ code, name }) => code === kept || isPresent(code, name))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/**
 * Returns a currency as it is usually written in a locale: its sign, decimals and the side of the sign.
 * @throws RangeError for a code that is not of three letters, and for an unknown locale
 */
export function usualCurrency(code: string, locale: string): Currency {
  // Intl has no decimals for it.
  if (code === DEFAULT_MARKET.currency.code) return DEFAULT_MARKET.currency;
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  });
  const parts = format.formatToParts(1).map(({ type }) => type);
  const sign = format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? code;
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
  return {
    code,
    sign: SIGNS[code] ?? sign.slice(0, MARKET_TEXT_MAX.sign),
    decimals: Math.min(decimals, CURRENCY_DECIMALS_MAX),
    position: parts.indexOf('currency') < parts.indexOf('integer') ? 'before' : 'after',
  };
}

/** What is weighed and measured where scales show kilograms, and where they show pounds. */
const METRIC: readonly Unit[] = ['kg', 'g', 'each', 'bunch', 'dozen', 'l', 'ml'];
const US_CUSTOMARY = UNITS.filter((unit) => !['kg', 'g', 'l', 'ml'].includes(unit));

/**
 * Returns the units in which goods are usually sold where a browser is: pounds and pints for American English by an
 * American clock, kilograms and litres elsewhere. Many people far from America have a browser in its English.
 */
export function usualUnits({ locale, timeZone }: { locale: string; timeZone: string }): Unit[] {
  const { region } = new Intl.Locale(locale).maximize();
  const isAmerican = region === 'US' && /^(America|US)\/|^Pacific\/Honolulu$/.test(timeZone);
  return [...(isAmerican ? US_CUSTOMARY : METRIC)];
}
