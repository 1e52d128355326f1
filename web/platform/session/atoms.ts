import { atom } from 'jotai';
import type { SignedInUser } from '#contract/platform/session/constants';
import { tokenAtom, userAtom } from './session.ts';

export { userAtom } from './session.ts';

/** The session: both token and user, or neither. */
export type Auth =
  | { isAuthenticated: true; token: string; user: SignedInUser }
  | { isAuthenticated: false; token: null; user: null };

/** The current session. `SessionGate` renders no page while a stored one is being checked. */
export const authAtom = atom<Auth>((get) => {
  const token = get(tokenAtom);
  const user = get(userAtom);
  return token !== null && user !== null
    ? { isAuthenticated: true, token, user }
    : { isAuthenticated: false, token: null, user: null };
});
