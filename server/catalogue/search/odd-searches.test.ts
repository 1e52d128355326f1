import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  makeCategory,
  productInput,
  startTestMarket,
  type TestMarket,
} from '../../testing/market.ts';

let market: TestMarket;
let vegetables: string;

beforeAll(async () => {
  market = await startTestMarket();
  vegetables = await makeCategory(market.platform);
  const farmer = await market.join('farmer');
  for (const name of ['Eggs', 'Duck Eggs', 'Eggplant']) {
    await market.call('POST', '/products', {
      as: farmer,
      body: productInput(vegetables, { name }),
    });
  }
});
afterAll(() => market.close());

it('answers any search with any filters, never with a failure', async () => {
  const words = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.string({
      unit: fc.constantFrom(...'egs %_\\\'"🥕(*\u0000İß'),
    }),
    fc.constantFrom(
      'a',
      'a'.repeat(200),
      'egg '.repeat(50).trim(),
      '...',
      '[[:alpha:]]',
      '(eggs',
      '\\m\\eggs',
      '🥕🥕🥕',
    ),
  );
  const query = fc.record(
    {
      search: words,
      sort: fc.constantFrom('relevance', 'newest', 'price-asc'),
      organic: fc.constantFrom('true', 'false', 'TRUE'),
      orderType: fc.constantFrom('pickup', 'delivery'),
      minPrice: fc.constantFrom('0', '2', '1e309', '-1', 'NaN', '1e6', '9e9', '20000000'),
      maxPrice: fc.constantFrom('0', '1', '20000000', '20000000.01', '0.001'),
      category: fc.constantFrom(vegetables.toUpperCase(), 'x', crypto.randomUUID()),
      cursor: fc.constantFrom('', 'WyJyZWxldmFuY2UiLDAsIjIwMjYiLCJhIl0'),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(query, async (given) => {
      const params = new URLSearchParams(given as Record<string, string>);
      for (const path of ['/products', '/products/facets']) {
        const { status, body } = await market.call('GET', `${path}?${params}`);
        expect([200, 400], JSON.stringify(body)).toContain(status);
      }
    }),
    { numRuns: 150 },
  );
});
