import { afterEach, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket, theMarket } from '#contract/platform/market/constants';
import { countryChoices, isCountry, usualCountry } from '#contract/platform/market/countries';
import { closeAfter, startTestMarket } from '../../testing/market.ts';
import { presentMarket } from './settings.ts';

const market = closeAfter(await startTestMarket());
afterEach(() => setMarket(DEFAULT_MARKET));

it.each([
  ['PKR', 'Asia/Karachi', 'en-US', 'PK', 'metric'],
  ['PKR', 'UTC', 'en-US', 'PK', 'metric'],
  ['EUR', 'Europe/Berlin', 'en-US', 'DE', 'metric'],
  ['EUR', 'Europe/Dublin', 'en-GB', 'IE', 'metric'],
  ['EUR', 'UTC', 'fr-FR', 'FR', 'metric'],
  ['USD', 'America/New_York', 'en-US', 'US', 'us'],
  ['INR', 'Asia/Kolkata', 'en-IN', 'IN', 'metric'],
  ['GBP', 'Europe/London', 'en-GB', 'GB', 'metric'],
  ['AED', 'Asia/Dubai', 'en-US', 'AE', 'metric'],
  ['LRD', 'Africa/Monrovia', 'en-US', 'LR', 'us'],
  ['MMK', 'Asia/Yangon', 'my-MM', 'MM', 'us'],
  ['XOF', 'Africa/Dakar', 'fr-FR', 'SN', 'metric'],
  ['ANG', 'America/Curacao', 'nl-NL', 'CW', 'metric'],
  // A former country's money, no zone of a country, and a language without one.
  ['YUM', 'UTC', 'de', 'DE', 'metric'],
  ['XAU', 'Etc/GMT+5', 'eo', 'PK', 'metric'],
] as const)('of %s, %s and %s the country is %s until an admin says it', async (...given) => {
  const [currencyCode, timeZone, locale, country, unitSystem] = given;
  const row = await market.platform.db.marketSettings.findUniqueOrThrow({ where: { id: 1 } });
  expect([row.country, row.unitSystem, row.languages]).toEqual([null, null, ['en']]);
  const shown = presentMarket({ ...row, currencyCode, timeZone, locale });
  expect(shown).toMatchObject({ country, unitSystem, languages: ['en'] });
});

it.each([
  [['kg', 'g', 'each'], { country: 'DE' }, ['kg', 'g', 'each', 'l', 'ml']],
  [['g', 'each'], { country: 'DE' }, ['g', 'each']],
  [['lb', 'kg'], { country: 'US' }, ['lb', 'kg']],
  [['lb', 'kg'], { country: 'DE', unitSystem: 'us' }, ['lb', 'kg']],
  [['lb', 'kg'], { country: 'US', unitSystem: 'metric' }, ['lb', 'kg', 'l', 'ml']],
  [['kg', 'each'], { country: 'DE', addsLitres: false }, ['kg', 'each']],
] as const)('of %j chosen before there were litres, %j offers %j', async (units, over, offered) => {
  const row = await market.platform.db.marketSettings.findUniqueOrThrow({ where: { id: 1 } });
  expect(row.addsLitres).toBe(true);
  expect(presentMarket({ ...row, units: [...units], ...over }).units).toEqual(offered);
});

it('knows zones by any of their names', () => {
  const of = (timeZone: string) => usualCountry({ currency: 'EUR', timeZone, locale: 'en-US' });
  expect([of('Europe/Kyiv'), of('Europe/Kiev'), of('Asia/Kolkata')]).toEqual(['UA', 'UA', 'IN']);
  expect(of('Mars/Base')).toBe('US');
});

it('stays what an admin saved, whatever money and clock become later', async () => {
  const admin = await market.join('admin');
  const saved = await market.put('/market', admin, { country: 'ie', languages: ['de', 'en'] });
  expect(saved.body.data).toMatchObject({ country: 'IE', languages: ['de', 'en'] });
  await market.put('/market', admin, { timeZone: 'America/New_York', locale: 'en-US' });
  const { body } = await market.get('/market');
  expect(body.data).toMatchObject({ country: 'IE', unitSystem: 'metric', languages: ['de', 'en'] });
  await market.put('/market', admin, { country: 'PK', languages: ['en'] });
});

it.each([
  ['country', 'ZZ'],
  ['country', 'EU'],
  ['country', 'DDR'],
  ['country', ''],
  ['country', null],
  ['unitSystem', 'imperial'],
  ['languages', []],
  ['languages', ['en', 'en']],
  ['languages', 'en'],
] as const)('refuses %s %j', async (path, value) => {
  const admin = await market.join('admin');
  const { status, body } = await market.put('/market', admin, { [path]: value });
  expect([status, body.errors?.[0]?.path]).toEqual([400, path]);
});

it('refuses a language that the product does not speak', async () => {
  const admin = await market.join('admin');
  const { status, body } = await market.put('/market', admin, { languages: ['en', 'fr'] });
  expect([status, body.errors?.[0]?.path]).toEqual([400, 'languages.1']);
});

it('shows no language that this release does not speak', async () => {
  const row = await market.platform.db.marketSettings.findUniqueOrThrow({ where: { id: 1 } });
  expect(presentMarket({ ...row, languages: ['fr', 'ur'] }).languages).toEqual(['ur']);
  expect(presentMarket({ ...row, languages: ['fr'] }).languages).toEqual(['en']);
});

it('reads settings of a former release, which says less', () => {
  setMarket({ ...DEFAULT_MARKET, country: 'DE', languages: ['de'] });
  const { country: _, unitSystem: __, languages: ___, ...former } = DEFAULT_MARKET;
  setMarket({ ...former, name: 'Hill Market' });
  expect(theMarket()).toMatchObject({ name: 'Hill Market', country: 'DE', languages: ['de'] });
});

it('lists the countries of ISO 3166-1 by name', () => {
  const codes = countryChoices().map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(240);
  expect(codes).toEqual(expect.arrayContaining(['PK', 'DE', 'AE', 'SG', 'HK', 'GB', 'US']));
  expect(['EU', 'UN', 'XA', 'ZZ', 'DD', 'UK', 'pk', '', 'P'].filter(isCountry)).toEqual([]);
  expect(countryChoices('de').find(({ code }) => code === 'DE')?.name).toBe('Deutschland');
});
