import { expect, it } from 'vitest';
import { closeAfter, makeCategory, startTestMarket } from '../../testing/market.ts';
import { uploadProducts } from '../../testing/product-file.ts';

const market = closeAfter(await startTestMarket());
await makeCategory(market.platform);
const farmer = await market.join('farmer');
const HEAD = 'name,description,category,unit,price,stock';
const ROW = 'Kale,Good.,Vegetables,kg,2,10';
const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
    ),
  );
const utf16 = (text: string, isBig = false) => {
  const buffer = Buffer.from(text, 'utf16le');
  return new Uint8Array(isBig ? buffer.swap16() : buffer);
};

it.each<[string, string | Uint8Array<ArrayBuffer>, number, RegExp]>([
  ['nothing', '', 400, /empty/],
  ['white space', ' \n\n ', 400, /empty/],
  ['2 MB of commas', ','.repeat(2 * 1024 * 1024), 400, /too long/],
  ['2 MB of commas below headings', `${HEAD}\n${','.repeat(2_000_000)}`, 400, /too long/],
  ['too many bytes', 'x'.repeat(2 * 1024 * 1024 + 1), 413, /2 MB/],
  [
    '10,000 columns',
    `${Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(',')}\n`,
    400,
    /too long/,
  ],
  ['a bomb of quotes', `${HEAD}\n${'"'.repeat(2_000_000)}`, 400, /too long/],
  ['many lines of a quote', `${HEAD}\n${'"\n'.repeat(1_000_000)}`, 400, /no products below/],
  ['quotes that are not closed', `${HEAD}\n"Kale,Good.`, 400, /not closed/],
  ['rows of a quote each', `${HEAD}\n${'a"\n'.repeat(600_000)}`, 413, /2,000 rows/],
  ['pairs of quotes', `${HEAD}\n${'"""",'.repeat(400_000)}`, 400, /too long/],
  ['headings alone', `${HEAD}\n`, 400, /no products below/],
  ['line breaks alone', '\n'.repeat(2_000_000), 400, /empty/],
  ['NUL', `${HEAD}\nKa\0le,a,b,c,d,e`, 400, /can't be read as text/],
  ['headings twice', `name,price,name\n${ROW}`, 400, /“name” is there twice/],
  ['unknown headings', `name,colour\nKale,green`, 400, /“colour” is no column/],
  ['no headings', `${ROW}\n`, 400, /“Kale” is no column/],
  ['neither name nor id', 'price,stock\n1,2', 400, /“name” or “id”/],
  ['2,001 rows', `name\n${'Kale\n'.repeat(2001)}`, 413, /2,000 rows/],
  ['a spreadsheet', bytes([0x50, 0x4b, 3, 4], 'xl/worksheets'), 400, /Save it as CSV/],
  ['a picture', bytes([0x89], 'PNG\r\n'), 400, /picture/],
])('answers %s with what is wrong', async (_, file, status, sentence) => {
  const answer = await uploadProducts(market.url, farmer, file);
  expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(sentence)]);
});

it.each<[string, string | Uint8Array<ArrayBuffer>, object]>([
  ['UTF-8 with a mark', bytes([0xef, 0xbb, 0xbf], `${HEAD}\n${ROW}`), { encoding: 'utf-8' }],
  ['UTF-16', utf16(`\ufeff${HEAD}\n${ROW}`), { encoding: 'utf-16le' }],
  ['UTF-16 the other way', utf16(`\ufeff${HEAD}\n${ROW}`, true), { encoding: 'utf-16be' }],
  ['UTF-16 without a mark', utf16(`${HEAD}\n${ROW}`), { encoding: 'utf-16le' }],
  [
    'Windows-1252',
    new Uint8Array(Buffer.from(`${HEAD}\n${ROW.replace('Kale', 'Gr\xfcnkohl')}`, 'latin1')),
    { encoding: 'windows-1252', rows: [{ name: 'Grünkohl', outcome: 'new' }] },
  ],
  [
    'semicolons',
    `${HEAD};${ROW}`.replaceAll(',', ';').replace('stock;', 'stock\n').replace(';2;', ';2,5;'),
    { separator: ';', decimal: 'comma' },
  ],
  ['tabs', `${HEAD}\n${ROW}`.replaceAll(',', '\t'), { separator: '\t' }],
  ['Mac line breaks', `${HEAD}\r${ROW}\r`, { rows: [{ line: 2 }] }],
])('reads %s', async (_, file, expected) => {
  const { status, body } = await uploadProducts(market.url, farmer, file);
  expect([status, body.data]).toMatchObject([201, { rows: [{ outcome: 'new' }], ...expected }]);
});

it('names the lines of the file as an editor counts them', async () => {
  const file = `${HEAD}\n\n"Two\nlines",a,b,kg,x,1\n\n\n,,,,,\nKale,"a\r\nb",Vegetables,kg,1e9,1\nLeek,a,b,kg\n`;
  const { body } = await uploadProducts(market.url, farmer, file);
  expect(body.data.rows.map(({ line, column }) => [line, column])).toEqual([
    [3, 'price'],
    [8, 'price'],
    [10, 'category'],
  ]);
});

it('refuses a row in whose middle the file ends, and one with more cells than headings', async () => {
  const { body } = await uploadProducts(market.url, farmer, `${HEAD}\n${ROW},x\nLeek,Good.,Veg`);
  expect(body.data.rows).toMatchObject([
    { outcome: 'refused', reason: expect.stringMatching(/more cells/) },
    { outcome: 'refused', reason: expect.stringMatching(/middle of this row/) },
  ]);
});

it('quotes only the beginning of a cell that is far too long', async () => {
  const rows = [
    ROW.replace(',2,', `,${'x'.repeat(60_000)},`),
    ROW.replace('Vegetables', 'y'.repeat(60_000)),
  ];
  const { body } = await uploadProducts(
    market.url,
    farmer,
    [HEAD, ...rows.map((row, i) => `${i}${row}`)].join('\n'),
  );
  expect(body.data.rows).toMatchObject([{ column: 'price' }, { column: 'category' }]);
  for (const { reason } of body.data.rows) expect(reason?.length).toBeLessThan(100);
});

it.each([
  ['harvestDate', '03/05/2026', /YYYY-MM-DD/],
  ['harvestDate', '2026-02-30', /YYYY-MM-DD/],
  ['price', '1e9', /no number/],
  ['price', '0', /price/],
  ['stock', '-1', /quantity/],
  ['stock', '', /quantity/],
  ['availability', 'unlimited', /counted or always/],
  ['organic', 'perhaps', /yes or no/],
  ['allergens', 'milk plutonium', /plutonium/],
  ['image', '/uploads/00000000-0000-4000-8000-000000000000.webp', /wasn't uploaded/],
  ['image', 'http://example.com/a.jpg', /https/],
])('refuses %s of %j', async (column, cell, sentence) => {
  const base: Record<string, string> = {
    ...{ name: 'Kale', description: 'Good.', category: 'vegetables', unit: 'KG' },
    ...{ price: '2', stock: '10', [column]: cell },
  };
  const file = `${Object.keys(base).join(';')}\n${Object.values(base).join(';')}\n`;
  const { body } = await uploadProducts(market.url, farmer, file);
  expect(body.data.rows).toMatchObject([
    { outcome: 'refused', column, reason: expect.stringMatching(sentence) },
  ]);
});
