// @vitest-environment happy-dom

import { QueryClient } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { store, tokenAtom, userAtom } from '../../../platform/session/session.ts';
import { aToken, aUser } from '../../../platform/testing/network.ts';
import { StockRow } from './StockRow.tsx';
import { stockSaver } from './stock-saver.ts';

const size = (label: string, content: number, over = {}) => ({
  _id: label,
  label,
  content,
  price: content * 2,
  isActive: true,
  ...over,
});
const carrots = {
  _id: '22222222-0000-4000-8000-000000000001',
  name: 'Carrots',
  category: null,
  price: 2,
  unit: 'kg',
  soldBy: 'unit',
  availability: 'counted',
  quantityAvailable: 12.5,
  sizes: [size('1 kg', 1), size('5 kg', 5, { sku: 'C-5' }), size('25 kg', 25, { isActive: false })],
  images: [],
  isActive: true,
  version: 1,
} as unknown as Product;

let stop: () => void;
beforeEach(() => {
  localStorage.clear();
  store.set(tokenAtom, aToken);
  store.set(userAtom, aUser('farmer'));
  stop = stockSaver.watch(new QueryClient());
});
afterEach(() => {
  cleanup();
  for (const each of ['1 kg', '5 kg']) stockSaver.discard(`${carrots._id}:${each}`);
  stop();
});

const open = (product: Product) =>
  render(
    <ul>
      <StockRow
        product={product}
        isTicked={false}
        onTick={() => undefined}
        onVisible={() => undefined}
      />
    </ul>,
  );

describe('a product in sizes', () => {
  it('has one stock, what is left of each size that is on, and a price for each', () => {
    open(carrots);
    expect(screen.getByLabelText<HTMLInputElement>('Stock of Carrots').value).toBe('12.5');
    screen.getByText('12 × 1 kg, 2 × 5 kg left');
    expect(screen.queryByLabelText('Price of Carrots')).toBeNull();
    const price = (of: string) =>
      screen.getByLabelText<HTMLInputElement>(`Price of Carrots (${of})`).value;
    expect([price('1 kg'), price('5 kg'), price('25 kg')]).toEqual(['2.00', '10.00', '50.00']);
    screen.getByText('Off');
    screen.getByText('C-5');
  });

  it('takes what is typed as the price of that size', async () => {
    open(carrots);
    const field = screen.getByLabelText<HTMLInputElement>('Price of Carrots (5 kg)');
    await userEvent.clear(field);
    await userEvent.type(field, '11');
    expect(stockSaver.get(`${carrots._id}:5 kg`)).toMatchObject({ price: '11', status: 'edited' });
    expect(stockSaver.get(carrots._id).status).toBe('clean');
    expect(screen.getByLabelText<HTMLInputElement>('Price of Carrots (1 kg)').value).toBe('2.00');
  });

  it('is too little for an order where no size fits', () => {
    open({ ...carrots, quantityAvailable: 0.5 });
    expect(screen.getAllByText('Sold out')).toHaveLength(2);
    screen.getByText('Less than the smallest order of 1 kg');
  });
});

describe('what is always available', () => {
  const always = { ...carrots, sizes: undefined, availability: 'always', quantityAvailable: 1e6 };

  it('has no stock, and is not sold out', () => {
    open(always as unknown as Product);
    screen.getByText('Always available');
    expect(screen.queryByLabelText('Stock of Carrots')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Sold out: Carrots' })).toBeNull();
    expect(document.body.textContent).not.toContain('000');
    screen.getByLabelText('Price of Carrots');
  });
});
