// @vitest-environment happy-dom

import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { BulkBar } from './BulkBar.tsx';
import type { BulkChange } from './bulk.ts';

afterEach(() => {
  cleanup();
  setMarket(DEFAULT_MARKET);
});

const product = (name: string, over: Partial<Product> = {}) =>
  ({ _id: name, name, unit: 'kg', price: 2, quantityAvailable: 5, ...over }) as Product;

async function open(products: readonly Product[]) {
  const changes: BulkChange[] = [];
  render(
    <BulkBar
      products={products}
      isPending={false}
      onChange={(change) => changes.push(change)}
      onClear={() => undefined}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Set stock' }));
  const save = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Save' });
  return { changes, field: await screen.findByLabelText<HTMLInputElement>('Stock of each'), save };
}

describe('the stock of several products', () => {
  it('is set in steps that suit all of them, with a comma too', async () => {
    const products = [product('Beets', { step: 0.5 }), product('Carrots', { step: 0.25 })];
    const { changes, field, save } = await open(products);
    await userEvent.type(field, '12,5');
    await userEvent.click(await save());
    expect(changes).toEqual([{ kind: 'stock', to: 12.5 }]);
  });

  it('is read as the market writes numbers', async () => {
    setMarket({ ...DEFAULT_MARKET, locale: 'id-ID' });
    const { changes, field, save } = await open([product('Beets', { step: 0.5 })]);
    await userEvent.type(field, '1.200');
    await userEvent.click(await save());
    expect(changes).toEqual([{ kind: 'stock', to: 1200 }]);
  });

  it('is asked about where only the other reading fits', async () => {
    const { changes, field, save } = await open([product('Leeks')]);
    await userEvent.type(field, '1.200');
    expect((await save()).disabled).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: '1,200' }));
    await userEvent.click(await save());
    expect(changes).toEqual([{ kind: 'stock', to: 1200 }]);
  });

  it('is refused by name where it does not suit one', async () => {
    const { field, save } = await open([
      product('Beets', { step: 0.5, minimum: 1 }),
      product('Leeks', { unit: 'bunch' }),
    ]);
    await userEvent.type(field, '1,5');
    await screen.findByText('Leeks is stocked in steps of 1 bunch.');
    expect((await save()).disabled).toBe(true);
    await userEvent.clear(field);
    await userEvent.type(field, '1.2');
    await screen.findByText('Beets is stocked in steps of 0.5 kg.');
  });

  it.each(['', '-1', '1e3', '1,2,3', '1000001', '0.0005'])('is not %j', async (text) => {
    const { field, save } = await open([product('Salt', { step: 0.001 })]);
    if (text !== '') {
      await userEvent.type(field, text);
      await screen.findByText('Enter a number, such as 12 or 0.5.');
    }
    expect((await save()).disabled).toBe(true);
  });
});

it('a price of several products is lowered and set in the numbers of the market', async () => {
  setMarket({
    ...DEFAULT_MARKET,
    locale: 'id-ID',
    currency: { ...DEFAULT_MARKET.currency, decimals: 0 },
  });
  const changes: BulkChange[] = [];
  render(
    <BulkBar
      products={[product('Rice', { price: 2_000_000 })]}
      isPending={false}
      onChange={(change) => changes.push(change)}
      onClear={() => undefined}
    />,
  );
  for (const [kind, label, text] of [
    ['amount', /^Amount/, '−25.000'],
    ['percent', /^Percent/, '-2,5'],
    ['set', /^Amount/, '1.250.000'],
  ] as const) {
    await userEvent.click(screen.getByRole('button', { name: 'Change price' }));
    await userEvent.selectOptions(await screen.findByLabelText('How'), kind);
    await userEvent.type(screen.getByLabelText(label), text);
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  }
  expect(changes).toEqual([
    { kind: 'price', by: { kind: 'amount', value: -25_000 } },
    { kind: 'price', by: { kind: 'percent', value: -2.5 } },
    { kind: 'price', by: { kind: 'set', value: 1_250_000 } },
  ]);
});
