import { atom } from 'jotai';
import { FARM_ROLES } from '#contract/constants/farm';
import { ROLES } from '#contract/constants/http';
import { SHORT_WISHES } from '#contract/constants/order-lines';
import type { User } from '#contract/users';
import {
  isBoolean,
  isNullOr,
  isNumberIn,
  isObjectOf,
  isOneOf,
  isText,
  isUndefinedOr,
} from '../lib/check.ts';
import { tokenAtom } from '../lib/session.ts';
import { storedAtom } from '../lib/stored-atom.ts';

const isUser = isObjectOf<User>({
  _id: isText,
  name: isText,
  email: isText,
  role: isOneOf(ROLES),
  phone: isText,
  address: isObjectOf<User['address']>({
    street: isText,
    city: isText,
    state: isText,
    zipCode: isText,
  }),
  createdAt: isText,
  // Users that were stored before profiles had versions have none.
  version: isUndefinedOr(isNumberIn(1, Number.MAX_SAFE_INTEGER)),
  membership: isUndefinedOr(
    isNullOr(
      isObjectOf<NonNullable<User['membership']>>({ farmId: isText, role: isOneOf(FARM_ROLES) }),
    ),
  ),
  isEmailVerified: isUndefinedOr(isBoolean),
  onShortDefault: isUndefinedOr(isOneOf(SHORT_WISHES)),
  // Only admins' lists say it.
  isSuspended: isUndefinedOr(isBoolean),
});

/** The signed-in user as last returned by the server. Kept in localStorage. */
export const userAtom = storedAtom<User | null>('user', isUser, null);

/** The session: both token and user, or neither. */
export type Auth =
  | { isAuthenticated: true; token: string; user: User }
  | { isAuthenticated: false; token: null; user: null };

/** The current session. `SessionGate` renders no page while a stored one is being checked. */
export const authAtom = atom<Auth>((get) => {
  const token = get(tokenAtom);
  const user = get(userAtom);
  return token !== null && user !== null
    ? { isAuthenticated: true, token, user }
    : { isAuthenticated: false, token: null, user: null };
});
