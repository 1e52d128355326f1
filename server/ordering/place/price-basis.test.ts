import { afterAll, expect, test } from 'vitest';
import { createOrderFixture } from '../testing/fixture.ts';

const fixture = await createOrderFixture();

afterAll(() => fixture.close());

test('refuses another basis of the price than the customer saw, with the new estimate', async () => {
  const chicken = await fixture.createProduct(5, {
    name: 'Chicken',
    unit: 'kg',
    priceMinor: 800,
  });
  const plums = await fixture.createProduct(5, { name: 'Plums', unit: 'kg' });
  const seen = { unit: 'kg', pieceWeight: { average: 1 } };
  await fixture.platform.db.product.update({
    where: { id: chicken },
    data: { pieceMilli: 1500 },
  });
  const head = await fixture.head();
  const { status, body } = await fixture.order([
    { product: chicken, quantity: 2, price: 8, priceBasis: seen },
    { product: plums, quantity: 2, price: 2.5, priceBasis: { unit: 'lb' } },
  ]);
  expect(await fixture.eventsAfter(head)).toEqual([]);
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'PRICE_CHANGED' });
  expect(body.errors).toEqual([
    {
      path: 'items.0.price',
      message:
        'Chicken is now sold by the piece, about 1.5 kg each, at ₨8.00 per kg. 2 pieces of it would be about ₨24.00.',
    },
    {
      path: 'items.1.price',
      message: 'Plums is now sold at ₨2.50 per kg. 1 kg of it would be ₨2.50.',
    },
  ]);
  expect(body.problems).toEqual([
    {
      line: 0,
      code: 'PRICE_CHANGED',
      price: 8,
      unit: 'kg',
      pieceWeight: { average: 1.5 },
      estimate: 24,
    },
    { line: 1, code: 'PRICE_CHANGED', price: 2.5, unit: 'kg', pieceWeight: null, estimate: 2.5 },
  ]);
  expect([await fixture.stockOf(chicken), await fixture.stockOf(plums)]).toEqual([5, 5]);
});

test.each([
  ['by the piece, seen by the unit', { unit: 'kg' }, 409],
  ['by the piece of another weight', { unit: 'kg', pieceWeight: { average: 1.499 } }, 409],
  ['per kg, seen per lb', { unit: 'lb', pieceWeight: { average: 1.5 } }, 409],
  ['as the customer saw it', { unit: 'kg', pieceWeight: { average: 1.5 } }, 201],
  ['as a client does not say it', undefined, 201],
  ['as in a unit that there is none', { unit: 'stone' }, 400],
])('answers an order of a product that is sold %s', async (_, priceBasis, status) => {
  const chicken = await fixture.createProduct(5, { unit: 'kg', pieceMilli: 1500 });
  const placed = await fixture.order([{ product: chicken, quantity: 2, price: 2.5, priceBasis }]);
  expect(placed.status, JSON.stringify(placed.body)).toBe(status);
});
