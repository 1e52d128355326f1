import { UNITS } from '#contract/platform/quantities/constants/units';

/** What is weighed and measured where scales show kilograms, and where they show pounds. */
const METRIC: readonly (typeof UNITS)[number][] = ['kg', 'g', 'each', 'bunch', 'dozen'];
const US_CUSTOMARY = UNITS.filter((unit) => unit !== 'kg' && unit !== 'g');

/**
 * Returns the units in which goods are usually sold where a browser is: pounds and pints for American English by an
 * American clock, kilograms elsewhere. Many people far from America have a browser in its English.
 */
export function usualUnits({
  locale,
  timeZone,
}: {
  locale: string;
  timeZone: string;
}): (typeof UNITS)[number][] {
  const { region } = new Intl.Locale(locale).maximize();
  const isAmerican = region === 'US' && /^(America|US)\/|^Pacific\/Honolulu$/.test(timeZone);
  return [...(isAmerican ? US_CUSTOMARY : METRIC)];
}
