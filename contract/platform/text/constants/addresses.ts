import {
  ADDRESS_PARTS,
  type AddressFormat,
  type AddressPart,
  type AddressWord,
  theMarket,
} from '#contract/platform/market/constants';

/** An address, or what there is of one. */
export type AddressParts = { [Part in AddressPart]?: string | null };

const PARTS = new RegExp(`(${ADDRESS_PARTS.join('|')})`);

/** Writes one line of a template, without the parts that the address lacks and what stands beside them. */
function writeLine(line: string, address: AddressParts): string {
  // Text and part take turns, beginning and ending with a text.
  const [first = '', ...pieces] = line.split(PARTS);
  let before = first;
  let written = '';
  for (let at = 0; at < pieces.length; at += 2) {
    const value = address[pieces[at] as AddressPart];
    if (value) {
      written += before + value;
      before = pieces[at + 1] ?? '';
    } else if (written === '') before = '';
  }
  return written;
}

/** Formats an address in the lines in which the market's country writes it, omitting missing parts. */
export const addressLines = (address: AddressParts | null | undefined): string[] =>
  theMarket()
    .addressFormat.template.split('\n')
    .map((line) => writeLine(line, address ?? {}))
    .filter(Boolean);

/** Formats an address in one line, omitting missing parts: '1 Mill Rd, Salem, OR 97301'. */
export const formatAddress = (address: AddressParts | null | undefined): string =>
  addressLines(address).join(', ');

/** Formats the town of an address: 'Salem, OR'. */
export const formatTown = (address: AddressParts | null | undefined): string =>
  formatAddress({ city: address?.city ?? null, state: address?.state ?? null });

/** Returns the parts in the order in which the market's country writes them. */
export const orderedParts = ({ template }: AddressFormat): AddressPart[] =>
  template.split(PARTS).filter((_, at) => at % 2 === 1) as AddressPart[];

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
