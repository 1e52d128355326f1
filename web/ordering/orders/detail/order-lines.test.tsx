// @vitest-environment happy-dom

import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { OrderLine } from '#contract/ordering/changes/order-lines';
import { aLine, anOrderOf } from '../../../platform/testing/proposals.ts';
import { OrderLines } from './OrderLines.tsx';

afterEach(cleanup);

const product = (over: Partial<OrderLine['product']>) => ({ ...aLine(1).product, ...over });
const size = { _id: 'size', label: 'bag of 5 kg', content: 5 };

it.each<[string, Partial<OrderLine>, words: string[], not: string[]]>([
  [
    'a size',
    { product: product({ unit: 'kg' }), size, quantity: 2, orderedQuantity: 2, price: 500 },
    ['(bag of 5 kg)', '2 × bag of 5 kg', '2 × ₨500.00', '₨500.00 each', '₨100.00 per kg'],
    ['2 pieces', 'per kg each', '₨500.00 per kg'],
  ],
  [
    'pieces in words of the farm',
    {
      product: product({ unit: 'each', unitLabel: { one: 'jar', other: 'jars' } }),
      ...{ quantity: 3, orderedQuantity: 3, price: 6, net: { amount: 250, unit: 'g' } },
    },
    ['3 jars', '₨6.00 per jar', '₨24.00 per kg'],
    [],
  ],
  [
    'kilograms',
    { product: product({ unit: 'kg' }), quantity: 2, orderedQuantity: 2, price: 500 },
    ['2 kg', '₨500.00 per kg'],
    ['each'],
  ],
  [
    'what is priced by weight',
    {
      product: product({ unit: 'lb' }),
      ...{ quantity: 2, orderedQuantity: 2, price: 5, pieceWeight: { average: 3 } },
    },
    ['2 pieces', '₨5.00 per lb', '₨11.02 per kg'],
    [],
  ],
])('says of a line of %s what one and what a kilogram costs', (_, over, words, not) => {
  render(<OrderLines order={anOrderOf([aLine(1, over)])} />);
  const text = (screen.getByRole('table').textContent ?? '').replace(/\s+/g, ' ');
  for (const each of words) expect(text).toContain(each);
  for (const each of not) expect(text).not.toContain(each);
});
