// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { readToken } from '../../platform/session/session.ts';
import { aToken, aUser, refusal, stubNetwork } from '../../platform/testing/network.ts';
import { beginAs, open } from '../testing/page.tsx';
import RegisterPage from './RegisterPage.tsx';

const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Register' }));

async function fillIn({ repeated = 'secret1' } = {}) {
  await userEvent.type(field(/^Name/), 'Ada Lovelace');
  await userEvent.type(field(/^Email/), 'ada@farmgate.test');
  await userEvent.type(field(/^Password/), 'secret1');
  await userEvent.type(field(/^Confirm password/), repeated);
}

beginAs();
beforeEach(() => {
  open(<RegisterPage />);
});

it('shows all errors at once and focuses the first invalid field', async () => {
  const calls = stubNetwork({});
  await userEvent.type(field(/^Password/), 'short');
  await submit();
  expect(await screen.findByText('Name is required')).toBeDefined();
  expect(screen.getByText('Please enter a valid email address.')).toBeDefined();
  expect(screen.getByText('Password must be at least 6 characters')).toBeDefined();
  expect(screen.getByText('Please repeat the password')).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(field(/^Name/)));
  expect(calls).toEqual([]);
});

it('rejects passwords that differ and clears the error once they match', async () => {
  const calls = stubNetwork({});
  await fillIn({ repeated: 'secret2' });
  await submit();
  expect(await screen.findByText('Passwords do not match')).toBeDefined();
  expect(calls).toEqual([]);
  // Once the focus is where a failed submit brings it, or it would leave the field that is corrected.
  await waitFor(() => expect(document.activeElement).toBe(field(/^Confirm password/)));
  // The first field is corrected, not the one with the error.
  await userEvent.clear(field(/^Password/));
  await userEvent.type(field(/^Password/), 'secret2');
  await waitFor(() => expect(screen.queryByText('Passwords do not match')).toBeNull());
});

it('requires a phone number of farmers only', async () => {
  const calls = stubNetwork({
    'POST /auth/register': {
      status: 201,
      body: { success: true, token: aToken, user: aUser('farmer') },
    },
  });
  await fillIn();
  await userEvent.selectOptions(screen.getByRole('combobox'), 'farmer');
  await submit();
  expect(await screen.findByText('Phone is required for farmers')).toBeDefined();
  expect(calls).toEqual([]);
  await userEvent.type(field(/^Phone/), '555 0100');
  await userEvent.type(field(/^City/), 'Salem');
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
      acceptsTerms: false,
    },
  ]);
});

it('shows field errors of the server at their fields and keeps the input', async () => {
  stubNetwork({
    'POST /auth/register': refusal(409, 'This email address has an account already.', [
      { path: 'email', message: 'Taken: sign in instead.' },
    ]),
  });
  await fillIn();
  await submit();
  expect(await screen.findByText('Taken: sign in instead.')).toBeDefined();
  expect(screen.getByText('This email address has an account already.')).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(field(/^Email/)));
  expect(field(/^Name/).value).toBe('Ada Lovelace');
  expect(field(/^Confirm password/).value).toBe('secret1');
});
