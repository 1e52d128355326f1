// @vitest-environment happy-dom

import { act, cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../session/session.ts';
import { aToken, aUser } from '../testing/network.ts';
import { type KeepReads, KeptReads } from './KeptReads.tsx';
import { keepReads } from './persister.ts';
import { createMemoryStore } from './testing/memory-store.ts';

const OWNER = `${aUser('consumer')._id} consumer`;

const setSession = (token: string | null) => {
  store.set(tokenAtom, token);
  store.set(userAtom, token === null ? null : aUser('consumer'));
};

afterEach(() => {
  cleanup();
  setSession(null);
});

/** Renders it for a storage in which somebody's reads are kept. @returns the storage, and how its file comes */
function show() {
  const storage = createMemoryStore();
  storage.head = {
    format: 'of this build',
    owner: OWNER,
    position: null,
    trueAt: Date.now(),
    notes: {},
  };
  let starts = 0;
  const keep: KeepReads = (cache, reader) => {
    starts++;
    return keepReads(cache, { store: storage, groups: [], format: 'of this build', reader });
  };
  let arrive = () => {};
  const file = new Promise<{ keepReads: KeepReads }>((resolve) => {
    arrive = () => resolve({ keepReads: keep });
  });
  let count = 0;
  const load = () => {
    count++;
    return file;
  };
  render(
    <Providers>
      <KeptReads load={load} />
    </Providers>,
  );
  return {
    storage,
    loads: () => count,
    starts: () => starts,
    arrive: () =>
      act(async () => {
        arrive();
        await file;
      }),
  };
}

it('removes what was kept when the session ends before its file comes', async () => {
  setSession(aToken);
  const { storage, arrive } = show();
  act(() => setSession(null));
  expect(storage.head).toBeDefined();
  await arrive();
  await waitFor(() => expect(storage.head).toBeUndefined());
});

it('removes nothing of who has signed in before the file of a visitor comes', async () => {
  const { storage, arrive, loads, starts } = show();
  act(() => {
    window.dispatchEvent(new Event('pointerdown'));
  });
  await waitFor(() => expect(loads()).toBe(1));
  act(() => setSession(aToken));
  await arrive();
  // Both have asked for it, and who has signed in alone goes on.
  await waitFor(() => expect([loads(), starts()]).toEqual([2, 1]));
  expect(storage.head?.owner).toBe(OWNER);
});
