import type { QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/users';
import { tokenAtom } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { userAtom } from './atoms.ts';
import { authKeys } from './keys.ts';

// Whether a session is open, as far as this tab has noted.
let isOpen = false;

/** Notes whether a session is open in this tab. */
export function noteOpenSession(open: boolean): void {
  isOpen = open;
}

/**
 * Returns whether the session disappeared without being ended in this tab: somebody signed out in another
 * one. The next person to sign in is not led to where the last one was.
 */
export function wasEndedElsewhere(): boolean {
  return isOpen && store.get(tokenAtom) === null;
}

/** Starts a session: stores token and user, and clears the cache of the previous user. */
export function startSession(client: QueryClient, token: string, user: User): void {
  client.clear();
  client.setQueryData(authKeys.me(token), user);
  store.set(userAtom, user);
  store.set(tokenAtom, token);
}

/** Returns whether somebody works for another farm by now, or as something else there: they may see other things. */
export const isOtherWork = (
  { membership: before }: Pick<User, 'membership'>,
  { membership: now }: Pick<User, 'membership'>,
): boolean => before?.farmId !== now?.farmId || before?.role !== now?.role;

/** Forgets what was read in another role: what no page shows at once, the rest once it is read again. */
export function dropReads(client: QueryClient): void {
  const isRead = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    queryKey[0] !== authKeys.all[0];
  client.removeQueries({ type: 'inactive', predicate: isRead });
  void client.invalidateQueries({ predicate: isRead });
}

/** Ends the session: removes token and user, and clears the cache. */
export function endSession(client: QueryClient): void {
  isOpen = false;
  store.set(tokenAtom, null);
  store.set(userAtom, null);
  client.clear();
}

/**
 * Clears the cache when another tab signs in or out. Returns a function that unsubscribes.
 */
export function followOtherTabs(client: QueryClient): () => void {
  const listen = ({ storageArea, key }: StorageEvent) => {
    // A null key means that everything was cleared.
    if (storageArea === localStorage && (key === 'token' || key === null)) client.clear();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
