// @long It draws the pictures of the demo market.

import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeFile } from '../server/catalogue/imports/export.ts';
import { seedMarket } from './seed-market.ts';
import { openMarket } from './testing/open-market.ts';

const now = new Date('2026-03-18T09:30:00.000Z');
/** Ids of products and sizes, and addresses of pictures, which are others in each market. */
const OWN = /(?:\/uploads\/)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.webp)?/g;

let market: Awaited<ReturnType<typeof openMarket>>;
beforeAll(async () => {
  market = await openMarket();
  await seedMarket(market, now);
});
afterAll(() => market.close());

it('writes the example of a file of products: the demo farm’s own', async () => {
  const farm = await market.db.farmerProfile.findFirstOrThrow({
    where: { farmName: 'Green Valley Farm' },
  });
  const file = await text(Readable.from(writeFile(market.db, farm.userId)));
  await expect(
    file.replace('\ufeff', '').replace(OWN, '').replaceAll('\r\n', '\n'),
  ).toMatchFileSnapshot('../docs/products.csv');
});
