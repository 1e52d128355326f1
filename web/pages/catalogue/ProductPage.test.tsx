// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Route } from 'wouter';
import { Providers } from '../../app/Providers.tsx';
import { product } from '../../app/testing/world.ts';
import { type Reply, stubNetwork } from '../../platform/testing/network.ts';
import ProductPage from './ProductPage.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('asks again by itself for a product that had no answer, once the connection is back', async () => {
  const beets = product(1);
  let reply: Reply = 'no answer';
  stubNetwork({ [`GET /products/${beets._id}`]: () => reply });
  window.history.replaceState(null, '', `/products/${beets._id}`);
  render(
    <Providers>
      <Route path="/products/:id" component={ProductPage} />
    </Providers>,
  );
  // Only after the tries that every read has.
  await screen.findByRole('button', { name: 'Try again' });
  reply = { status: 200, body: { success: true, data: beets } };
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByRole('heading', { name: beets.name, level: 1 })).toBeDefined();
});
