import { useAtomValue } from 'jotai';
import { type Auth, authAtom } from './atoms.ts';

/** Who is here: `{ isAuthenticated, user, token }`. */
export function useAuth(): Auth {
  return useAtomValue(authAtom);
}
