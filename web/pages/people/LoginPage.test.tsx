// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { CONNECTION_RESTORED } from '../../platform/api/api-error.ts';
import { readToken } from '../../platform/session/session.ts';
import { aToken, aUser, type Reply, refusal, stubNetwork } from '../../platform/testing/network.ts';
import { beginAs, open } from '../testing/page.tsx';
import LoginPage from './LoginPage.tsx';

const email = () => screen.getByLabelText<HTMLInputElement>(/^Email/);
const password = () => screen.getByLabelText<HTMLInputElement>(/^Password/);
const submit = () => userEvent.click(screen.getByRole('button', { name: /^Sign/ }));

async function signIn(typed = 'password123') {
  await userEvent.type(email(), 'Ada@Farmgate.test');
  await userEvent.type(password(), typed);
  await submit();
}

beginAs();
beforeEach(() => {
  open(<LoginPage />);
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
  await signIn('not it');
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong email or password');
  expect(email().value).toBe('Ada@Farmgate.test');
  expect(password().value).toBe('not it');
  expect(readToken()).toBeNull();
});

it('shows no missing answer any more once the connection is back', async () => {
  stubNetwork({ 'POST /auth/login': 'no answer' });
  await signIn();
  expect((await screen.findByRole('alert')).textContent).toMatch(/isn't answering right now/);
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByText(CONNECTION_RESTORED.text)).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
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

const codeRequired: Reply = {
  status: 401,
  body: { success: false, message: 'Enter the code.', code: 'SECOND_FACTOR_REQUIRED' },
};

it('asks for a code in place where one is needed, without an error, and sends all of it', async () => {
  const user = aUser('consumer');
  const calls = stubNetwork({
    'POST /auth/login': ({ body }) =>
      (body as { code?: string }).code === undefined
        ? codeRequired
        : { status: 200, body: { success: true, token: aToken, user } },
  });
  await signIn();
  const code = await screen.findByLabelText<HTMLInputElement>(/^Code from your app/);
  expect(document.activeElement).toBe(code);
  expect(code.autocomplete).toBe('one-time-code');
  expect(code.inputMode).toBe('numeric');
  expect(screen.queryByRole('alert')).toBeNull();
  await userEvent.type(code, '123 456{Enter}');
  await waitFor(() => expect(readToken()).toBe(aToken));
  const credentials = { email: 'ada@farmgate.test', password: 'password123', remember: false };
  expect(calls.map((call) => call.body)).toEqual([
    credentials,
    { ...credentials, code: '123 456' },
  ]);
});

it('shows a wrong code at its field, takes a recovery code, and leads back to the password', async () => {
  stubNetwork({
    'POST /auth/login': ({ body }) =>
      (body as { code?: string }).code === undefined
        ? codeRequired
        : refusal(400, 'That code is not right.', [
            { path: 'code', message: 'That code is not right.' },
          ]),
  });
  await signIn();
  await userEvent.type(await screen.findByLabelText(/^Code from your app/), '000000{Enter}');
  await waitFor(() =>
    expect(screen.getByLabelText(/^Code from your app/).getAttribute('aria-invalid')).toBe('true'),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  const recovery = screen.getByLabelText<HTMLInputElement>(/^Recovery code/);
  expect(document.activeElement).toBe(recovery);
  expect(recovery.inputMode).toBe('text');
  expect(recovery.value).toBe('');
  await userEvent.click(screen.getByRole('button', { name: 'Use another account' }));
  expect(email().value).toBe('Ada@Farmgate.test');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('offers passkeys only to browsers that have them', () => {
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
});
