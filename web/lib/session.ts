import { store } from './store.ts';
import { storedAtom } from './stored-atom.ts';

const Token = {
  safeParse: (value: unknown) =>
    typeof value === 'string' && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value)
      ? ({ success: true, data: value } as const)
      : ({ success: false } as const),
};

/** The bearer token of who is signed in, or null. Kept in the browser's storage. */
export const tokenAtom = storedAtom<string | null>('token', Token, null, 'text');

/** The token at this moment, for code outside of components. */
export function readToken(): string | null {
  return store.get(tokenAtom);
}

type Listener = () => void;
const listeners = new Set<Listener>();

/** Calls `listener` when the server no longer takes the token we have. Returns how to stop. */
export function onSessionEnded(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells that the server refused `token`; of no consequence when another one is in use by now. */
export function sessionEnded(token: string): void {
  if (readToken() !== token) return;
  for (const listener of listeners) listener();
}
