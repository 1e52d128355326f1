// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { product } from '../../app/testing/world.ts';
import { aUser, stubNetwork } from '../../platform/testing/network.ts';
import { beginAs, one, open } from '../testing/page.tsx';
import FavoritesPage from './FavoritesPage.tsx';

beginAs(aUser('consumer'));

const since = '2026-11-29T08:00:00.000Z';

it('lists what is in stock first, and asks again or takes off what is sold out', async () => {
  const soldOut = product(1, { name: 'Kale', quantityAvailable: 0 });
  const waited = product(3, { name: 'Leeks', quantityAvailable: 0 });
  const inStock = product(2, { name: 'Beets' });
  let follows = [
    { product: soldOut, since, state: 'told' },
    { product: waited, since, state: 'waiting' },
    { product: inStock, since, state: 'told' },
  ];
  const change = (state: 'waiting' | null) => {
    const others = follows.filter((each) => each.product !== soldOut);
    follows = state ? [{ product: soldOut, since, state }, ...others] : others;
    return one({ _id: soldOut._id, since, state });
  };
  const path = `/follows/products/${soldOut._id}`;
  stubNetwork({
    'GET /follows': () => one(follows),
    [`PUT ${path}`]: () => change('waiting'),
    [`DELETE ${path}`]: () => change(null),
  });
  open(<FavoritesPage />);
  const now = await screen.findByRole('region', { name: 'In stock now' });
  within(now).getByText('Beets');
  expect(screen.getAllByRole('region').indexOf(now)).toBe(0);
  const later = screen.getByRole('region', { name: 'Sold out' });
  expect(within(later).getAllByText("We'll tell you when it's back.")).toHaveLength(1);
  fireEvent.click(within(later).getByRole('button', { name: "Tell me when it's back: Kale" }));
  await waitFor(() =>
    expect(within(later).getAllByText("We'll tell you when it's back.")).toHaveLength(2),
  );
  fireEvent.click(within(later).getByRole('button', { name: 'Unfollow Kale' }));
  await waitFor(() => expect(screen.queryByText('Kale')).toBeNull());
});

it('leads on where there is nothing yet', async () => {
  stubNetwork({ 'GET /follows': () => one([]) });
  open(<FavoritesPage />);
  await screen.findByText('No favorites yet');
  expect(screen.getByRole('link', { name: 'Browse Products' }).getAttribute('href')).toBe(
    '/products',
  );
});
