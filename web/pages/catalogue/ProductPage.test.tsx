// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Route } from 'wouter';
import { product } from '../../app/testing/world.ts';
import { type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { beginAs, one, open } from '../testing/page.tsx';
import ProductPage from './ProductPage.tsx';

beginAs();

it('asks again by itself for a product that had no answer, once the connection is back', async () => {
  const beets = product(1);
  let reply: Reply = 'no answer';
  stubNetwork({ [`GET /products/${beets._id}`]: () => reply });
  window.history.replaceState(null, '', `/products/${beets._id}`);
  open(<Route path="/products/:id" component={ProductPage} />);
  // Only after the tries that every read has.
  await screen.findByRole('button', { name: 'Try again' });
  reply = one(beets);
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByRole('heading', { name: beets.name, level: 1 })).toBeDefined();
});
