import { describe, expect, it } from 'vitest';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { closeAfter, makeCategory, sellProduct, startTestMarket } from '../../testing/market.ts';
import { changeMarket } from '../../testing/market-settings.ts';
import { uploadProducts } from '../../testing/product-file.ts';
import { importFile } from './testing/apply.ts';

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin');
const category = await makeCategory(market.platform);
await changeMarket(market, { units: [...UNITS] });

const download = async (as: { token: string }): Promise<string> => {
  const response = await fetch(`${market.url}/api/farm/products.csv`, {
    headers: { authorization: `Bearer ${as.token}` },
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer()).toString('utf8');
};

/** One product of each kind. */
const KINDS: Record<string, unknown>[] = [
  { name: 'In bunches' },
  { name: 'In steps', unit: 'kg', step: 0.25, minimum: 0.5, quantityAvailable: 12.25 },
  { name: 'Three decimals', unit: 'kg', step: 0.001, minimum: 1, quantityAvailable: 1.234 },
  { name: 'By the piece', unit: 'kg', soldBy: 'piece_by_weight', pieceWeight: { average: 1.5 } },
  { name: 'Always', availability: 'always', quantityAvailable: undefined, maxPerOrder: 5 },
  { name: 'Sold out', quantityAvailable: 0 },
  { name: 'Not on the market', isActive: false },
  { name: 'Words', unit: 'each', unitLabel: { one: 'jar', other: 'jars' }, sku: '=1+1' },
  { name: '🥕 Karotten “süß”; mit, allem', description: 'One\nTwo\n\n=three "four"' },
  { name: '=SUM(A1)', description: "-dash\n'quoted'" },
  { name: 'גזר מתוק', description: 'جزر حلو\n+1' },
  {
    name: 'In sizes',
    unit: 'kg',
    price: undefined,
    quantityAvailable: 100.5,
    allergens: ['milk', 'nuts'],
    harvestDate: '2026-03-05',
    availableUntil: '2026-04-05',
    images: ['https://example.com/a.jpg', 'https://example.com/b.jpg'],
    sizes: [
      { label: '1 kg', content: 1, price: 3, sku: 'S-1' },
      { label: '5 kg', content: 5, price: 12, isActive: false },
      { label: '0.125 kg', content: 0.125, price: 1, minimum: 4 },
    ],
  },
  {
    name: 'Sizes off the market',
    unit: 'l',
    price: undefined,
    isActive: false,
    allergens: 'none',
    sizes: [
      { label: 'Bottle', content: 0.75, price: 3 },
      { label: 'Crate', content: 9, price: 30, isActive: false },
    ],
  },
];

describe.each([
  ['en-US', 'USD', 2],
  ['de-DE', 'EUR', 2],
  ['ja-JP', 'JPY', 0],
  ['ar-KW', 'KWD', 3],
])('the farm’s own file in %s with %s', (locale, currencyCode, currencyDecimals) => {
  it('changes nothing, twice', async () => {
    await changeMarket(market, {
      ...{ locale, currencyCode, currencyDecimals, units: [...UNITS] },
    });
    const farmer = await market.join('farmer');
    for (const kind of KINDS) await sellProduct(market, farmer, category, { price: 4, ...kind });
    const odd = [1234, 12.5, 1234.5, 1.234][currencyDecimals];
    await sellProduct(market, farmer, category, { name: 'An odd price', price: odd });
    const gone = await makeCategory(market.platform, 'Gone');
    await sellProduct(market, farmer, gone, { name: 'Without a category', price: 4 });
    await market.delete(`/categories/${gone}`, admin);
    const hidden = await sellProduct(market, farmer, category, { name: 'Hidden', price: 4 });
    const hiding = { hidden: true, reason: 'A mistake.' };
    await market.put(`/products/${hidden}/hiding`, admin, hiding);

    for (let time = 0; time < 2; time++) {
      const { status, body } = await uploadProducts(market.url, farmer, await download(farmer));
      expect(status).toBe(201);
      expect(body.data.rows.filter(({ outcome }) => outcome !== 'unchanged')).toEqual([]);
      expect(body.data).toMatchObject({ state: 'done', encoding: 'utf-8', total: 0 });
      expect(body.data.separator).toBe(locale === 'de-DE' ? ';' : ',');
    }
  });
});

it('is the same again in another farm, once its ids are taken out', async () => {
  const [one, other] = [await market.join('farmer'), await market.join('farmer')];
  for (const kind of KINDS) {
    if (kind.images || kind.soldBy) continue;
    await sellProduct(market, one, category, { price: 4, ...kind });
  }
  const file = await download(one);
  const { body } = await uploadProducts(market.url, other, file);
  expect(new Set(body.data.rows.map(({ outcome }) => outcome))).toEqual(new Set(['refused']));
  // Both ids stand alone in their cells.
  const moved = file.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '');
  const done = await importFile(market, other, moved);
  expect(done.rows.filter(({ result }) => result !== 'written')).toEqual([]);
  const strip = (text: string) =>
    text
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '')
      .split('\r\n')
      .sort();
  expect(strip(await download(other))).toEqual(strip(file));
});
