import { describe, expect, it } from 'vitest';
import { formatGoods, formatQuantity } from '#contract/platform/quantities/constants/quantities';
import type { UNITS } from '#contract/platform/quantities/constants/units';

type Unit = (typeof UNITS)[number];

describe('a quantity with its unit', () => {
  it.each<[Unit, string[]]>([
    // Of 0, 0.5, 1, 1.5, 2 and 1,200.
    ['lb', ['0 lb', '0.5 lb', '1 lb', '1.5 lb', '2 lb', '1,200 lb']],
    ['kg', ['0 kg', '0.5 kg', '1 kg', '1.5 kg', '2 kg', '1,200 kg']],
    ['oz', ['0 oz', '0.5 oz', '1 oz', '1.5 oz', '2 oz', '1,200 oz']],
    ['g', ['0 g', '0.5 g', '1 g', '1.5 g', '2 g', '1,200 g']],
    ['each', ['0', '0.5', '1', '1.5', '2', '1,200']],
    ['bunch', ['0 bunches', '0.5 bunches', '1 bunch', '1.5 bunches', '2 bunches', '1,200 bunches']],
    ['dozen', ['0 dozen', '0.5 dozen', '1 dozen', '1.5 dozen', '2 dozen', '1,200 dozen']],
    ['pint', ['0 pints', '0.5 pints', '1 pint', '1.5 pints', '2 pints', '1,200 pints']],
    ['quart', ['0 quarts', '0.5 quarts', '1 quart', '1.5 quarts', '2 quarts', '1,200 quarts']],
    [
      'gallon',
      ['0 gallons', '0.5 gallons', '1 gallon', '1.5 gallons', '2 gallons', '1,200 gallons'],
    ],
    ['l', ['0 l', '0.5 l', '1 l', '1.5 l', '2 l', '1,200 l']],
    ['ml', ['0 ml', '0.5 ml', '1 ml', '1.5 ml', '2 ml', '1,200 ml']],
  ])('has the singular for exactly one %s', (unit, words) => {
    expect([0, 0.5, 1, 1.5, 2, 1200].map((quantity) => formatQuantity(quantity, unit))).toEqual(
      words,
    );
  });

  it('shows at most three decimals, and the word fits the number shown', () => {
    expect(formatQuantity(1.235, 'kg')).toBe('1.235 kg');
    expect(formatQuantity(0.1 + 0.2, 'quart')).toBe('0.3 quarts');
    expect(formatQuantity(1.0004, 'quart')).toBe('1 quart');
    expect(formatQuantity(1.001, 'quart')).toBe('1.001 quarts');
    expect(formatQuantity(1_000_000, 'bunch')).toBe('1,000,000 bunches');
  });
});

it.each<[number, Unit, string, string]>([
  [2, 'lb', 'Carrots', '2 lb Carrots'],
  [1, 'bunch', 'Kale', '1 bunch Kale'],
  [3, 'quart', 'Strawberries', '3 quarts Strawberries'],
  [1, 'each', 'Pumpkin', '1 × Pumpkin'],
  [1.5, 'kg', 'Plums', '1.5 kg Plums'],
])('formats %d %s of %s', (quantity, unit, name, words) => {
  expect(formatGoods(quantity, unit, name)).toBe(words);
});
