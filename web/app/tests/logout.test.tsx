// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { unsentAtom } from '../../farm/messages/outbox.ts';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import {
  aToken,
  aUser,
  type Call,
  emptyList,
  type Reply,
  stubNetwork,
} from '../../platform/testing/network.ts';
import { emptyMarket, openAt, signIn } from '../testing/app.tsx';

const ada = aUser('consumer');
const done: Reply = { status: 200, body: { success: true } };

let calls: Call[];
let isAway: boolean;
beforeEach(() => {
  localStorage.clear();
  isAway = false;
  const unlessAway = (reply: Reply) => () => (isAway ? 'no answer' : reply);
  calls = stubNetwork({
    ...Object.fromEntries(Object.keys(emptyMarket).map((call) => [call, unlessAway(emptyList)])),
    'GET /auth/me': unlessAway({ status: 200, body: { success: true, user: ada } }),
    'POST /auth/logout': unlessAway(done),
    'POST /messages': 'no answer',
  });
  signIn(ada);
});
afterEach(() => {
  store.set(unsentAtom.of(ada._id), []);
  vi.unstubAllGlobals();
});

/** Opens a page and presses Logout. */
async function pressLogout(): Promise<void> {
  openAt('/about');
  await userEvent.click(await screen.findByRole('button', { name: 'Open menu' }));
  const menu = within(await screen.findByRole('navigation', { name: 'Menu' }));
  await userEvent.click(await menu.findByRole('button', { name: 'Logout' }));
}
const logouts = () => calls.filter(({ path }) => path === '/auth/logout');
const message = {
  ...{ _id: 'm1', owner: ada._id, receiver: 'finn', content: 'Hi', createdAt: '' },
};

it('ends the session on the server with its own token, and asks nothing where all is sent', async () => {
  await pressLogout();
  await screen.findByText('Logged out successfully!');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(location.pathname).toBe('/');
  expect([localStorage.getItem('token'), localStorage.getItem('user')]).toEqual([null, null]);
  await waitFor(() => expect(logouts().map(({ token }) => token)).toEqual([aToken]));
  await waitFor(() => expect(localStorage.getItem('logouts')).toBe('[]'));
});

it('waits for a network, and sends the token for nothing else, not even for somebody who signs in', async () => {
  isAway = true;
  await pressLogout();
  await screen.findByText('Logged out successfully!');
  await waitFor(() => expect(logouts()).toHaveLength(1));
  const before = calls.length;
  store.set(userAtom, { ...ada, _id: 'bo', name: 'Bo' });
  store.set(tokenAtom, 'ddd.eee.fff');
  isAway = false;
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(localStorage.getItem('logouts')).toBe('[]'));
  const later = calls.slice(before).filter(({ token }) => token === aToken);
  expect(new Set(later.map(({ path }) => path))).toEqual(new Set(['/auth/logout']));
  store.set(tokenAtom, null);
  store.set(userAtom, null);
});

it('names what is unsent, and leaves it to the same person', async () => {
  store.set(unsentAtom, [message]);
  await pressLogout();
  const question = await screen.findByRole('alertdialog', {
    name: 'Log out with something unsent?',
  });
  expect(question.textContent).toContain('Not sent yet: 1 message.');
  await userEvent.click(within(question).getByRole('button', { name: 'Stay signed in' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(store.get(tokenAtom)).toBe(aToken);
  cleanup();

  await pressLogout();
  const again = await screen.findByRole('alertdialog');
  await userEvent.click(within(again).getByRole('button', { name: 'Log out' }));
  await screen.findByText('Logged out successfully!');
  expect(store.get(unsentAtom)).toEqual([]);
  const sent = calls.filter(({ path }) => path === '/messages').length;
  store.set(userAtom, ada);
  expect(store.get(unsentAtom)).toEqual([message]);
  store.set(userAtom, null);
  expect(calls.filter(({ path }) => path === '/messages')).toHaveLength(sent);
});
