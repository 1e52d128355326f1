// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { forEachKind, TEXTED_KINDS } from '#contract/people/notifications/constants';
import type { Phone } from '#contract/people/phone/phone';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import {
  aToken,
  aUser,
  type Call,
  type Reply,
  refusal,
  stubNetwork,
} from '../../platform/testing/network.ts';
import { NotificationPreferences } from './NotificationPreferences.tsx';
import { TextMessages } from './TextMessages.tsx';

const NUMBER = '+923001234567';
const none: Phone = { phone: '', isVerified: false, isTextingOn: true, codeEndsAt: null };
const waiting: Phone = { ...none, phone: NUMBER, codeEndsAt: '2999-01-01T00:00:00.000Z' };
const verified: Phone = { ...waiting, isVerified: true, codeEndsAt: null };
const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });

let calls: Call[];
let replies: Record<string, Reply>;
function open(phone: Phone): void {
  replies['GET /users/me/phone'] = one(phone);
  calls = stubNetwork(
    Object.fromEntries(Object.keys(replies).map((name) => [name, () => replies[name] as Reply])),
  );
  render(<NotificationPreferences />, { wrapper: Providers });
}
beforeEach(() => {
  const off = { email: true, push: true };
  replies = {
    'GET /notifications/preferences': one({
      ...forEachKind(off),
      ...Object.fromEntries(TEXTED_KINDS.map((kind) => [kind, { ...off, sms: false }])),
    }),
    'PUT /notifications/preferences': one({}),
    'PUT /users/me/phone': one(waiting),
    'POST /users/me/phone/confirmation': one(verified),
  };
  store.set(userAtom, aUser('farmer'));
  store.set(tokenAtom, aToken);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
const sent = (method: string, path: string) =>
  calls.filter((each) => each.method === method && each.path === path).map(({ body }) => body);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const boxes = () => screen.queryAllByRole('checkbox', { name: 'SMS' });

it('says nothing of texts where the market sends none', async () => {
  open({ ...verified, isTextingOn: false });
  await screen.findAllByRole('checkbox', { name: 'Email' });
  await waitFor(() => expect(sent('GET', '/users/me/phone')).toHaveLength(1));
  expect(screen.queryByText('Text messages')).toBeNull();
  expect(boxes()).toHaveLength(0);
});

it('verifies a number by a code, and then lets choose what is texted', async () => {
  open(none);
  await userEvent.type(await screen.findByLabelText(/^Phone number/), '0300 1234567');
  expect(boxes()).toHaveLength(0);
  await press('Send code');
  const code = await screen.findByLabelText<HTMLInputElement>(/^Code/);
  expect(sent('PUT', '/users/me/phone')).toEqual([{ phone: '0300 1234567' }]);
  expect(code.autocomplete).toBe('one-time-code');
  expect(code.inputMode).toBe('numeric');
  expect(screen.getByText(/We texted a code to/).textContent).toContain(NUMBER);
  await userEvent.type(code, '123 456');
  await press('Verify');
  expect((await screen.findByText(/is verified/)).textContent).toContain(NUMBER);
  expect(sent('POST', '/users/me/phone/confirmation')).toEqual([{ code: '123 456' }]);

  const orders = screen.getByRole('group', { name: 'New orders' });
  const box = within(orders).getByRole<HTMLInputElement>('checkbox', { name: 'SMS' });
  expect(box.checked).toBe(false);
  await userEvent.click(box);
  await waitFor(() =>
    expect(sent('PUT', '/notifications/preferences')).toEqual([
      { 'order.placed': { email: true, push: true, sms: true } },
    ]),
  );
  // What is not urgent is never texted.
  const stock = screen.getByRole('group', { name: 'Low stock' });
  expect(within(stock).queryByRole('checkbox', { name: 'SMS' })).toBeNull();
});

it('shows what is wrong with a number and with a code where it was entered', async () => {
  replies['PUT /users/me/phone'] = refusal(400, 'Invalid', [
    { path: 'phone', message: 'This is no phone number.' },
  ]);
  open(none);
  const phone = await screen.findByLabelText(/^Phone number/);
  await userEvent.type(phone, '12');
  await press('Send code');
  await screen.findByText('This is no phone number.');
  expect(phone.getAttribute('aria-invalid')).toBe('true');

  replies['PUT /users/me/phone'] = one(waiting);
  await press('Send code');
  replies['POST /users/me/phone/confirmation'] = refusal(400, 'Invalid', [
    { path: 'code', message: 'This code has expired.' },
  ]);
  await userEvent.type(await screen.findByLabelText(/^Code/), '123456');
  await press('Verify');
  await screen.findByText('This code has expired.');
});

it('says when another code may be sent, and sends it to the same number', async () => {
  replies['PUT /users/me/phone'] = refusal(429, 'Too many tries. Try again in 40 seconds.');
  open(waiting);
  await userEvent.click(await screen.findByRole('button', { name: 'Send another code' }));
  await screen.findByText('Too many tries. Try again in 40 seconds.');
  replies['PUT /users/me/phone'] = one(waiting);
  await press('Send another code');
  await waitFor(() =>
    expect(sent('PUT', '/users/me/phone')).toEqual([{ phone: NUMBER }, { phone: NUMBER }]),
  );
});

it('sends another code to the number that was chosen on another device meanwhile', async () => {
  calls = stubNetwork({ 'PUT /users/me/phone': one(waiting) });
  const { rerender } = render(<TextMessages phone={waiting} />, { wrapper: Providers });
  await screen.findByRole('button', { name: 'Send another code' });
  rerender(<TextMessages phone={{ ...waiting, phone: '+923007654321' }} />);
  await press('Send another code');
  await waitFor(() => expect(sent('PUT', '/users/me/phone')).toEqual([{ phone: '+923007654321' }]));
});

it('changes a verified number, or stays with it', async () => {
  open(verified);
  await userEvent.click(await screen.findByRole('button', { name: 'Change number' }));
  expect(screen.getByLabelText<HTMLInputElement>(/^Phone number/).value).toBe(NUMBER);
  await press('Cancel');
  await screen.findByText(/is verified/);
  await press('Change number');
  await press('Send code');
  await screen.findByLabelText(/^Code/);
});
