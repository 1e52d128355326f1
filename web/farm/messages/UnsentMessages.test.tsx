// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { User } from '#contract/people/users/users';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser, stubNetwork } from '../../platform/testing/network.ts';
import { type Unsent, unsentAtom } from './outbox.ts';
import { UnsentMessages } from './UnsentMessages.tsx';

const me = aUser('farmer');
const workingAs = (membership: User['membership']) => ({ ...me, membership });
const unsent = (content: string, owner: string): Unsent => ({
  _id: crypto.randomUUID(),
  owner,
  receiver: aUser('consumer')._id,
  content,
  createdAt: '2026-11-22T10:00:00.000Z',
  refusal: 'You do not work for a farm at the moment.',
});

beforeEach(() => {
  stubNetwork({});
  store.set(tokenAtom, aToken);
  store.set(userAtom, me);
  store.set(unsentAtom, [
    unsent('Ten bunches are yours.', me._id),
    unsent('Not for you.', 'another'),
  ]);
});
afterEach(() => {
  cleanup();
  store.set(unsentAtom, []);
  vi.unstubAllGlobals();
});

const shownAs = (user: User): string => {
  store.set(userAtom, user);
  const { container } = render(<UnsentMessages />, { wrapper: Providers });
  return container.textContent ?? '';
};

it.each([
  ['works for no farm', null],
  ['only packs', { farmId: 'farm', role: 'packer' } as const],
])('shows their own unsent words to anyone who %s', (_, membership) => {
  const shown = shownAs(workingAs(membership));
  expect(shown).toContain('Ten bunches are yours.');
  expect(shown).not.toContain('Not for you.');
});

it('leaves to the conversation what can still be sent there', () => {
  expect(shownAs(workingAs({ farmId: 'farm', role: 'seller' }))).toBe('');
});

it('shows what was written for another farm to anyone who writes for a new one', () => {
  store.set(unsentAtom, [
    { ...unsent('For the old farm.', me._id), identity: 'old farm' },
    { ...unsent('For the new farm.', me._id), identity: 'farm' },
  ]);
  const shown = shownAs(workingAs({ farmId: 'farm', role: 'seller' }));
  expect(shown).toContain('For the old farm.');
  expect(shown).not.toContain('For the new farm.');
});

it('removes a message that is deleted', () => {
  shownAs(workingAs(null));
  act(() => screen.getByRole('button', { name: 'Delete' }).click());
  expect(screen.queryByText('Ten bunches are yours.')).toBeNull();
  expect(store.get(unsentAtom).map(({ content }) => content)).toEqual(['Not for you.']);
});
