import type { QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/users';
import { tokenAtom } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { userAtom } from './atoms.ts';

/** The key under which the answer about the signed-in user of a token is kept. */
export const meKey = (token: string | null) => ['auth', 'me', token] as const;

/** Begins a session: keeps token and user, and forgets what was fetched for whoever was before. */
export function startSession(client: QueryClient, token: string, user: User): void {
  client.clear();
  client.setQueryData(meKey(token), user);
  store.set(userAtom, user);
  store.set(tokenAtom, token);
}

/** Ends the session here: forgets token and user, and all that was fetched for them. */
export function endSession(client: QueryClient): void {
  store.set(tokenAtom, null);
  store.set(userAtom, null);
  client.clear();
}

/**
 * Another tab signs in or out for this one too: forgets what was fetched for whoever was here
 * before. Returns how to stop.
 */
export function followOtherTabs(client: QueryClient): () => void {
  const listen = ({ storageArea, key }: StorageEvent) => {
    // A null key means that everything was cleared.
    if (storageArea === localStorage && (key === 'token' || key === null)) client.clear();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
