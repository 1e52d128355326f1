import { DEFAULT_MARKET } from '#contract/platform/market/constants';
import type { UnitSystem } from '#contract/platform/market/constants/choices';

// Which countries there are, what they are called and which clocks they have is data of Intl.

/** Codes that Intl names beside the countries of ISO 3166-1: groups, parts of countries, and what it tests with. */
const NO_COUNTRIES: readonly string[] = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' ');

const namesIn = (language: string) =>
  new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
const englishNames = namesIn('en');

/** Returns whether this is the code of a country, in upper case. A code of a former one is not. */
export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  !NO_COUNTRIES.includes(code) &&
  englishNames.of(code) !== undefined &&
  new Intl.Locale(`und-${code}`).region === code;

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const COUNTRIES = () =>
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isCountry);

/** Returns all countries, by name in a language. */
export function countryChoices(language = 'en'): { code: string; name: string }[] {
  const names = namesIn(language);
  return COUNTRIES()
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, language));
}

/** Returns the time zones of a country by their names; none where the browser does not know. */
function zonesOf(country: string): string[] {
  // A property until Chrome 130 and Node 22, a method since.
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    timeZones?: string[];
    getTimeZones?: () => string[] | undefined;
  };
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Returns the name under which Intl itself knows a zone: `Asia/Calcutta` of `Asia/Kolkata`. */
function canonicalZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}

/**
 * Returns the country of a market that has not said it: the one whose money it has; of money that several share, or
 * none is given, the one with its clock; else the one of its locale.
 */
export function usualCountry({
  currency,
  timeZone,
  locale,
}: {
  /** ISO 4217, whose first two letters are those of the country that issues it. */
  currency?: string;
  timeZone: string;
  locale: string;
}): string {
  const issuer = currency?.slice(0, 2) ?? '';
  if (isCountry(issuer)) return issuer;
  const zone = canonicalZone(timeZone);
  const there = COUNTRIES().find((country) => zonesOf(country).includes(zone));
  if (there !== undefined) return there;
  const { region } = new Intl.Locale(locale).maximize();
  return region !== undefined && isCountry(region) ? region : DEFAULT_MARKET.country;
}

/** Returns how a country measures. */
export const usualUnitSystem = (country: string): UnitSystem =>
  ['US', 'LR', 'MM'].includes(country) ? 'us' : 'metric';
