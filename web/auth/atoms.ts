import { atom } from 'jotai';
import type { User } from '#contract/users';
import { tokenAtom } from '../lib/session.ts';
import { storedAtom } from '../lib/stored-atom.ts';

const ROLES: readonly unknown[] = ['consumer', 'farmer', 'admin'];

/**
 * Reads a user out of whatever the storage holds. Written by hand because the contract's own schema
 * would bring all of zod onto the first page.
 */
const StoredUser = {
  safeParse(value: unknown): { success: true; data: User } | { success: false } {
    const user = value as Partial<User> | null;
    const address = user?.address as Partial<User['address']> | null | undefined;
    const isUser =
      ROLES.includes(user?.role) &&
      [user?._id, user?.name, user?.email, user?.phone, user?.createdAt].every(isText) &&
      [address?.street, address?.city, address?.state, address?.zipCode].every(isText);
    return isUser ? { success: true, data: user as User } : { success: false };
  },
};

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Who is signed in, as last told by the server. Kept in the browser's storage. */
export const userAtom = storedAtom<User | null>('user', StoredUser, null);

/** What is known of who is here: both token and user, or neither. */
export type Auth =
  | { isAuthenticated: true; token: string; user: User }
  | { isAuthenticated: false; token: null; user: null };

/** Who is here. While a stored session is still being checked, the pages wait (see `SessionGate`). */
export const authAtom = atom<Auth>((get) => {
  const token = get(tokenAtom);
  const user = get(userAtom);
  return token !== null && user !== null
    ? { isAuthenticated: true, token, user }
    : { isAuthenticated: false, token: null, user: null };
});
