// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { User } from '#contract/people/users/users';
import {
  heldSessionAtom,
  notifySessionEnded,
  store,
  tokenAtom,
  userAtom,
} from '../../platform/session/session.ts';
import {
  aToken,
  aUser,
  type Call,
  emptyList,
  type Reply,
  refusal,
  stubNetwork,
} from '../../platform/testing/network.ts';
import { emptyMarket, openAt, signIn, stubAudio } from '../testing/app.tsx';

// A session that ends under an open page: the page waits behind the sign-in for its person.

const ada = aUser('consumer');
const bo: User = {
  ...aUser('consumer', 'Bo Diddley'),
  _id: '00000000-0000-4000-8000-0000000000b0',
};
const NEW_TOKEN = 'ddd.eee.fff';
const ENDED = refusal(401, 'Your session has ended. Please sign in again.');

/** Whose the tokens are that still have a session. */
let sessions: Map<string, User>;
let calls: Call[];

const as = (token: string | null, answer: (user: User) => Reply): Reply => {
  const user = sessions.get(token ?? '');
  return user ? answer(user) : ENDED;
};

/** Opens the profile and types a name that is not saved. */
async function typeName() {
  openAt('/profile');
  await screen.findByText('Email cannot be changed');
  const name = screen.getByLabelText<HTMLInputElement>(/Name/);
  await userEvent.clear(name);
  await userEvent.type(name, 'Ada King');
  return name;
}
const overlay = () => screen.findByRole('dialog', { name: 'Your session has ended' });
const isHeldNow = () => document.querySelector('.held-page') !== null;

async function signInAs(user: User, token = NEW_TOKEN) {
  sessions.set(token, user);
  const form = within(await overlay());
  const email = form.getByLabelText<HTMLInputElement>(/^Email/);
  await userEvent.clear(email);
  await userEvent.type(email, user.email);
  await userEvent.type(form.getByLabelText(/^Password/), 'password123');
  await userEvent.click(form.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(isHeldNow()).toBe(false));
}

/** Stores a session, or removes it, and notifies this tab of it, as another tab does. */
function inOtherTab(token: string | null, user: User | null) {
  const set = (key: string, newValue: string | null) => {
    if (newValue === null) localStorage.removeItem(key);
    else localStorage.setItem(key, newValue);
    const { storageArea } = { storageArea: localStorage };
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea }));
    });
  };
  const setUser = () => set('user', user && JSON.stringify(user));
  if (token !== null) setUser();
  set('token', token);
  if (token === null) setUser();
}

// Their files take long to load on a busy machine.
beforeAll(async () => {
  await Promise.all([
    import('../../pages/people/ProfilePage.tsx'),
    import('../../people/auth/SignInAgain.tsx'),
  ]);
});
beforeEach(() => {
  stubAudio();
  localStorage.clear();
  sessions = new Map([[aToken, ada]]);
  signIn(ada);
  calls = stubNetwork({
    ...emptyMarket,
    'GET /messages': ({ token }) => as(token, () => emptyList),
    'GET /orders/consumer': ({ token }) => as(token, () => emptyList),
    'GET /auth/me': ({ token }) =>
      as(token, (user) => ({ status: 200, body: { success: true, user } })),
    'POST /auth/login': ({ body }) => {
      const { email } = body as { email: string };
      const found = [...sessions].findLast(([, user]) => user.email === email);
      return { status: 200, body: { success: true, token: found?.[0], user: found?.[1] } };
    },
    'POST /auth/logout': { status: 200, body: { success: true } },
    'PUT /users/profile': ({ token, body }) =>
      as(token, (user) => ({
        status: 200,
        body: { success: true, data: { ...user, ...(body as object) } },
      })),
  });
});
afterEach(() => {
  store.set(heldSessionAtom, null);
  store.set(tokenAtom, null);
  store.set(userAtom, null);
  vi.unstubAllGlobals();
});

describe('a session that ends under an open page', () => {
  it('hides the page behind the sign-in, and its person goes on with what they typed', async () => {
    const name = await typeName();
    name.focus();
    sessions.clear();
    act(() => notifySessionEnded(aToken));
    expect(isHeldNow()).toBe(true);
    const dialog = within(await overlay());
    expect(document.activeElement).toBe(dialog.getByLabelText(/^Password/));
    expect(location.pathname).toBe('/profile');
    await signInAs(ada);
    expect(screen.getByLabelText(/Name/)).toBe(name);
    expect(name.value).toBe('Ada King');
    expect(document.activeElement).toBe(name);
    expect(store.get(tokenAtom)).toBe(NEW_TOKEN);
    expect(document.querySelector('dialog')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /Save/ }));
    await screen.findByText('Profile updated successfully!');
    expect(calls.findLast(({ method }) => method === 'PUT')).toMatchObject({
      token: NEW_TOKEN,
      body: { name: 'Ada King' },
    });
  });

  it('is noticed by a command, which is not sent again by itself', async () => {
    const name = await typeName();
    sessions.clear();
    await userEvent.click(screen.getByRole('button', { name: /Save/ }));
    await overlay();
    await signInAs(ada);
    await screen.findByText(/What you did last was not saved/);
    expect(name.value).toBe('Ada King');
    expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  it('lets no call out until somebody has signed in', async () => {
    await typeName();
    sessions.clear();
    act(() => notifySessionEnded(aToken));
    await overlay();
    const before = calls.length;
    const { call } = await import('../../platform/api/api.ts');
    const { authApi } = await import('#contract/people/auth/constants');
    const read = call(authApi.me);
    await expect(call(authApi.endOtherSessions, {})).rejects.toMatchObject({
      code: 'SESSION_ENDED',
    });
    expect(calls).toHaveLength(before);
    await signInAs(ada);
    expect((await read).user._id).toBe(ada._id);
  });

  it('gives a fresh page to anybody else', async () => {
    await typeName();
    sessions.clear();
    act(() => notifySessionEnded(aToken));
    await signInAs({ ...bo, email: 'bo@farmgate.test' });
    await waitFor(() => expect(location.pathname).toBe('/'));
    act(() => history.pushState(null, '', '/profile'));
    await screen.findByText('Email cannot be changed');
    expect(screen.getByLabelText<HTMLInputElement>(/Name/).value).toBe('Bo Diddley');
  });

  it('can be left without signing in', async () => {
    await typeName();
    sessions.clear();
    act(() => notifySessionEnded(aToken));
    const dialog = within(await overlay());
    await userEvent.click(dialog.getByRole('button', { name: 'Leave without signing in' }));
    await waitFor(() => expect(location.pathname).toBe('/login'));
    expect(isHeldNow()).toBe(false);
    expect(localStorage.getItem('user')).toBeNull();
  });

  it('is left where the account is gone', async () => {
    await typeName();
    sessions.clear();
    act(() => notifySessionEnded(aToken, true));
    await screen.findByText('Your session has ended. Please sign in again.');
    await waitFor(() => expect(location.pathname).toBe('/login'));
    expect(isHeldNow()).toBe(false);
  });
});

describe('with a second tab', () => {
  it('goes on when the same person signs in there', async () => {
    const name = await typeName();
    sessions.clear();
    // A page that was opened there has found the session ended.
    inOtherTab(null, null);
    await overlay();
    sessions.set(NEW_TOKEN, ada);
    inOtherTab(NEW_TOKEN, ada);
    await waitFor(() => expect(isHeldNow()).toBe(false));
    expect(screen.getByLabelText(/Name/)).toBe(name);
    expect(name.value).toBe('Ada King');
    expect(store.get(tokenAtom)).toBe(NEW_TOKEN);
  });

  it('shows nothing of it when somebody else signs in there', async () => {
    const name = await typeName();
    sessions.clear();
    act(() => notifySessionEnded(aToken));
    await overlay();
    sessions.set(NEW_TOKEN, bo);
    inOtherTab(NEW_TOKEN, bo);
    await waitFor(() => expect(isHeldNow()).toBe(false));
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>(/Name/).value).toBe('Bo Diddley'),
    );
    expect(name.isConnected).toBe(false);
  });

  it('is left when its person logs out there, also while it is held', async () => {
    await typeName();
    act(() => notifySessionEnded(aToken));
    await overlay();
    localStorage.setItem('left-session', aToken);
    inOtherTab(null, null);
    await waitFor(() => expect(isHeldNow()).toBe(false));
    await waitFor(() => expect(location.pathname).toBe('/login'));
  });
});
