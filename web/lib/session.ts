import { isMatch } from './check.ts';
import { store } from './store.ts';
import { storedAtom } from './stored-atom.ts';

const isToken = isMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);

/** The bearer token of the signed-in user, or null. Kept in localStorage. */
export const tokenAtom = storedAtom<string | null>('token', isToken, null, 'text');

/** Returns the current token, for code outside of components. */
export function readToken(): string | null {
  return store.get(tokenAtom.stored);
}

/**
 * Returns whether the storage that all tabs share still holds `token`, or none for null. The token of this tab
 * follows a moment later when another tab signs out. True where storage is forbidden: there is this tab alone.
 */
export function isStoredToken(token: string | null): boolean {
  try {
    return localStorage.getItem('token') === token;
  } catch {
    return true;
  }
}

type Listener = () => void;
const listeners = new Set<Listener>();

/** Calls `listener` when the server rejects the current token. Returns a function that unsubscribes. */
export function onSessionEnded(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Notifies the listeners that the server rejected `token`, unless another one is in use by now. */
export function notifySessionEnded(token: string): void {
  if (readToken() !== token) return;
  for (const listener of listeners) listener();
}
