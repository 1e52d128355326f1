import { afterEach, describe, expect, it } from 'vitest';
import { DeliveryAddress } from '#contract/platform/http/http';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { countryChoices } from '#contract/platform/market/countries';
import {
  ADDRESS_PARTS,
  ADDRESS_WORDS,
  missingPart,
  orderedParts,
  partLabel,
} from '#contract/platform/text/constants/address-words';
import {
  addressLines,
  formatAddress,
  formatTown,
} from '#contract/platform/text/constants/addresses';
import { addressFormatOf } from './address-formats.ts';

afterEach(() => setMarket(DEFAULT_MARKET));

/** Makes this the market's country. */
const adopt = (country: string, locale = `en-${country}`) =>
  setMarket({ ...DEFAULT_MARKET, country, addressFormat: addressFormatOf(country, locale) });

const labels = () => ADDRESS_PARTS.slice(1).map((part) => missingPart(part) && partLabel(part));

const AN_ADDRESS = { street: '1 Mill Rd', city: 'Town', state: 'State', zipCode: '12345' };

describe('an address of', () => {
  it.each([
    ['PK', ['City', 'Province', 'Postal code'], '1 Mill Rd|Town, State 12345'],
    ['US', ['City', 'State', 'ZIP code'], '1 Mill Rd|Town, State 12345'],
    ['GB', ['Town or city', undefined, 'Postcode'], '1 Mill Rd|Town, State|12345'],
    ['IE', ['Town or city', 'County', 'Eircode'], '1 Mill Rd|Town|State|12345'],
    ['DE', ['City', undefined, 'Postal code'], '1 Mill Rd|12345 Town, State'],
    // For letters from abroad the data has 'CH-' there.
    ['CH', ['City', undefined, 'Postal code'], '1 Mill Rd|12345 Town, State'],
    ['AE', ['City', 'Emirate', undefined], '1 Mill Rd|Town, State 12345'],
    ['SG', ['City', undefined, 'Postal code'], '1 Mill Rd|Town, State 12345'],
    ['HK', ['District', 'Area', undefined], '1 Mill Rd|Town 12345|State'],
    ['BR', ['City', 'State', 'Postal code'], '1 Mill Rd|Town-State|12345'],
    ['IN', ['City', 'State', 'PIN code'], '1 Mill Rd|Town 12345|State'],
    ['JP', ['City', 'Prefecture', 'Postal code'], '1 Mill Rd, Town, State|12345'],
    ['AU', ['City or suburb', 'State', 'Postcode'], '1 Mill Rd|Town State 12345'],
    // Of which the data has nothing.
    ['GH', ['City', undefined, undefined], '1 Mill Rd|Town, State 12345'],
  ] as const)('%s has its names, order and lines', (country, names, lines) => {
    adopt(country);
    expect(labels()).toEqual(names);
    expect(addressLines(AN_ADDRESS).join('|')).toBe(lines);
  });

  it('Japan and Hong Kong begins with what is largest where it is written in their script', () => {
    adopt('JP', 'ja-JP');
    expect(addressLines(AN_ADDRESS)).toEqual(['〒12345', 'State Town', '1 Mill Rd']);
    expect(orderedParts(addressFormatOf('JP', 'ja-JP'))).toEqual([
      ...(['zipCode', 'state', 'city', 'street'] as const),
    ]);
    adopt('HK', 'zh-HK');
    expect(formatAddress({ ...AN_ADDRESS, zipCode: '' })).toBe('State, Town, 1 Mill Rd');
  });

  it('any country names all four parts once, so that nothing that was entered before is lost', () => {
    for (const { code } of countryChoices()) {
      for (const locale of ['en-US', 'ar-EG', 'ja-JP']) {
        const format = addressFormatOf(code, locale);
        expect([code, orderedParts(format).toSorted()]).toEqual([code, ADDRESS_PARTS.toSorted()]);
        for (const word of [format.city, format.state ?? 'state', format.zipCode ?? 'zipCode']) {
          expect(ADDRESS_WORDS).toContain(word);
        }
        adopt(code, locale);
        const written = addressLines(AN_ADDRESS);
        for (const part of Object.values(AN_ADDRESS)) expect(written.join('|')).toContain(part);
        // Nothing but the parts, and signs between them.
        const rest = Object.values(AN_ADDRESS).reduce(
          (text, part) => text.replace(part, ''),
          written.join(''),
        );
        expect([code, rest.replace(/[\s,/〒-]/g, '')]).toEqual([code, '']);
      }
    }
  });
});

it.each([
  [
    'DE',
    { street: 'Hauptstr. 1', city: 'Berlin', state: '', zipCode: '10115' },
    'Hauptstr. 1, 10115 Berlin',
  ],
  ['DE', { street: 'Hauptstr. 1', city: 'Berlin' }, 'Hauptstr. 1, Berlin'],
  [
    'AE',
    { street: '12 Al Wasl Rd', city: 'Dubai', state: null, zipCode: null },
    '12 Al Wasl Rd, Dubai',
  ],
  ['US', { street: '', city: 'Salem', state: '', zipCode: '97301' }, 'Salem, 97301'],
  ['US', { state: 'OR', zipCode: '97301' }, 'OR 97301'],
  ['BR', { city: 'Recife', zipCode: '50000' }, 'Recife, 50000'],
  ['BD', { city: 'Dhaka', zipCode: '1000' }, 'Dhaka, 1000'],
  ['GB', {}, ''],
] as const)('in %s %j is written without what is missing: %s', (country, address, line) => {
  adopt(country);
  expect(formatAddress(address)).toBe(line);
});

it('writes the town of an address in one line', () => {
  adopt('IN');
  expect(formatTown(AN_ADDRESS)).toBe('Town, State');
  adopt('DE');
  expect([formatTown({ city: 'Berlin' }), formatTown(null)]).toEqual(['Berlin', '']);
});

describe('an address to deliver to', () => {
  const problems = (address: object) =>
    DeliveryAddress.safeParse(address).error?.issues.map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    ) ?? [];

  it.each([
    ['DE', { street: 'Hauptstr. 1', city: 'Berlin', zipCode: '10115' }],
    ['AE', { street: '12 Al Wasl Rd', city: 'Dubai', state: 'Dubai' }],
    ['HK', { street: '1 Queen’s Rd', city: 'Central', state: 'Hong Kong Island', zipCode: '' }],
    ['SG', { street: '1 Orchard Rd', city: 'Singapore', zipCode: '238823' }],
    ['GH', { street: '1 Ring Rd', city: 'Accra' }],
    ['DE', AN_ADDRESS],
    ['AE', AN_ADDRESS],
    ['GH', AN_ADDRESS],
  ])('in %s may be %j', (country, address) => {
    adopt(country);
    expect(problems(address)).toEqual([]);
    // What was sent is kept, and what was not is empty.
    expect(DeliveryAddress.parse(address)).toEqual({ state: '', zipCode: '', ...address });
  });

  it.each([
    [
      'DE',
      {},
      ['street: Street is required', 'city: City is required', 'zipCode: Postal code is required'],
    ],
    [
      'AE',
      { street: ' ', city: '\t', zipCode: '1' },
      ['street: Street is required', 'city: City is required', 'state: Emirate is required'],
    ],
    [
      'IE',
      { street: 'a', city: 'b', state: ' ' },
      ['state: County is required', 'zipCode: Eircode is required'],
    ],
    [
      'US',
      { street: 'a', city: 'b' },
      ['state: State is required', 'zipCode: ZIP code is required'],
    ],
    ['DE', { ...AN_ADDRESS, state: 'x'.repeat(101) }, ['state: Keep this to 100 characters.']],
    ['AE', { ...AN_ADDRESS, zipCode: '1'.repeat(21) }, ['zipCode: Keep this to 20 characters.']],
  ])('in %s is refused as %j', (country, address, expected) => {
    adopt(country);
    expect(problems(address)).toEqual(expected);
  });
});
