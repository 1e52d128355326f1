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
      <OpeningCard farmName="Green Valley" hasOrders={hasOrders} poster={<p>poster</p>} />
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
  ['of its founder in its settings', undefined, '/farmer/settings#address.city'],
  [
    'of its own in its settings, once its founder has left',
    'farm-of-others',
    '/farmer/settings#contact.address.city',
  ],
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

const further = (missing: readonly string[], setAside: readonly string[] = []) =>
  (['place', 'payment', 'people'] as const).map((step) => ({
    step,
    isDone: !missing.includes(step),
    isSetAside: setAside.includes(step),
  }));

it('says that a farm is open, and how customers find it', async () => {
  const state = 'approved';
  stubNetwork({ 'GET /farm/opening': opening(ALL, { state, further: further([]) }) });
  show();
  await screen.findByRole('region', { name: 'Green Valley is open' });
  expect(screen.getByRole('link', { name: 'See your page' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy the link' })).toBeTruthy();
  expect(screen.getByText('poster')).toBeTruthy();
});

it('shows what is still missing until the farm is complete, or sets it aside', async () => {
  const answer = (setAside: string[]) =>
    opening(ALL, { state: 'approved', further: further(['people'], setAside) });
  const calls = stubNetwork({
    'GET /farm/opening': answer(['payment']),
    'PUT /farm/opening': answer(['payment', 'people']),
  });
  show(true);
  await screen.findByRole('region', { name: 'Still missing' });
  const link = screen.getByRole('link', { name: 'Invite who works with you' });
  expect(link.getAttribute('href')).toBe('/farmer/settings?section=people');
  expect(screen.queryByText('Say how customers pay you')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /^Not needed: / }));
  await vi.waitFor(() => expect(screen.queryByRole('region')).toBeNull());
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    steps: ['payment', 'people'],
  });
});

it('is not there for a farm in the market that has everything, and orders', async () => {
  const calls = stubNetwork({ 'GET /farm/opening': opening(ALL, { state: 'approved' }) });
  show(true);
  await vi.waitFor(() => expect(calls).toHaveLength(1), 10_000);
  await screen.findByText('loaded');
  expect(screen.queryByRole('region')).toBeNull();
});

it('goes on to show what a farm with orders needs to be found', async () => {
  stubNetwork({ 'GET /farm/opening': opening(['profile'], { state: 'approved' }) });
  show(true);
  await screen.findByRole('link', { name: 'Say when you are open' });
});

it('helps a new farm that needs no approval, without asking for any', async () => {
  stubNetwork({ 'GET /farm/opening': opening([], { state: 'approved' }) });
  show();
  await screen.findByRole('link', { name: 'Say when you are open' });
  expect(screen.queryByRole('button')).toBeNull();
});
