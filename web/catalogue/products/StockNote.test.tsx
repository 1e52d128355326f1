// @vitest-environment happy-dom

import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { StockNote } from './ProductGrid.tsx';

afterEach(cleanup);

const product = (quantityAvailable: number, over: Partial<Product> = {}) =>
  ({ quantityAvailable, unit: 'kg', ...over }) as Product;

it.each([
  [10, {}, ''],
  [3, {}, 'Only 3 kg left'],
  [1.3, { step: 0.1 }, 'Only 1.3 kg left'],
  [0, {}, 'Sold out'],
  // Less than can be ordered at once is sold out for customers.
  [0.4, { step: 0.1, minimum: 0.5 }, 'Sold out'],
  [0.9, {}, 'Sold out'],
  [19, { minimum: 20 }, 'Sold out'],
])('says of %d left in %o: %s', (left, steps, text) => {
  const { container } = render(<StockNote product={product(left, steps)} />);
  expect(container.textContent).toBe(text);
});
