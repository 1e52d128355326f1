import type { QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/people/users/users';
import { navigateTo } from '../../platform/format/address.ts';
import {
  closeSession,
  heldSessionAtom,
  noteOpened,
  openSession,
  pageKeyOf,
  store,
  tokenAtom,
} from '../../platform/session/session.ts';
import { authKeys } from './queries.ts';

// Whether a session is open, as far as this tab has noted.
let isOpen = false;

/** Notes whether a session is open in this tab, and whether it was open when the server was asked last. */
export function noteOpenSession(token: string | null, isConfirmed: boolean): void {
  isOpen = token !== null;
  noteOpened(isConfirmed ? token : null);
}

/**
 * Returns whether the session disappeared without being ended in this tab: somebody signed out in another
 * one. The next person to sign in is not led to where the last one was.
 */
export function wasEndedElsewhere(): boolean {
  return isOpen && store.get(tokenAtom) === null;
}

/**
 * Starts a session: stores token and user, and clears the cache of the previous user. A page that is held goes on where
 * it was for its person; anybody else begins where they would after any sign-in.
 */
export function startSession(client: QueryClient, token: string, user: User): void {
  const held = store.get(heldSessionAtom);
  if (held?.user._id !== user._id) {
    // Its guard leads on from there.
    if (held) navigateTo('/login', { replace: true });
    client.clear();
  }
  client.setQueryData(authKeys.me(token), user);
  openSession(token, user);
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

/**
 * Ends the session: removes token and user, and clears the cache. Pages of other tabs are left too if it was ended on
 * purpose, or with its account; otherwise they wait for their person.
 */
export function endSession(client: QueryClient, { isLeft = true } = {}): void {
  isOpen = false;
  closeSession(isLeft);
  client.clear();
}

/**
 * Clears the cache when another tab signs in or out, unless the page is held or goes on. Returns a function that
 * unsubscribes.
 */
export function followOtherTabs(client: QueryClient): () => void {
  const listen = ({ storageArea, key, newValue }: StorageEvent) => {
    if (storageArea !== localStorage || (key !== 'token' && key !== null)) return;
    // A null key means that everything was cleared.
    const goesOn = key !== null && (store.get(heldSessionAtom) || pageKeyOf(newValue) !== newValue);
    if (!goesOn) client.clear();
  };
  window.addEventListener('storage', listen);
  return () => window.removeEventListener('storage', listen);
}
