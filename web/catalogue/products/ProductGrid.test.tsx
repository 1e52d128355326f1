// @vitest-environment happy-dom

import { render, screen } from '@testing-library/react';
import { createStore, Provider } from 'jotai';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { product } from '../../app/testing/world.ts';
import { isHydratedAtom } from '../../platform/hooks/hydration.ts';
import { isTraversal } from '../../platform/hooks/scroll-memory.ts';
import { ProductGrid } from './ProductGrid.tsx';

vi.mock('../../platform/hooks/scroll-memory.ts', () => ({ isTraversal: vi.fn(() => false) }));

const products: Product[] = Array.from({ length: 24 }, (_, index) => product(index + 1));
let isPhone = true;

beforeEach(() => {
  isPhone = true;
  vi.stubGlobal('matchMedia', () => ({ matches: isPhone }));
});
afterEach(() => {
  vi.mocked(isTraversal).mockReturnValue(false);
  vi.unstubAllGlobals();
});

/** Returns how many cards are there at once. */
function countAtOnce({ isTakenOver = false } = {}): number {
  const state = createStore();
  state.set(isHydratedAtom, !isTakenOver);
  const html = renderToString(
    <Provider store={state}>
      <ProductGrid products={products} />
    </Provider>,
  );
  return html.split('<article').length - 1;
}

it('shows a phone the first cards at once, and then all', async () => {
  expect(countAtOnce()).toBe(2);
  render(<ProductGrid products={products} />);
  expect(await screen.findAllByRole('article')).toHaveLength(24);
  // Nothing is left of the room that was kept for them.
  expect(screen.getAllByRole('listitem', { hidden: true })).toHaveLength(24);
});

it('shows all at once where the server has, where there is room, and on the way back', () => {
  expect(countAtOnce({ isTakenOver: true })).toBe(24);
  isPhone = false;
  expect(countAtOnce()).toBe(24);
  isPhone = true;
  vi.mocked(isTraversal).mockReturnValue(true);
  expect(countAtOnce()).toBe(24);
});
