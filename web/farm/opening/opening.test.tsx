// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FarmOpening } from '#contract/farm/opening/opening';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser, stubNetwork } from '../../platform/testing/network.ts';
import { OpeningCard } from './OpeningCard.tsx';

const opening = (
  done: readonly string[],
  over: Partial<FarmOpening> = {},
): { status: number; body: { success: true; data: FarmOpening } } => ({
  status: 200,
  body: {
    success: true,
    data: {
      state: 'preparing',
      reason: null,
      steps: (['profile', 'address', 'hours', 'product'] as const).map((step) => ({
        step,
        isDone: done.includes(step),
      })),
      ...over,
    },
  },
});
const ALL = ['profile', 'address', 'hours', 'product'];

const show = (hasOrders = false) =>
  render(
    <Providers>
      <OpeningCard hasOrders={hasOrders} />
      <p>loaded</p>
    </Providers>,
  );

beforeEach(() => {
  store.set(tokenAtom, aToken);
  store.set(userAtom, aUser('farmer', 'Finn Grower'));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('leads to what is missing, and asks only once nothing is', async () => {
  stubNetwork({ 'GET /farm/opening': opening(['profile']) });
  show();
  await screen.findByRole('region', { name: 'Before you open' });
  expect(screen.queryByRole('link', { name: 'Describe your farm' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Put up your first product' })).toBeTruthy();
  const ask = screen.getByRole<HTMLButtonElement>('button', { name: 'Ask for approval' });
  expect(ask.disabled).toBe(true);
});

it('names the email where the market asks for one that is confirmed', async () => {
  const { status, body } = opening(ALL);
  const steps = [{ step: 'email' as const, isDone: false }, ...body.data.steps];
  stubNetwork({
    'GET /farm/opening': { status, body: { ...body, data: { ...body.data, steps } } },
  });
  show();
  const link = await screen.findByRole('link', { name: 'Confirm your email' });
  expect(link.getAttribute('href')).toBe('/profile');
  expect(screen.getAllByRole('listitem')).toHaveLength(5);
  const ask = screen.getByRole<HTMLButtonElement>('button', { name: 'Ask for approval' });
  expect(ask.disabled).toBe(true);
});

it.each([
  ['in the profile of the founder of the farm', undefined, '/profile#address.city'],
  ['in the settings for everybody else', 'farm-of-others', '/farmer/settings#contact.address.city'],
])('asks for the address %s', async (_, farmId, href) => {
  const me = aUser('farmer', 'Finn Grower');
  if (farmId) store.set(userAtom, { ...me, membership: { farmId, role: 'owner' } });
  stubNetwork({ 'GET /farm/opening': opening(['profile', 'hours', 'product']) });
  show();
  const link = await screen.findByRole('link', { name: 'Say where you are' });
  expect(link.getAttribute('href')).toBe(href);
});

it('asks by a button, and waits then', async () => {
  const calls = stubNetwork({
    'GET /farm/opening': opening(ALL),
    'POST /farm/opening': opening(ALL, { state: 'waiting' }),
  });
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Ask for approval' }));
  await screen.findByRole('region', { name: 'Waiting for approval' });
  expect(screen.queryByRole('button', { name: /^Ask/ })).toBeNull();
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it('says why it was sent back', async () => {
  stubNetwork({
    'GET /farm/opening': opening(ALL, { state: 'sent_back', reason: 'Please add a photo.' }),
  });
  show(true);
  await screen.findByText('Please add a photo.');
  expect(screen.getByRole('button', { name: 'Ask again' })).toBeTruthy();
});

it.each([
  ['a farm in the market that has everything', ALL, false],
  ['a farm with orders, which needs no advice', ['profile'], true],
])('is not there for %s', async (_, done, hasOrders) => {
  const calls = stubNetwork({ 'GET /farm/opening': opening(done, { state: 'approved' }) });
  show(hasOrders);
  await vi.waitFor(() => expect(calls).toHaveLength(1), 10_000);
  await screen.findByText('loaded');
  expect(screen.queryByRole('region')).toBeNull();
});

it('helps a new farm that needs no approval, without asking for any', async () => {
  stubNetwork({ 'GET /farm/opening': opening([], { state: 'approved' }) });
  show();
  await screen.findByRole('link', { name: 'Say when you are open' });
  expect(screen.queryByRole('button')).toBeNull();
});
