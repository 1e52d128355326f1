// @vitest-environment happy-dom

import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { FarmerCard } from '#contract/farm/farmers/farmers';
import { id, product, productId } from '../../app/testing/world.ts';
import { emptyList, refusal, stubNetwork } from '../../platform/testing/network.ts';
import { beginAs, list, open } from '../testing/page.tsx';
import HomePage from './HomePage.tsx';

const address = { street: '', city: 'Putney', state: 'VT', zipCode: '' };
const farmer = (number: number): FarmerCard => ({
  _id: id(50 + number),
  name: `Farmer ${number}`,
  address,
  createdAt: '2026-01-01T08:00:00.000Z',
  farmName: `Farm ${number}`,
  description: '',
  farmingPractices: [],
  productCount: 2,
});

const hrefs = (start: string) =>
  screen
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))
    .filter((href) => href?.startsWith(start));

beginAs();

it('shows four of the eight fetched products, three farms and a link for each category', async () => {
  const calls = stubNetwork({
    'GET /products': list([8, 7, 6, 5, 4, 3, 2, 1].map((number) => product(number))),
    'GET /users/farmers': list([1, 2, 3, 4].map(farmer)),
    'GET /categories': list([{ _id: id(70), name: 'Fruit', description: '', icon: '🍐' }]),
  });
  open(<HomePage />);
  expect(await screen.findByRole('link', { name: /Product 8/ })).toBeDefined();
  await screen.findByRole('link', { name: /Farm 1/ });
  await screen.findByRole('link', { name: /Fruit/ });
  expect(hrefs('/products/')).toEqual(
    [8, 7, 6, 5].map((number) => `/products/${productId(number)}`),
  );
  expect(hrefs('/farmers/')).toEqual([51, 52, 53].map((number) => `/farmers/${id(number)}`));
  expect(hrefs('/products?')).toEqual([`/products?category=${id(70)}`]);
  expect(screen.getByText('🍐')).toBeDefined();
  expect(calls.map((call) => call.path).sort()).toEqual([
    '/categories',
    '/products',
    '/users/farmers',
  ]);
});

it('shows an empty state for each section, and the links to other pages', async () => {
  stubNetwork({
    'GET /products': emptyList,
    'GET /users/farmers': emptyList,
    'GET /categories': emptyList,
  });
  open(<HomePage />);
  expect(await screen.findByText('No Featured Products Available')).toBeDefined();
  expect(await screen.findByText('Categories Coming Soon')).toBeDefined();
  expect(await screen.findByText('No Farmers Available Yet')).toBeDefined();
  const shop = screen.getByRole('link', { name: 'Shop Now' });
  const meet = screen.getByRole('link', { name: 'Meet Our Farmers' });
  expect([shop, meet].map((link) => link.getAttribute('href'))).toEqual(['/products', '/farmers']);
  expect(hrefs('/register')).toHaveLength(1);
  expect(hrefs('/about')).toHaveLength(1);
});

it('shows an error in the section that failed, and retries', async () => {
  let isUp = false;
  stubNetwork({
    'GET /products': () => (isUp ? list([product(1)]) : refusal(400, 'Not today.')),
    'GET /users/farmers': emptyList,
    'GET /categories': emptyList,
  });
  open(<HomePage />);
  expect((await screen.findByRole('alert')).textContent).toBe('Not today.');
  expect(await screen.findByText('No Farmers Available Yet')).toBeDefined();
  isUp = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: /Product 1/ })).toBeDefined();
});
