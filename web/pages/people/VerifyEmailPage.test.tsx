// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import type { EmailLink } from '#contract/people/auth/auth';
import { readIn, refusal, stubNetwork } from '../../platform/testing/network.ts';
import { beginAs, one, open } from '../testing/page.tsx';
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
const openLink = (over: Partial<EmailLink> = {}) => {
  const calls = stubNetwork({
    'GET /auth/verify-email': one(aLink(over)),
    'POST /auth/verify-email': done,
    'POST /auth/verify-email/not-me': done,
  });
  open(<VerifyEmailPage />);
  return calls;
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const posts = (calls: ReturnType<typeof openLink>) =>
  calls.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);

beginAs();
beforeEach(() => window.history.replaceState(null, '', '/verify-email?token=abc'));

it('names the account, and verifies its email once asked to', async () => {
  const calls = openLink();
  await screen.findByText('Ada Lovelace');
  screen.getByText('ada@farmgate.test');
  expect(posts(calls)).toEqual([]);
  await press('Confirm my email');
  await screen.findByRole('heading', { name: 'Your email is confirmed' });
  expect(posts(calls)).toEqual([['/auth/verify-email', { token: 'abc' }]]);
});

it('locks the account of somebody else, once that is confirmed', async () => {
  const calls = openLink();
  await press("This wasn't me");
  await press('Cancel');
  expect(posts(calls)).toEqual([]);
  await press("This wasn't me");
  await press('Lock the account');
  await screen.findByRole('heading', { name: 'The account is locked' });
  expect(posts(calls)).toEqual([['/auth/verify-email/not-me', { token: 'abc' }]]);
});

it('offers nothing but to undo a change by the link in the old email', async () => {
  const calls = openLink({ purpose: 'undo', newEmail: 'new@farmgate.test' });
  await screen.findByText('New email: new@farmgate.test');
  expect(screen.queryByRole('button', { name: /Confirm/ })).toBeNull();
  await press("This wasn't me");
  await press('Undo the change');
  await screen.findByRole('heading', { name: 'Your account has this email again' });
  expect(posts(calls)).toEqual([['/auth/verify-email/not-me', { token: 'abc' }]]);
});

it('is read in another language, with the email apart from what is read from the right', async () => {
  await readIn('de');
  openLink();
  await screen.findByRole('heading', { name: 'Bestätigen Sie Ihre E-Mail-Adresse' });
  screen.getByText(
    (_, element) => element?.textContent === 'Das Konto eines Kunden, eröffnet Mo., 5. Jan.',
  );
  screen.getByRole('button', { name: 'Das war ich nicht' });
  cleanup();
  await readIn('ur');
  openLink({ purpose: 'undo', newEmail: 'new@farmgate.test' });
  await screen.findByText('نئی ای میل: \u2068new@farmgate.test\u2069');
});

it('says what is done already, and what a link is worth no more', async () => {
  openLink({ isDone: true });
  await screen.findByRole('heading', { name: 'Your email is confirmed' });
  cleanup();
  stubNetwork({ 'GET /auth/verify-email': refusal(400, 'This link has expired.') });
  window.history.replaceState(null, '', '/verify-email?token=other');
  open(<VerifyEmailPage />);
  await screen.findByRole('heading', { name: 'This link no longer works' });
  screen.getByText('This link has expired.');
});
