// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Allergens, Product } from '#contract/catalogue/products/product';
import { AllergenChoice } from './AllergenChoice.tsx';
import { allergensIn, withAllergen } from './allergens.ts';
import { Declarations } from './Declarations.tsx';

afterEach(cleanup);

const show = (declared: Partial<Product>) =>
  render(<Declarations product={declared as Product} />).container.textContent;

it.each<[Allergens | undefined, string]>([
  [undefined, 'The farm has not said which allergens it has.'],
  ['unknown', 'The farm has not said which allergens it has.'],
  ['none', 'None of the fourteen allergens.'],
  [['milk'], 'milk'],
  [['eggs', 'milk', 'nuts'], 'eggs, milk, and nuts'],
])('allergens %j are shown as "%s"', (allergens, words) => {
  expect(show({ ...(allergens && { allergens }) })).toBe(`Allergens${words}`);
});

it('shows what else is declared, and nothing of what is not', () => {
  expect(show({ allergens: 'none', ingredients: 'Milk, salt', storage: '', origin: 'Kent' })).toBe(
    'AllergensNone of the fourteen allergens.IngredientsMilk, saltOriginKent',
  );
});

it('reads a list in the order of all, without unknown names', () => {
  expect(allergensIn('nuts,milk,bread,nuts')).toEqual(['milk', 'nuts']);
  expect(allergensIn('')).toEqual([]);
  expect(withAllergen(['nuts'], 'milk', true)).toEqual(['milk', 'nuts']);
  expect(withAllergen(['milk', 'nuts'], 'milk', false)).toEqual(['nuts']);
});

it('offers all fourteen, each to be chosen', () => {
  const onChange = vi.fn();
  render(<AllergenChoice chosen={['milk']} onChange={onChange} />);
  expect(screen.getAllByRole('checkbox')).toHaveLength(14);
  expect(screen.getByLabelText('milk')).toHaveProperty('checked', true);
  fireEvent.click(screen.getByLabelText('fish'));
  expect(onChange).toHaveBeenLastCalledWith(['fish', 'milk']);
  fireEvent.click(screen.getByLabelText('milk'));
  expect(onChange).toHaveBeenLastCalledWith([]);
});
