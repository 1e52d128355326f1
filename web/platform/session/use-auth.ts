import { useAtomValue } from 'jotai';
import { type Auth, authAtom } from './atoms.ts';

/** Returns the current session: `{ isAuthenticated, user, token }`. */
export function useAuth(): Auth {
  return useAtomValue(authAtom);
}
