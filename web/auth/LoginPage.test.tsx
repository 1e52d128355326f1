// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Providers } from '../app/Providers.tsx';
import { readToken, tokenAtom } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { type Reply, refusal, stubNetwork } from '../lib/testing/network.ts';
import { aToken, aUser } from '../lib/testing/people.ts';
import { userAtom } from './atoms.ts';
import LoginPage from './LoginPage.tsx';

const email = () => screen.getByLabelText<HTMLInputElement>(/^Email/);
const password = () => screen.getByLabelText<HTMLInputElement>(/^Password/);
const submit = () => userEvent.click(screen.getByRole('button', { name: /^Sign/ }));

beforeEach(() => {
  localStorage.clear();
  store.set(tokenAtom, null);
  store.set(userAtom, null);
  render(
    <Providers>
      <LoginPage />
    </Providers>,
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('shows errors at empty fields and focuses the first one', async () => {
  const calls = stubNetwork({});
  await submit();
  expect(await screen.findByText('Email is required')).toBeDefined();
  expect(screen.getByText('Password is required')).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(email()));
  expect(email().getAttribute('aria-invalid')).toBe('true');
  expect(calls).toEqual([]);
});

it('shows a refusal in an alert and keeps the input', async () => {
  stubNetwork({ 'POST /auth/login': refusal(401, 'Wrong email or password') });
  await userEvent.type(email(), 'Ada@Farmgate.test');
  await userEvent.type(password(), 'not it');
  await submit();
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong email or password');
  expect(email().value).toBe('Ada@Farmgate.test');
  expect(password().value).toBe('not it');
  expect(readToken()).toBeNull();
});

it('signs in once despite repeated submits, and stores token and user', async () => {
  const user = aUser('consumer');
  let answer: (reply: Reply) => void = () => undefined;
  const calls = stubNetwork({
    'POST /auth/login': () => new Promise((resolve) => (answer = resolve)),
  });
  await userEvent.type(email(), ' Ada@Farmgate.test ');
  await userEvent.type(password(), 'password123');
  await userEvent.click(screen.getByLabelText('Remember me'));
  await submit();
  const button = await screen.findByRole('button', { name: 'Signing in...' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await submit();
  await userEvent.type(password(), '{Enter}');
  answer({ status: 200, body: { success: true, token: aToken, user } });
  await waitFor(() => expect(readToken()).toBe(aToken));
  expect(JSON.parse(localStorage.getItem('user') ?? 'null')).toEqual(user);
  expect(localStorage.getItem('token')).toBe(aToken);
  expect(calls.map((call) => call.body)).toEqual([
    { email: 'ada@farmgate.test', password: 'password123', remember: true },
  ]);
});
