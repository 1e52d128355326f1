// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EmailLink } from '#contract/people/auth/auth';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { refusal, stubNetwork } from '../../platform/testing/network.ts';
import VerifyEmailPage from './VerifyEmailPage.tsx';

const done = { status: 200, body: { success: true } };
const aLink = (over: Partial<EmailLink>): EmailLink => ({
  purpose: 'verify',
  email: 'ada@farmgate.test',
  newEmail: null,
  account: { name: 'Ada Lovelace', role: 'consumer', createdAt: '2026-01-05T10:00:00.000Z' },
  isDone: false,
  ...over,
});
const open = (over: Partial<EmailLink> = {}) => {
  const calls = stubNetwork({
    'GET /auth/verify-email': { status: 200, body: { success: true, data: aLink(over) } },
    'POST /auth/verify-email': done,
    'POST /auth/verify-email/not-me': done,
  });
  render(
    <Providers>
      <VerifyEmailPage />
    </Providers>,
  );
  return calls;
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const posts = (calls: ReturnType<typeof open>) =>
  calls.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);

beforeEach(() => {
  localStorage.clear();
  store.set(tokenAtom, null);
  store.set(userAtom, null);
  window.history.replaceState(null, '', '/verify-email?token=abc');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('names the account, and verifies its email once asked to', async () => {
  const calls = open();
  await screen.findByText('Ada Lovelace');
  screen.getByText('ada@farmgate.test');
  expect(posts(calls)).toEqual([]);
  await press('Confirm my email');
  await screen.findByRole('heading', { name: 'Your email is confirmed' });
  expect(posts(calls)).toEqual([['/auth/verify-email', { token: 'abc' }]]);
});

it('locks the account of somebody else, once that is confirmed', async () => {
  const calls = open();
  await press("This wasn't me");
  await press('Cancel');
  expect(posts(calls)).toEqual([]);
  await press("This wasn't me");
  await press('Lock the account');
  await screen.findByRole('heading', { name: 'The account is locked' });
  expect(posts(calls)).toEqual([['/auth/verify-email/not-me', { token: 'abc' }]]);
});

it('offers nothing but to undo a change by the link in the old email', async () => {
  const calls = open({ purpose: 'undo', newEmail: 'new@farmgate.test' });
  await screen.findByText('New email: new@farmgate.test');
  expect(screen.queryByRole('button', { name: /Confirm/ })).toBeNull();
  await press("This wasn't me");
  await press('Undo the change');
  await screen.findByRole('heading', { name: 'Your account has this email again' });
  expect(posts(calls)).toEqual([['/auth/verify-email/not-me', { token: 'abc' }]]);
});

it('says what is done already, and what a link is worth no more', async () => {
  open({ isDone: true });
  await screen.findByRole('heading', { name: 'Your email is confirmed' });
  cleanup();
  stubNetwork({ 'GET /auth/verify-email': refusal(400, 'This link has expired.') });
  window.history.replaceState(null, '', '/verify-email?token=other');
  render(
    <Providers>
      <VerifyEmailPage />
    </Providers>,
  );
  await screen.findByRole('heading', { name: 'This link no longer works' });
  screen.getByText('This link has expired.');
});
