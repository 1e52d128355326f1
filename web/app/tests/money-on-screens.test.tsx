// @vitest-environment happy-dom

import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { CartLines } from '../../ordering/cart/CartLines.tsx';
import { cartAtom, EMPTY_CART } from '../../ordering/cart/rules.ts';
import { OrderLines } from '../../ordering/orders/detail/OrderLines.tsx';
import { WeighLine } from '../../ordering/picklist/pack/WeighLine.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser } from '../../platform/testing/network.ts';
import { aLine, anOrderOf } from '../../platform/testing/proposals.ts';
import { Providers } from '../Providers.tsx';

// What the screens say that pieces cost, which are weighed later, in currencies of every kind: the digits are worked
// out here in integers and text alone.

afterEach(() => {
  store.set(cartAtom, EMPTY_CART);
  store.set(userAtom, null);
  setMarket(DEFAULT_MARKET);
});

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

interface Goods {
  priceMinor: number;
  pieceMilli: number;
  pieces: number;
}

const upTo = (max: number) =>
  fc.oneof(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max }));
const goods: fc.Arbitrary<Goods> = fc
  .record({
    priceMinor: upTo(900_000),
    pieceMilli: upTo(30_000),
    pieces: fc.integer({ min: 1, max: 40 }),
  })
  .filter(({ priceMinor, pieceMilli }) => priceMinor * pieceMilli >= 1000);

/** What so many thousandths cost, half up. */
const costOf = (priceMinor: number, milli: number): bigint =>
  (BigInt(priceMinor) * BigInt(milli) * 2n + 1000n) / 2000n;

/** A number of smallest parts as its digits: '1234.50'. */
function digitsOf(minor: bigint, decimals: number): string {
  const padded = String(minor).padStart(decimals + 1, '0');
  return decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}

/** An amount on the screen without its sign and the marks between its digits. */
const shownDigits = (text: string | null): string => (text ?? '').replace(/[^\d.]/g, '');

describe.each([0, 2, 3])('in a currency with %i decimals', (decimals) => {
  const wireOf = (minor: number | bigint): number => Number(minor) / 10 ** decimals;
  beforeEach(() => {
    setMarket({ ...DEFAULT_MARKET, currency: { ...DEFAULT_MARKET.currency, decimals } });
    store.set(tokenAtom, aToken);
    store.set(userAtom, aUser('consumer'));
  });

  it('the cart says what the pieces of each line come to', () => {
    const all = fc.sample(goods, 20);
    store.set(cartAtom, {
      farmerId: id(900),
      farmerName: 'Green Valley',
      lines: all.map(({ priceMinor, pieceMilli, pieces }, index) => ({
        productId: id(index),
        name: `Product ${index}`,
        image: null,
        price: wireOf(priceMinor),
        quantity: pieces,
        pieceWeight: { average: pieceMilli / 1000 },
      })),
    });
    render(
      <Providers>
        <CartLines details={new Map()} news={[]} />
      </Providers>,
    );
    const shown = screen
      .getAllByRole('listitem')
      .map((row) => shownDigits(row.querySelector('.font-semibold.tabular')?.textContent ?? null));
    expect(shown).toEqual(
      all.map(({ priceMinor, pieceMilli, pieces }) =>
        digitsOf(costOf(priceMinor, pieceMilli * pieces), decimals),
      ),
    );
  });

  it('an order says what each line and all of it come to, and what a shorter one came to before', () => {
    const all = fc.sample(goods, 20);
    const items = all.map(({ priceMinor, pieceMilli, pieces }, index) => {
      const total = costOf(priceMinor, pieceMilli * pieces);
      const line = aLine(index, {
        price: wireOf(priceMinor),
        quantity: pieces,
        orderedQuantity: pieces + 1,
        state: 'reduced',
        pieceWeight: { average: pieceMilli / 1000 },
        total: wireOf(total),
        isFinal: false,
      });
      return { ...line, _id: `line-${index}` };
    });
    const sum = all.reduce(
      (minor, { priceMinor, pieceMilli, pieces }) =>
        minor + costOf(priceMinor, pieceMilli * pieces),
      0n,
    );
    const order = anOrderOf(items, { totalAmount: wireOf(sum), estimatedTotal: wireOf(sum) });
    const { container } = render(
      <Providers>
        <OrderLines order={{ ...order, isTotalFinal: false }} />
      </Providers>,
    );
    const words = container.textContent ?? '';
    const digits = (words.match(/[\d,]+(\.\d+)?/g) ?? []).map(shownDigits);
    for (const { priceMinor, pieceMilli, pieces } of all) {
      expect(digits).toContain(digitsOf(costOf(priceMinor, pieceMilli * pieces), decimals));
      expect(digits).toContain(digitsOf(costOf(priceMinor, pieceMilli * (pieces + 1)), decimals));
    }
    expect(digits).toContain(digitsOf(sum, decimals));
  });

  it('the scale says what a slip of the decimal point would cost', async () => {
    for (const { priceMinor, pieceMilli, pieces } of fc.sample(goods, 3)) {
      const packedMilli = pieceMilli * pieces * 11;
      const line = {
        lineId: 'line',
        product: { _id: null, name: 'Chicken', unit: 'kg' as const, image: null },
        quantity: pieces,
        orderedQuantity: pieces,
        price: wireOf(priceMinor),
        pieceWeight: { average: pieceMilli / 1000 },
        estimate: 1,
        isFinal: false,
        total: 1,
        printed: 0,
      };
      render(
        <Providers>
          <WeighLine order={{} as PickOrder} line={line} label="Weight" />
        </Providers>,
      );
      await userEvent.type(screen.getByLabelText(/^Weight/), `${packedMilli / 1000}{Enter}`);
      const said = screen.getByText(/the price would be/).textContent ?? '';
      const [, price] = /would be (.*?)\. Check/.exec(said) ?? [];
      expect(shownDigits(price ?? null)).toBe(digitsOf(costOf(priceMinor, packedMilli), decimals));
      cleanup();
    }
  });
});
