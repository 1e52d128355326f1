import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import type { User } from '#contract/people/users/users';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, type Call, type Reply } from '../../platform/testing/network.ts';

/** Begins each test of a file as this person, or as a visitor, and ends what it rendered and stubbed. */
export function beginAs(user: User | null = null): void {
  beforeEach(() => {
    localStorage.clear();
    store.set(tokenAtom, user && aToken);
    store.set(userAtom, user);
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
}

/** Renders a page within what surrounds all pages. */
export const open = (page: ReactNode) => render(<Providers>{page}</Providers>);

/** Returns an answer with one entity. */
export const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });

/** Returns an answer with a list. */
export const list = (data: readonly unknown[]): Reply => ({
  status: 200,
  body: { success: true, data, count: data.length, nextCursor: null },
});

/** Returns what was sent by a method. */
export const sent = (calls: readonly Call[], method: string) =>
  calls.filter((call) => call.method === method).map(({ body }) => body);
