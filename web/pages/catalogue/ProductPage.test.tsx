// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Route } from 'wouter';
import { addDays, dayIn } from '#contract/platform/time/constants';
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

it('does not offer goods of a paused farm, and says from when on it does and why', async () => {
  const beets = product(1);
  const handoff = {
    ...{ pickup: true, delivery: false, deliveryRadius: null, openings: [], timeZone: 'UTC' },
    pausedUntil: new Date(Date.now() + 3_600_000).toISOString(),
    pauseNote: 'At the fair.',
  };
  stubNetwork({
    [`GET /products/${beets._id}`]: one({ ...beets, farmer: { ...beets.farmer, handoff } }),
  });
  window.history.replaceState(null, '', `/products/${beets._id}`);
  open(<Route path="/products/:id" component={ProductPage} />);
  await screen.findByText('This farm takes no orders just now');
  screen.getByText('At the fair.');
  expect(screen.getAllByText(/^Takes orders again from/).length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'Add to Cart' })).toBeNull();
});

it('does not offer what no open day brings, and says why', async () => {
  const beets = product(1);
  const yesterday = addDays(dayIn('UTC'), -1);
  const closed = Array.from({ length: 9 }, (_, day) => addDays(yesterday, day));
  const handoff = {
    pickup: true,
    delivery: false,
    deliveryRadius: null,
    openings: [],
    timeZone: 'UTC',
    cutoff: null,
    closedDays: closed,
    bookableDays: 30,
  };
  const reply = { ...beets, farmer: { ...beets.farmer, handoff } };
  stubNetwork({
    [`GET /products/${beets._id}`]: () => one({ ...reply, availableUntil: closed.at(-1) }),
  });
  window.history.replaceState(null, '', `/products/${beets._id}`);
  open(<Route path="/products/:id" component={ProductPage} />);
  await screen.findByText(/You can't order this any more\. It can be had until/);
  expect(screen.queryByRole('button', { name: 'Add to Cart' })).toBeNull();
});
