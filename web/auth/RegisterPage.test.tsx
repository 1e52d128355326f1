// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Providers } from '../app/Providers.tsx';
import { readToken, tokenAtom } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { network, refusal } from '../lib/testing/network.ts';
import { aToken, somebody } from '../lib/testing/people.ts';
import { userAtom } from './atoms.ts';
import RegisterPage from './RegisterPage.tsx';

const box = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Register' }));

async function fillIn({ again = 'secret1' } = {}) {
  await userEvent.type(box(/^Name/), 'Ada Lovelace');
  await userEvent.type(box(/^Email/), 'ada@farmgate.test');
  await userEvent.type(box(/^Password/), 'secret1');
  await userEvent.type(box(/^Confirm password/), again);
}

beforeEach(() => {
  localStorage.clear();
  store.set(tokenAtom, null);
  store.set(userAtom, null);
  render(
    <Providers>
      <RegisterPage />
    </Providers>,
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('tells all that is wrong at once and leads to the first', async () => {
  const calls = network({});
  await userEvent.type(box(/^Password/), 'short');
  await submit();
  expect(await screen.findByText('Name is required')).toBeDefined();
  expect(screen.getByText('Please enter a valid email address.')).toBeDefined();
  expect(screen.getByText('Password must be at least 6 characters')).toBeDefined();
  expect(screen.getByText('Please repeat the password')).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(box(/^Name/)));
  expect(calls).toEqual([]);
});

it('does not take two passwords that differ, and forgets it once they are the same', async () => {
  const calls = network({});
  await fillIn({ again: 'secret2' });
  await submit();
  expect(await screen.findByText('Passwords do not match')).toBeDefined();
  expect(calls).toEqual([]);
  // Mended in the first box, not in the one that was complained about.
  await userEvent.clear(box(/^Password/));
  await userEvent.type(box(/^Password/), 'secret2');
  await waitFor(() => expect(screen.queryByText('Passwords do not match')).toBeNull());
});

it('asks only farmers for a phone', async () => {
  const calls = network({
    'POST /auth/register': {
      status: 201,
      body: { success: true, token: aToken, user: somebody('farmer') },
    },
  });
  await fillIn();
  await userEvent.selectOptions(screen.getByRole('combobox'), 'farmer');
  await submit();
  expect(await screen.findByText('Phone is required for farmers')).toBeDefined();
  expect(calls).toEqual([]);
  await userEvent.type(box(/^Phone/), '555 0100');
  await userEvent.type(box(/^City/), 'Salem');
  await submit();
  await waitFor(() => expect(readToken()).toBe(aToken));
  expect(calls.map((call) => call.body)).toEqual([
    {
      name: 'Ada Lovelace',
      email: 'ada@farmgate.test',
      password: 'secret1',
      role: 'farmer',
      phone: '555 0100',
      address: { street: '', city: 'Salem', state: '', zipCode: '' },
    },
  ]);
});

it('puts what the server found wrong at its field, and loses nothing that was typed', async () => {
  network({
    'POST /auth/register': refusal(409, 'This email address has an account already.', [
      { path: 'email', message: 'Taken: sign in instead.' },
    ]),
  });
  await fillIn();
  await submit();
  expect(await screen.findByText('Taken: sign in instead.')).toBeDefined();
  expect(screen.getByText('This email address has an account already.')).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(box(/^Email/)));
  expect(box(/^Name/).value).toBe('Ada Lovelace');
  expect(box(/^Confirm password/).value).toBe('secret1');
});
