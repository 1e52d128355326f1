// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser, refusal, stubNetwork } from '../../platform/testing/network.ts';
import { FollowButton } from './FollowButton.tsx';

const signInAs = (role: 'consumer' | 'farmer' | 'admin' | null) => {
  store.set(tokenAtom, role && aToken);
  store.set(userAtom, role && aUser(role));
};

afterEach(() => {
  cleanup();
  signInAs(null);
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

const ID = '22222222-0000-4000-8000-000000000001';

/** Renders the button of a farm for a server that has, or refuses, it. @returns what was changed */
function show({ isFull = false } = {}) {
  let follows: object[] = [];
  const answer = (data: unknown) => ({ status: 200, body: { success: true, data } });
  const path = `/follows/farms/${ID}`;
  const calls = stubNetwork({
    'GET /follows': () => answer(follows),
    [`PUT ${path}`]: () => {
      if (isFull) return refusal(409, 'You follow 200 farms and products already.');
      follows = [{ farm: { _id: ID }, since: '2026-11-29T08:00:00.000Z', state: 'waiting' }];
      return answer({ _id: ID, since: '2026-11-29T08:00:00.000Z', state: 'waiting' });
    },
    [`DELETE ${path}`]: () => {
      follows = [];
      return { status: 200, body: { success: true } };
    },
  });
  render(<FollowButton subject={{ kind: 'farm', id: ID }} />, { wrapper: Providers });
  return () => calls.map(({ method }) => method).filter((method) => method !== 'GET');
}
const button = () => screen.getByRole('button', { name: 'Follow' });
const isPressed = () => button().getAttribute('aria-pressed');

it('follows and no longer follows, and says what comes of it', async () => {
  signInAs('consumer');
  const changes = show();
  fireEvent.click(button());
  await screen.findByText("We'll tell you of its new products.");
  await waitFor(() => expect(changes()).toEqual(['PUT']));
  await waitFor(() => expect(button().getAttribute('aria-busy')).toBeNull());
  expect(isPressed()).toBe('true');
  fireEvent.click(button());
  await waitFor(() => expect(changes()).toEqual(['PUT', 'DELETE']));
  await waitFor(() => expect(isPressed()).toBe('false'));
});

it('is not pressed where it was refused', async () => {
  signInAs('consumer');
  const changes = show({ isFull: true });
  fireEvent.click(button());
  await waitFor(() => expect(changes()).toEqual(['PUT']));
  await waitFor(() => expect(button().getAttribute('aria-busy')).toBeNull());
  expect(isPressed()).toBe('false');
});

it('leads a visitor to the sign-in, and is pressed once afterwards', async () => {
  window.history.replaceState(null, '', `/farmers/${ID}`);
  show();
  const next = encodeURIComponent(`/farmers/${ID}?follow=on`);
  const link = screen.getByRole('link', { name: 'Follow' });
  expect(link.getAttribute('href')).toBe(`/login?next=${next}`);
  cleanup();
  window.history.replaceState(null, '', `/farmers/${ID}?follow=on`);
  signInAs('consumer');
  const changes = show();
  await waitFor(() => expect(isPressed()).toBe('true'));
  expect(window.location.search).toBe('');
  expect(changes()).toEqual(['PUT']);
});

it.each(['farmer', 'admin'] as const)('is not there for a %s', (role) => {
  signInAs(role);
  show();
  expect(screen.queryByText('Follow')).toBeNull();
});
