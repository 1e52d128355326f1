import { afterEach, describe, expect, it } from 'vitest';
import { weekdays } from '#contract/farm/farmers/constants';
import { DEFAULT_MARKET, type Market, setMarket } from '#contract/platform/market/constants';
import { findLocale } from '#contract/platform/market/constants/choices';
import { formatMoney, formatMoneyShort } from '#contract/platform/money/constants';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { formatCount } from '#contract/platform/text/constants/formats';
import { readTyped } from '#contract/platform/text/constants/typed-numbers';
import { formatNearDay } from '#contract/platform/time/constants';
import {
  formatFullDay,
  formatWallDates,
  formatWallTimes,
} from '#contract/platform/time/constants/clock';
import { formatHours } from '../../farm/model/handoff.ts';
import { formatTime } from './format.ts';

afterEach(() => setMarket(DEFAULT_MARKET));

/** Makes these settings the market's, beside the ones of a new market. */
const adopt = ({
  currency,
  ...rest
}: Partial<Omit<Market, 'currency'>> & {
  currency?: Partial<Market['currency']>;
}) =>
  setMarket({
    ...DEFAULT_MARKET,
    ...rest,
    currency: { ...DEFAULT_MARKET.currency, ...currency },
  });

/** Spaces of any width as ordinary ones. */
const plain = (text: string) => text.replace(/\s/g, ' ');

describe('an amount', () => {
  it.each([
    [{}, '₨1,234.50', '-₨0.50', '₨1.2K'],
    [
      { currency: { sign: '€', position: 'after' }, locale: 'de-DE' },
      '1.234,50 €',
      '-0,50 €',
      '1.2K €',
    ],
    [{ currency: { sign: 'Rs' }, locale: 'ne-NP' }, 'Rs 1,234.50', '-Rs 0.50', 'Rs 1.2K'],
    [{ currency: { sign: '¥', decimals: 0 }, locale: 'ja-JP' }, '¥1,235', '-¥1', '¥1.2K'],
    [
      { currency: { sign: 'KD', decimals: 3 }, locale: 'ar-KW' },
      'KD 1,234.500',
      '-KD 0.500',
      'KD 1.2K',
    ],
  ] as const)('is written as the market writes it: %j', (market, whole, negative, short) => {
    adopt(market);
    expect([plain(formatMoney(1234.5)), plain(formatMoney(-0.5))]).toEqual([whole, negative]);
    expect(plain(formatMoneyShort(1234.5))).toBe(short);
  });
});

it('numbers follow the locale, in digits that people type', () => {
  adopt({ locale: 'de-DE' });
  expect([formatCount(12_345), formatQuantity(1.5, 'kg')]).toEqual(['12.345', '1,5 kg']);
  const read = (...texts: string[]) => texts.map((text) => readTyped(text).value);
  expect(read('1,250', '1.5', '2,5', '1.250')).toEqual([1.25, 1.5, 2.5, 1250]);
  adopt({ locale: 'ar-EG' });
  expect(formatCount(12_345)).toBe('12,345');
  adopt({ locale: 'en-IN' });
  expect(formatCount(1_234_567)).toBe('12,34,567');
  adopt({});
  expect(read('1,250', '1.250')).toEqual([1250, 1.25]);
});

it('days and times are English as it is written where the market is', () => {
  const noon = '2026-11-28T16:05:00Z';
  const words = () => [
    formatNearDay('2026-11-28', '2026-01-01'),
    formatFullDay('2026-11-28', '2026-01-01', 'long'),
    formatWallDates('2026-11-23', '2026-11-29'),
    plain(formatWallTimes('10:00', '10:30')),
    plain(formatTime(noon, 'UTC')),
    plain(formatHours({ open: '08:00', close: '14:30' })),
  ];
  expect(words()).toEqual([
    'Sat, Nov 28',
    'Saturday, November 28, 2026',
    'Nov 23 – 29',
    '10:00–10:30 AM',
    '4:05 PM',
    '8 AM–2:30 PM',
  ]);
  adopt({ locale: 'de-DE' });
  expect(words()).toEqual([
    'Sat, 28 Nov',
    'Saturday, 28 November 2026',
    '23 – 29 Nov',
    '10:00–10:30',
    '16:05',
    '08:00–14:30',
  ]);
  adopt({ locale: 'en-PK' });
  expect(words().slice(3)).toEqual(['10:00–10:30 am', '4:05 pm', '8 am–2:30 pm']);
});

it('weeks begin with the day of the market', () => {
  const firsts = ([0, 1, 6] as const).map((weekStart) => {
    adopt({ weekStart });
    expect(new Set(weekdays()).size).toBe(7);
    return weekdays()[0];
  });
  expect(firsts).toEqual(['sunday', 'monday', 'saturday']);
});

it.each([
  ['EN-gb', 'en-GB'],
  [' de-DE ', 'de-DE'],
  ['th-TH-u-ca-buddhist', 'th-TH'],
  ['xx-YY', undefined],
  ['', undefined],
  ['english', undefined],
])('of "%s" the locale is %s', (tag, found) => {
  expect(findLocale(tag)).toBe(found);
});
