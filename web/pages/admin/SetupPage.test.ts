// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { currencyChoices, usualCurrency, usualUnits } from '#contract/admin/setup/constants';
import { emptySetUp, previewPrice, SetUpForm, tokenIn } from './SetupPage.tsx';

it.each([
  ['#token=abc-_1', 'abc-_1'],
  ['token=abc', 'abc'],
  ['#', ''],
  ['', ''],
  ['#other=1', ''],
])('finds the token in %j', (hash, token) => {
  expect(tokenIn(hash)).toBe(token);
});

it.each([
  ['EUR', 'de-DE', { sign: '€', decimals: 2, position: 'after' }],
  ['EUR', 'en-IE', { sign: '€', decimals: 2, position: 'before' }],
  ['JPY', 'ja-JP', { decimals: 0, position: 'before' }],
  ['KWD', 'en-US', { decimals: 3 }],
  ['PKR', 'en-US', { sign: '₨', decimals: 2, position: 'before' }],
] as const)('writes %s in %s as is usual there', (code, locale, usual) => {
  expect(usualCurrency(code, locale)).toMatchObject({ code, ...usual });
});

it.each([
  ['en-US', 'America/Chicago', 'lb'],
  ['en-US', 'Pacific/Honolulu', 'lb'],
  ['en-US', 'Europe/Berlin', 'kg'],
  ['en', 'Asia/Karachi', 'kg'],
  ['en-CA', 'America/Toronto', 'kg'],
  ['es-MX', 'America/Mexico_City', 'kg'],
  ['de-AT', 'Europe/Vienna', 'kg'],
])('offers what goods are sold in for %s at %s: %s first', (locale, timeZone, first) => {
  const units = usualUnits({ locale, timeZone });
  expect(units[0]).toBe(first);
  expect(units).toContain('each');
  expect(units.includes('kg')).not.toBe(units.includes('lb'));
  expect([units.includes('l'), units.includes('ml')]).toEqual(Array(2).fill(first === 'kg'));
  expect(units.includes('gallon')).toBe(first === 'lb');
});

it('offers the currencies of today by name, and each of them can be chosen', () => {
  const currencies = currencyChoices();
  const codes = currencies.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(['EUR', 'USD', 'INR', 'PKR', 'CHF', 'JPY']));
  // The Deutsche Mark and test codes are no longer money.
  expect(codes).not.toContain('XXX');
  // Which a market may have had for long.
  expect(currencyChoices('DEM').map(({ code }) => code)).toContain('DEM');
  const names = currencies.map(({ name }) => name);
  expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')));
  for (const code of codes) {
    const market = { name: 'M', currency: usualCurrency(code, 'en-US'), timeZone: 'UTC' };
    const admin = { name: 'A', email: 'a@b.cd', password: 'secret1', confirmPassword: 'secret1' };
    const result = SetUpForm.safeParse({ token: 't', market, admin, categories: [] });
    expect([code, result.error?.issues ?? []]).toEqual([code, []]);
  }
});

it('previews a price with the sign on its side', () => {
  const euro = { code: 'EUR', sign: '€', decimals: 2 };
  expect(previewPrice({ ...euro, position: 'before' }, 'en-US')).toBe('€1,234.50');
  expect(previewPrice({ ...euro, position: 'after' }, 'en-US')).toBe('1,234.50\u00a0€');
  expect(previewPrice({ ...euro, sign: 'CHF', position: 'before' }, 'en-US')).toBe(
    'CHF\u00a01,234.50',
  );
  expect(previewPrice({ ...euro, decimals: 0, position: 'before' }, 'en-US')).toBe('€1,235');
  // As prices are: in digits that people type, whatever the place.
  expect(previewPrice({ ...euro, position: 'before' }, 'ar-EG')).toMatch(/^€1/);
});

it.each([
  ['de-at', 'de-AT'],
  ['en-GB-oxendict', 'en-GB-oxendict'],
  ['la', 'en-US'],
  ['xx-XX', 'en-US'],
  ['C', 'en-US'],
  ['', 'en-US'],
])('takes the language %j of a browser as the locale %s', (language, locale) => {
  const browser = vi.spyOn(navigator, 'language', 'get').mockReturnValue(language);
  const clock = vi
    .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    .mockReturnValue({ timeZone: 'UTC', locale: 'en-US' } as Intl.ResolvedDateTimeFormatOptions);
  const empty = emptySetUp('t');
  browser.mockRestore();
  clock.mockRestore();
  expect(empty.market.locale).toBe(locale);
  const { error } = SetUpForm.safeParse(empty);
  expect(error?.issues.map(({ path }) => path.join('.'))).not.toContain('market.locale');
});

it.each([
  ['de-AT', 'Europe/Vienna', 'AT', 'metric'],
  ['en-US', 'America/Chicago', 'US', 'us'],
  // Many people far from America have a browser in its English.
  ['en-US', 'Asia/Dubai', 'AE', 'metric'],
  ['en-IE', 'UTC', 'IE', 'metric'],
])('begins in the country of a browser in %s at %s', (language, timeZone, country, units) => {
  const browser = vi.spyOn(navigator, 'language', 'get').mockReturnValue(language);
  const clock = vi
    .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    .mockReturnValue({ timeZone, locale: 'en-US' } as Intl.ResolvedDateTimeFormatOptions);
  const { market } = emptySetUp('t');
  browser.mockRestore();
  clock.mockRestore();
  expect([market.country, market.unitSystem, market.languages]).toEqual([country, units, ['en']]);
});

it('refuses passwords that differ, also while the rest is empty', () => {
  const empty = emptySetUp('t');
  const admin = { ...empty.admin, password: 'secret1', confirmPassword: 'secret2' };
  const { error } = SetUpForm.safeParse({ ...empty, admin });
  const messages = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  expect(messages).toContain('admin.confirmPassword: Passwords do not match');
  expect(messages).toContain('market.name: Market name is required');
});
