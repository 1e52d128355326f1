import {
  type AddressFormat,
  type AddressPart,
  type AddressWord,
  theMarket,
} from '#contract/platform/market/constants';
import { PART } from '#contract/platform/text/constants/addresses';

// Apart from what writes addresses: forms ask for them, and no first page does.

/** The parts of an address, in the order in which an API client reads them. */
export const ADDRESS_PARTS: readonly AddressPart[] = ['street', 'city', 'state', 'zipCode'];

/** Returns the parts in the order in which the market's country writes them. */
export const orderedParts = ({ template }: AddressFormat): AddressPart[] =>
  Array.from(template.matchAll(PART), ([, , part]) => part as AddressPart);

/** The name of a part, and what is said where it is missing. */
const WORDS: Readonly<Record<AddressWord, readonly [label: string, missing: string]>> = {
  city: ['City', 'City is required'],
  suburb: ['City or suburb', 'City or suburb is required'],
  regency: ['City or regency', 'City or regency is required'],
  town: ['Town or city', 'Town or city is required'],
  district: ['District', 'District is required'],
  state: ['State', 'State is required'],
  province: ['Province', 'Province is required'],
  region: ['Region', 'Region is required'],
  county: ['County', 'County is required'],
  department: ['Department', 'Department is required'],
  governorate: ['Governorate', 'Governorate is required'],
  emirate: ['Emirate', 'Emirate is required'],
  prefecture: ['Prefecture', 'Prefecture is required'],
  parish: ['Parish', 'Parish is required'],
  island: ['Island', 'Island is required'],
  area: ['Area', 'Area is required'],
  postalCode: ['Postal code', 'Postal code is required'],
  postcode: ['Postcode', 'Postcode is required'],
  zipCode: ['ZIP code', 'ZIP code is required'],
  pinCode: ['PIN code', 'PIN code is required'],
  eircode: ['Eircode', 'Eircode is required'],
};

export const ADDRESS_WORDS = Object.keys(WORDS) as AddressWord[];

/** Returns what the market's country calls a part; one that it has not by its most usual name. */
export function partLabel(part: AddressPart): string {
  if (part === 'street') return 'Street';
  return WORDS[theMarket().addressFormat[part] ?? (part === 'state' ? 'state' : 'postcode')][0];
}

/** Returns the refusal of an address without a part, or undefined where the market's country has no such part. */
export function missingPart(part: AddressPart): string | undefined {
  if (part === 'street') return 'Street is required';
  const word = theMarket().addressFormat[part];
  return word === null ? undefined : WORDS[word][1];
}
