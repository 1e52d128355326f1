import { formatAddress } from 'localized-address-format';
import fieldNames from 'postal-address-field-names';
import {
  type AddressFormat,
  type AddressWord,
  DEFAULT_MARKET,
} from '#contract/platform/market/constants';

// The formats of all countries stay on the server: a browser gets that of its market with the settings.

/** Node takes the whole CommonJS module for its default, where bundlers take its own. */
const FIELD_NAMES =
  (fieldNames as unknown as { default?: typeof fieldNames }).default ?? fieldNames;

/** The words of the package's data. */
const WORDS: Readonly<Record<string, AddressWord>> = {
  City: 'city',
  'City/suburb': 'suburb',
  'City/regency': 'regency',
  'Town/city': 'town',
  District: 'district',
  State: 'state',
  Province: 'province',
  Region: 'region',
  County: 'county',
  Department: 'department',
  Governorate: 'governorate',
  Emirate: 'emirate',
  Prefecture: 'prefecture',
  Parish: 'parish',
  Island: 'island',
  Area: 'area',
  'Postal code': 'postalCode',
  Postcode: 'postcode',
  'ZIP code': 'zipCode',
  'PIN code': 'pinCode',
  'EIR Code': 'eircode',
};

/** Returns the lines in which a country writes street, city, state and zipCode, as far as it has them. */
function linesOf(country: string, script: 'latin' | 'local'): string {
  const parts = {
    addressLines: ['street'],
    locality: 'city',
    administrativeArea: 'state',
    postalCode: 'zipCode',
  };
  return formatAddress({ postalCountry: country, ...parts }, script)
    .map(withoutConstants)
    .filter(Boolean)
    .join('\n');
}

/** What a line has beside the parts: a sign such as 〒, or the country for letters from abroad: 'CH-', 'SINGAPORE'. */
const withoutConstants = (line: string): string =>
  line
    .split(/(street|city|state|zipCode)/)
    .map((piece, at) => (at % 2 === 1 ? piece : piece.replace(/\p{L}+-?/gu, '')))
    .join('')
    .trim();

/** Adds the parts that a country does not write: people's towns, and what was entered under another country. */
function completed(lines: string): string {
  const has = (part: string) => lines.includes(part);
  if (!has('city')) {
    const isSmallFirst = lines.indexOf('street') < lines.indexOf('state');
    if (has('state')) lines = lines.replace('state', isSmallFirst ? 'city, state' : 'state city');
    else if (has('zipCode')) lines = lines.replace('zipCode', 'city zipCode');
    else lines += '\ncity';
  }
  if (!has('state')) lines = lines.replace('city', 'city, state');
  if (!has('zipCode')) lines = lines.replace(/city, state|state|city/, '$& zipCode');
  return lines;
}

/**
 * Returns how a country writes addresses, in the script of a locale. The data calls Pakistan's provinces no part of an
 * address; people there write them.
 */
export function addressFormatOf(country: string, locale: string): AddressFormat {
  if (country === DEFAULT_MARKET.country) return DEFAULT_MARKET.addressFormat;
  const { script } = new Intl.Locale(locale).maximize();
  const lines = linesOf(country, script === 'Latn' ? 'latin' : 'local');
  const names = FIELD_NAMES.find(({ iso }) => iso === country)?.fields;
  const wordOf = (name: string | undefined, usual: AddressWord) => WORDS[name ?? ''] ?? usual;
  return {
    template: completed(lines),
    city: wordOf(names?.locality, 'city'),
    state: lines.includes('state') ? wordOf(names?.administrativeArea, 'state') : null,
    zipCode: lines.includes('zipCode') ? wordOf(names?.postalCode, 'postalCode') : null,
  };
}
