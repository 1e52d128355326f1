import {
  type AddressFormat,
  type AddressPart,
  type AddressWord,
  theMarket,
} from '#contract/platform/market/constants';
import { PART } from '#contract/platform/text/constants/addresses';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';

// Apart from what writes addresses: forms ask for them, and no first page does.

/** The parts of an address, in the order in which an API client reads them. */
export const ADDRESS_PARTS: readonly AddressPart[] = ['street', 'city', 'state', 'zipCode'];

/** Returns the parts in the order in which the market's country writes them. */
export const orderedParts = ({ template }: AddressFormat): AddressPart[] =>
  Array.from(template.matchAll(PART), ([, , part]) => part as AddressPart);

/** The name of a part, and what is said where it is missing. */
const WORDS: Readonly<Record<AddressWord, readonly [label: Message, missing: Message]>> = {
  city: [msg('City'), msg('City is required')],
  suburb: [msg('City or suburb'), msg('City or suburb is required')],
  regency: [msg('City or regency'), msg('City or regency is required')],
  town: [msg('Town or city'), msg('Town or city is required')],
  district: [msg('District'), msg('District is required')],
  state: [msg('State'), msg('State is required')],
  province: [msg('Province'), msg('Province is required')],
  region: [msg('Region'), msg('Region is required')],
  county: [msg('County'), msg('County is required')],
  department: [msg('Department'), msg('Department is required')],
  governorate: [msg('Governorate'), msg('Governorate is required')],
  emirate: [msg('Emirate'), msg('Emirate is required')],
  prefecture: [msg('Prefecture'), msg('Prefecture is required')],
  parish: [msg('Parish'), msg('Parish is required')],
  island: [msg('Island'), msg('Island is required')],
  area: [msg('Area'), msg('Area is required')],
  postalCode: [msg('Postal code'), msg('Postal code is required')],
  postcode: [msg('Postcode'), msg('Postcode is required')],
  zipCode: [msg('ZIP code'), msg('ZIP code is required')],
  pinCode: [msg('PIN code'), msg('PIN code is required')],
  eircode: [msg('Eircode'), msg('Eircode is required')],
};

export const ADDRESS_WORDS = Object.keys(WORDS) as AddressWord[];

/** Returns what the market's country calls a part; one that it has not by its most usual name. */
export function partLabel(part: AddressPart): string {
  if (part === 'street') return t('Street');
  const word = theMarket().addressFormat[part] ?? (part === 'state' ? 'state' : 'postcode');
  return writeMessage(WORDS[word][0]);
}

/** Returns the refusal of an address without a part, or undefined where the market's country has no such part. */
export function missingPart(part: AddressPart): string | undefined {
  if (part === 'street') return t('Street is required');
  const word = theMarket().addressFormat[part];
  return word === null ? undefined : writeMessage(WORDS[word][1]);
}
