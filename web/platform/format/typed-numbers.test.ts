import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { priceLimits } from '#contract/catalogue/products/constants/prices';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { formatMoney } from '#contract/platform/money/constants';
import {
  formatPlainAmount,
  readNumber,
  readTyped,
  withAsciiDigits,
  writeNumber,
  writeTyped,
} from '#contract/platform/text/constants/typed-numbers';

afterEach(() => setMarket(DEFAULT_MARKET));

const PRICE = { decimals: 2, min: 0, max: 20_000_000 };
const WHOLE = { decimals: 0, min: 0, max: 1_000_000 };
const QUANTITY = { decimals: 3, min: 0, max: 1_000_000 };

const LOCALES = [
  ...['en-US', 'en-IN', 'en-PK', 'en-ZA', 'ur-PK', 'ur-IN', 'hi-IN', 'bn-BD', 'mr-IN', 'ne-NP'],
  ...['fa-IR', 'ar-EG', 'ar-TN', 'ar-SA', 'he-IL', 'my-MM', 'id-ID', 'vi-VN', 'ja-JP', 'th-TH'],
  ...['de-DE', 'de-AT', 'de-CH', 'fr-FR', 'fr-CH', 'it-IT', 'es-ES', 'es-MX', 'pl-PL', 'pt-BR'],
  ...['pt-PT', 'ru-RU', 'sv-SE', 'nb-NO', 'fi-FI', 'et-EE', 'bg-BG', 'hu-HU', 'tr-TR', 'sw-KE'],
];

describe('a text is read as numbers are shown to its reader', () => {
  it.each([
    ['de-DE', '1.200', QUANTITY, 1200],
    ['fr-FR', '1 200,5', PRICE, 1200.5],
    ['de-CH', "1'200.50", PRICE, 1200.5],
    // Where the other sign groups nothing, it is the one of a keypad.
    ['fr-FR', '12.5', PRICE, 12.5],
    ['fr-FR', '1.200', QUANTITY, 1.2],
    ['de-CH', '1,200', QUANTITY, 1.2],
    ['fr-FR', '1.200.000', PRICE, 1_200_000],
  ])('in %s "%s" is %o: %d', (locale, text, limits, number) => {
    expect(readNumber(text, locale, limits)).toEqual({ value: number });
  });

  it.each([
    ['١٢٫٥', 12.5],
    ['۱۲', 12],
    ['۱۲٫۵', 12.5],
    ['١٬٢٣٤٫٥', 1234.5],
    ['१२.५', 12.5],
    ['১২.৫', 12.5],
    ['１２．５', 12.5],
    ['１，２００', 1200],
    ['𝟏𝟐', 12],
    ['\u200e12.5\u200f', 12.5],
    ['\u061c-١٢', -12],
    ['−2.5', -2.5],
    ['－2', -2],
    ['‑2', -2],
    [' 7 ', 7],
    ['.5', 0.5],
    ['2.', 2],
    ['1,', 1],
    ['1,200.', 1200],
    ['0,250', 0.25],
    ['007', 7],
    ['-0', 0],
  ])('reads "%s" everywhere it can, as %d', (text, number) => {
    expect(readNumber(text, 'en-US').value).toBe(number);
  });

  it.each([
    '',
    ' ',
    '.',
    ',',
    '-',
    '--1',
    '5-3',
    '1-',
    '1e3',
    '1E3',
    '1x',
    '0x10',
    'NaN',
    'Infinity',
    'kg',
    '1 kg',
    '1 5',
    '1 20 0',
    '1,20 000',
    '1,200 000',
    "1'20",
    '1,2,3',
    '1.2.3',
    '1.200.50',
    '1²',
    '½',
    '٫',
    '1٫2٫3',
  ])('finds no number in "%s"', (text) => {
    expect(readNumber(text, 'en-US')).toEqual({ value: Number.NaN });
  });
});

describe('a text that has no reading of its own is read with the other sign', () => {
  it.each([
    ['en-US', '1,5', 1.5],
    ['en-US', '12,34', 12.34],
    ['en-US', '1.200,50', 1200.5],
    ['en-US', '0,125', 0.125],
    ['de-DE', '1.5', 1.5],
    ['de-DE', '2.50', 2.5],
    ['de-DE', '1,200.50', 1200.5],
    ['id-ID', '12.5', 12.5],
  ])('in %s "%s" is %d, without a question', (locale, text, number) => {
    expect(readNumber(text, locale, PRICE)).toEqual({ value: number });
  });
});

describe('a text that has both readings', () => {
  it.each([
    // The first is the reader's own, which does not fit.
    ['en-US', '1.200', PRICE, [1.2, 1200]],
    ['en-US', '1.200', WHOLE, [1.2, 1200]],
    ['en-US', '25.000', PRICE, [25, 25_000]],
    ['en-US', '1,200', { ...QUANTITY, max: 1000 }, [1200, 1.2]],
    ['de-DE', '1,200', PRICE, [1.2, 1200]],
    ['fr-FR', '1,200', WHOLE, [1.2, 1200]],
    ['fr-FR', '1.200', PRICE, [1.2, 1200]],
    ['en-US', '2.024', { decimals: 0, min: 1900, max: 2026 }, [2.024, 2024]],
  ] as const)('in %s is asked about "%s" for %o', (locale, text, limits, question) => {
    expect(readNumber(text, locale, limits)).toEqual({ value: Number.NaN, question });
  });

  it.each([
    ['fits as its reader writes it', 'en-US', '1,200', PRICE, 1200],
    ['fits in neither way', 'en-US', '1,200', { decimals: 0, max: 100 }, 1200],
    ['is the same in both', 'en-US', '1200', WHOLE, 1200],
  ])('is not asked about when it %s', (_, locale, text, limits, value) => {
    expect(readNumber(text, locale, limits)).toEqual({ value });
  });
});

const scaled = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 13 }), fc.nat(), fc.boolean())
  .map(([decimals, magnitude, nat, isNegative]) => {
    const digits = nat % 10 ** Math.min(magnitude, 9);
    const units = magnitude > 9 ? digits * 10 ** (magnitude - 9) + (nat % 7) : digits;
    return { decimals, value: ((isNegative ? -1 : 1) * units) / 10 ** decimals + 0 };
  });
const locales = fc.constantFrom(...LOCALES);

it('what a field shows is read as the same number, in every locale and size', () => {
  fc.assert(
    fc.property(locales, scaled, fc.boolean(), (locale, { decimals, value }, isFixed) => {
      const text = writeNumber(value, locale, isFixed ? decimals : undefined);
      expect(readNumber(text, locale, { decimals })).toEqual({ value });
    }),
    { numRuns: 2000 },
  );
});

it('what a screen shows is read as the same number, in Latin digits and in those of the locale', () => {
  fc.assert(
    fc.property(locales, scaled, fc.boolean(), (locale, { decimals, value }, isLatin) => {
      const written = new Intl.NumberFormat(
        isLatin ? new Intl.Locale(locale, { numberingSystem: 'latn' }) : locale,
        { minimumFractionDigits: decimals, maximumFractionDigits: decimals },
      ).format(value);
      expect(readNumber(written, locale, { decimals })).toEqual({ value });
    }),
    { numRuns: 2000 },
  );
});

it('never makes another number of digits than they are, whatever stands between them', () => {
  const text = fc.string({ unit: fc.constantFrom(..."0123456789.,  '’٫٬-١۲+e"), maxLength: 12 });
  fc.assert(
    fc.property(locales, text, (locale, typed) => {
      const { value, question } = readNumber(typed, locale, PRICE);
      const digitsOf = (written: string) =>
        withAsciiDigits(written)
          .replace(/\D/g, '')
          .replace(/^0+|0+$/g, '');
      for (const number of question ?? (Number.isNaN(value) ? [] : [value])) {
        expect(digitsOf(writeNumber(number, 'en-US'))).toBe(digitsOf(typed));
      }
    }),
    { numRuns: 2000 },
  );
});

it('knows the digits of every script that Intl writes', () => {
  for (const numberingSystem of Intl.supportedValuesOf('numberingSystem')) {
    const format = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false });
    if (format.resolvedOptions().numberingSystem !== numberingSystem) continue;
    const written = format.format(9_876_543_210);
    if (!/^\p{Nd}+$/u.test(written)) continue;
    expect(withAsciiDigits(written), numberingSystem).toBe('9876543210');
  }
});

describe('in a market', () => {
  const adopt = (locale: string, decimals: number) =>
    setMarket({
      ...DEFAULT_MARKET,
      locale,
      currency: { ...DEFAULT_MARKET.currency, sign: '', decimals },
    });

  it('a price is typed as the pages print it', () => {
    fc.assert(
      fc.property(locales, scaled, (locale, { decimals, value }) => {
        adopt(locale, decimals);
        const price = Math.abs(value);
        fc.pre(price <= (priceLimits().max ?? 0));
        expect(readTyped(formatMoney(price), priceLimits())).toEqual({ value: price });
        expect(readTyped(formatPlainAmount(price), priceLimits())).toEqual({ value: price });
      }),
      { numRuns: 1000 },
    );
  });

  it('fields are written with its sign for decimals, without groups', () => {
    adopt('de-DE', 2);
    expect([formatPlainAmount(1200), writeTyped(1200.5), writeTyped(0.125)]).toEqual([
      '1200,00',
      '1200,5',
      '0,125',
    ]);
    expect([writeTyped(null), writeTyped(undefined), writeTyped(Number.NaN)]).toEqual(['', '', '']);
  });
});
