import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import {
  formatUnitPrice,
  type PricedGoods,
  unitPrice,
} from '#contract/platform/quantities/constants/unit-price';
import { NET_UNITS, UNITS } from '#contract/platform/quantities/constants/units';

afterEach(() => setMarket(DEFAULT_MARKET));

const adopt = (unitSystem: 'metric' | 'us', decimals = 2) =>
  setMarket({
    ...DEFAULT_MARKET,
    unitSystem,
    currency: { ...DEFAULT_MARKET.currency, decimals },
  });

/** A fraction, which nothing rounds. */
type Fraction = readonly [over: bigint, under: bigint];

const fraction = (text: string): Fraction => {
  const [whole = '', decimals = ''] = text.split('.');
  return [BigInt(whole + decimals), BigInt(`1${'0'.repeat(decimals.length)}`)];
};
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const by = (one: Fraction, [over, under]: Fraction): Fraction => times(one, [under, over]);

/** Grams and litres, as laws and tables print them. */
const PRINTED: Record<string, [kind: 'g' | 'l', Fraction]> = {
  g: ['g', fraction('1')],
  kg: ['g', fraction('1000')],
  oz: ['g', fraction('28.349523125')],
  lb: ['g', fraction('453.59237')],
  ml: ['l', fraction('0.001')],
  l: ['l', fraction('1')],
  gallon: ['l', fraction('3.785411784')],
  quart: ['l', by(fraction('3.785411784'), fraction('4'))],
  pint: ['l', by(fraction('3.785411784'), fraction('8'))],
};

/** The same, as it is worked out on paper: in fractions, and the last digit by what is left of the division. */
function onPaper(goods: PricedGoods, system: 'metric' | 'us', decimals: number) {
  const unit = goods.net ? goods.net.unit : goods.unit;
  if (system === 'metric' && ['pint', 'quart', 'gallon'].includes(unit)) return undefined;
  const printed = PRINTED[unit];
  if (!printed) return undefined;
  const [kind, inOne] = printed;
  const per = { metric: { g: 'kg', l: 'l' }, us: { g: 'lb', l: 'quart' } }[system][kind];
  const reference = PRINTED[per]?.[1] ?? fraction('1');
  let held = inOne;
  if (goods.net) held = times(held, fraction(String(goods.net.amount)));
  if (goods.size) held = times(held, fraction(String(goods.size.content)));
  const [parts, ofOne] = by(held, reference);
  if (parts === ofOne) return undefined;
  const [over, under] = times(
    by(fraction(goods.price.toFixed(decimals)), [parts, ofOne]),
    fraction(`1${'0'.repeat(decimals)}`),
  );
  const digits = over / under + ((over % under) * 2n >= under ? 1n : 0n);
  const text = String(digits).padStart(decimals + 1, '0');
  const point = text.length - decimals;
  return { amount: Number(`${text.slice(0, point)}.${text.slice(point)}`), per };
}

/** Numbers that are the same in every run. */
function makeRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    /** Of any magnitude, as often small as large. */
    upTo: (most: number) => Math.max(1, Math.round(most ** next())),
    one: <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)] as Item,
    isSo: () => next() < 0.5,
  };
}

describe.each(['metric', 'us'] as const)('in a market of the %s system', (system) => {
  it.each([0, 2, 3])('compares as a calculation in fractions, in %d decimals', (decimals) => {
    adopt(system, decimals);
    const { upTo, one, isSo } = makeRandom(decimals + 7);
    let shown = 0;
    for (let each = 0; each < 10_000; each++) {
      const unit = one(UNITS);
      const isCounted = ['each', 'bunch', 'dozen'].includes(unit);
      const goods: PricedGoods = {
        price: upTo(20_000_000) / 10 ** decimals,
        unit,
        ...(isCounted && { net: { amount: upTo(1_000_000) / 1000, unit: one(NET_UNITS) } }),
        ...(isSo() && { size: { content: isSo() ? upTo(20) : upTo(1_000_000) / 1000 } }),
      };
      const price = unitPrice(goods);
      if (price) shown++;
      expect(price, JSON.stringify(goods)).toEqual(onPaper(goods, system, decimals));
    }
    expect(shown).toBeGreaterThan(5000);
  });
});

describe('a price to compare by', () => {
  it.each<[string, PricedGoods, string | undefined]>([
    ['a size', { price: 500, unit: 'kg', size: { content: 5 } }, '₨100.00 per kg'],
    ['a size of just a kilogram', { price: 5, unit: 'kg', size: { content: 1 } }, undefined],
    ['a kilogram in grams', { price: 5, unit: 'g', size: { content: 1000 } }, undefined],
    ['a kilogram', { price: 5, unit: 'kg' }, undefined],
    ['a pound', { price: 5, unit: 'lb' }, '₨11.02 per kg'],
    ['an ounce', { price: 1, unit: 'oz' }, '₨35.27 per kg'],
    ['a litre', { price: 5, unit: 'l' }, undefined],
    ['millilitres', { price: 0.25, unit: 'ml' }, '₨250.00 per l'],
    ['a pint, which is another in each country', { price: 5, unit: 'pint' }, undefined],
    ['pieces', { price: 5, unit: 'each' }, undefined],
    ['a size of pieces', { price: 5, unit: 'each', size: { content: 6 } }, undefined],
    ['a jar', { price: 6, unit: 'each', net: { amount: 250, unit: 'g' } }, '₨24.00 per kg'],
    ['a jar of a kilogram', { price: 6, unit: 'each', net: { amount: 1, unit: 'kg' } }, undefined],
    [
      'six bottles in a size',
      { price: 9, unit: 'each', net: { amount: 500, unit: 'ml' }, size: { content: 6 } },
      '₨3.00 per l',
    ],
    ['one dozen', { price: 6, unit: 'dozen', net: { amount: 720, unit: 'g' } }, '₨8.33 per kg'],
    ['all sizes at once', { price: 5, unit: 'g', sizes: [{}] }, undefined],
    [
      'half a part, which counts',
      { price: 0.05, unit: 'kg', size: { content: 2 } },
      '₨0.03 per kg',
    ],
    ['nothing', { price: 0, unit: 'g' }, '₨0.00 per kg'],
  ])('of %s', (_, goods, words) => {
    adopt('metric');
    const price = unitPrice(goods);
    expect(price && formatUnitPrice(price)).toBe(words);
  });

  it.each<[string, PricedGoods, string | undefined]>([
    ['a kilogram', { price: 10, unit: 'kg' }, '₨4.54 per lb'],
    ['a pound', { price: 5, unit: 'lb' }, undefined],
    ['sixteen ounces', { price: 5, unit: 'oz', size: { content: 16 } }, undefined],
    ['an ounce', { price: 1, unit: 'oz' }, '₨16.00 per lb'],
    ['a pint', { price: 2, unit: 'pint' }, '₨4.00 per quart'],
    ['a quart', { price: 2, unit: 'quart' }, undefined],
    ['a gallon', { price: 2, unit: 'gallon' }, '₨0.50 per quart'],
    ['a litre', { price: 1, unit: 'l' }, '₨0.95 per quart'],
  ])('of %s in the United States', (_, goods, words) => {
    adopt('us');
    const price = unitPrice(goods);
    expect(price && formatUnitPrice(price)).toBe(words);
  });
});
