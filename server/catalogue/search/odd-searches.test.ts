import fc from 'fast-check';
import { expect, it } from 'vitest';
import { closeAfter, makeCategory, productInput, startTestMarket } from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());
const vegetables = await makeCategory(market.platform);
const farmer = await market.join('farmer');
for (const name of ['Eggs', 'Duck Eggs', 'Eggplant']) {
  await market.post('/products', farmer, productInput(vegetables, { name }));
}

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
        const { status, body } = await market.get(`${path}?${params}`);
        expect([200, 400], JSON.stringify(body)).toContain(status);
      }
    }),
    { numRuns: 150 },
  );
});
