import { atom, createStore, useAtomValue } from 'jotai';
import { ROLES } from '#contract/platform/http/constants';
import { SHORTAGE_PREFERENCES } from '#contract/platform/orders/constants';
import {
  canActFor,
  FARM_ROLES,
  type FarmPermission,
  type FarmRole,
  type SignedInUser,
} from '#contract/platform/session/constants';
import {
  isBoolean,
  isMatch,
  isNullOr,
  isNumberIn,
  isObjectOf,
  isOneOf,
  isText,
  isUndefinedOr,
} from '../api/check.ts';
import { isHydratedAtom } from '../hooks/hydration.ts';
import { createListeners } from '../hooks/listen.ts';
import { type StoredAtom, storedAtom, tryStorage, type Update } from './stored-atom.ts';

/** The store of client state, shared with code outside of components. */
export const store = createStore();

const isToken = isMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);

const isUser = isObjectOf<SignedInUser>({
  _id: isText,
  name: isText,
  email: isText,
  role: isOneOf(ROLES),
  phone: isText,
  address: isObjectOf<SignedInUser['address']>({
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
      isObjectOf<NonNullable<SignedInUser['membership']>>({
        farmId: isText,
        role: isOneOf(FARM_ROLES),
      }),
    ),
  ),
  isEmailVerified: isUndefinedOr(isBoolean),
  isEmailUnreachable: isUndefinedOr(isOneOf([true])),
  onShortDefault: isUndefinedOr(isOneOf(SHORTAGE_PREFERENCES)),
  language: isUndefinedOr(isNullOr(isText)),
  // Only admins' lists say it.
  isSuspended: isUndefinedOr(isBoolean),
});

const storedToken = storedAtom<string | null>('token', isToken, null, 'text');
const storedUser = storedAtom<SignedInUser | null>('user', isUser, null);
/** The end of the last token whose session was ended on purpose in this browser: its pages are left, not held. */
const leftAtom = storedAtom<string | null>('left-session', isText, null, 'text');
const endOf = (token: string) => token.slice(-24);

/** A session that has ended under the page that it had open, and what had the focus there. */
export type HeldSession = { token: string; user: SignedInUser; focused: Element | null };

/** The session whose page waits, hidden, for its person to sign in again; it is this page's session until then. */
export const heldSessionAtom = atom<HeldSession | null>(null);

/** Returns what is stored, or what the held page goes on with. */
function heldOr<Value>(stored: StoredAtom<Value>, ofHeld: (held: HeldSession) => Value) {
  const now = atom(
    (get) => {
      // Read in any case, so that other tabs are followed.
      const value = get(stored.stored);
      const held = get(heldSessionAtom);
      return held ? ofHeld(held) : value;
    },
    (_, set, update: Update<Value>) => set(stored, update),
  );
  const shown = atom(
    (get) => (get(isHydratedAtom) ? get(now) : get(stored)),
    (_, set, update: Update<Value>) => set(stored, update),
  );
  return Object.assign(shown, { stored: now });
}

/** The bearer token of the signed-in user, or null. Kept in localStorage. */
export const tokenAtom = heldOr<string | null>(storedToken, ({ token }) => token);

/** The signed-in user as last returned by the server. Kept in localStorage. */
export const userAtom = heldOr<SignedInUser | null>(storedUser, ({ user }) => user);

/** Returns the current token, for code outside of components. */
export const readToken = (): string | null => store.get(tokenAtom.stored);

/** Returns whether no call can be made with a token, because its session has ended under its page. */
export const isHeld = (token: string | null): boolean =>
  token !== null && store.get(heldSessionAtom)?.token === token;

/**
 * Returns whether the storage that all tabs share still holds `token`, or none for null. The token of this tab
 * follows a moment later when another tab signs out. True where storage is forbidden: there is this tab alone.
 */
export const isStoredToken = (token: string | null): boolean =>
  tryStorage(() => localStorage.getItem('token') === token) ?? true;

/** The token of the session whose page is open: the server has confirmed it, or was not there to reject it. */
let opened: string | null = null;
/** The session that a held page goes on with, and the key of that page. */
let resumed: { token: string; pageKey: string } | undefined;
/** Whether a command was refused because the session of its page had ended. */
let isRefused = false;
let waiting: ((goesOn: boolean) => void)[] = [];

/** Notes of which session a page is open; null for none, or while it is not known whether there still is one. */
export function noteOpened(token: string | null): void {
  opened = token;
}

/** Returns what names the page of a session: the token with which it was opened, which may have been replaced since. */
export const pageKeyOf = (token: string | null): string | null =>
  token !== null && token === resumed?.token ? resumed.pageKey : token;

/** Resolves when the held page is released, to whether its person has signed in again. */
export const whenReleased = (): Promise<boolean> =>
  new Promise((resolve) => {
    waiting.push(resolve);
  });

/** Notes that a command was refused because the session of its page had ended. */
export function noteRefused(): void {
  isRefused = true;
}

/** Returns whether a command was refused because the session of its page had ended, once. */
export function takeRefused(): boolean {
  const was = isRefused;
  isRefused = false;
  return was;
}

function release(goesOn: boolean): void {
  const calls = waiting;
  waiting = [];
  if (!goesOn) isRefused = false;
  store.set(heldSessionAtom, null);
  for (const proceed of calls) proceed(goesOn);
}

/** Lets the held page go on where the one who signed in is its person. Returns whether it does. */
function releaseTo(held: HeldSession, token: string, userId: string | undefined): boolean {
  const goesOn = held.user._id === userId;
  resumed = goesOn ? { token, pageKey: pageKeyOf(held.token) ?? held.token } : undefined;
  opened = goesOn ? token : null;
  release(goesOn);
  return goesOn;
}

/** Stores a session that begins. */
export function openSession(token: string, user: SignedInUser): void {
  const held = store.get(heldSessionAtom);
  if (wasLeft(token)) store.set(leftAtom, null);
  store.set(userAtom, user);
  store.set(tokenAtom, token);
  if (held) releaseTo(held, token, user._id);
  else resumed = undefined;
}

/** Removes the session. One that `isLeft` on purpose takes its pages in other tabs along; they are held otherwise. */
export function closeSession(isLeft: boolean): void {
  const token = readToken();
  if (isLeft && token !== null) store.set(leftAtom, endOf(token));
  opened = null;
  resumed = undefined;
  store.set(tokenAtom, null);
  store.set(userAtom, null);
  if (store.get(heldSessionAtom)) release(false);
}

const wasLeft = (token: string): boolean => leftAtom.readStored() === endOf(token);

/** Holds the page of a session that has ended. Returns false where there is none, or it is to be left. */
function hold(token: string | null): boolean {
  const user = store.get(userAtom.stored);
  if (token === null || token !== opened || !user || wasLeft(token)) return false;
  store.set(heldSessionAtom, { token, user, focused: document.activeElement });
  return true;
}

/** Follows another tab that signs in, or removes a session that has ended. Listens before the atoms do. */
function followToken({ storageArea, key, newValue }: StorageEvent): void {
  if (key !== 'token' || storageArea !== localStorage) return;
  const held = store.get(heldSessionAtom);
  if (newValue === null) {
    if (!held) hold(readToken());
    else if (wasLeft(held.token)) release(false);
  } else if (held) {
    store.set(storedToken.stored, storedToken.readStored());
    store.set(storedUser.stored, storedUser.readStored());
    releaseTo(held, newValue, store.get(storedUser.stored)?._id);
  }
}
if (typeof window !== 'undefined') window.addEventListener('storage', followToken);

const endListeners = createListeners();

/**
 * Calls a listener when the server rejects the current token and no page is held. Returns a function that unsubscribes.
 */
export const onSessionEnded = endListeners.add;

/**
 * Call when the server rejected `token`; nothing happens if another one is in use by now. Holds the page that is open,
 * unless the account `isGone` too, and notifies the listeners otherwise.
 */
export function notifySessionEnded(token: string, isGone = false): void {
  if (readToken() !== token || isHeld(token)) return;
  if (!isGone && hold(token)) return;
  endListeners.notify();
}

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

/** Returns the current session: `{ isAuthenticated, user, token }`. */
export const useAuth = (): Auth => useAtomValue(authAtom);

/** Where somebody works: a farmer's account that was stored before farms had members owns its own farm. */
const membershipOf = ({ _id, role, membership }: SignedInUser) =>
  membership === undefined && role === 'farmer'
    ? { farmId: _id, role: 'owner' as const }
    : (membership ?? null);

/** Returns the id of the farm that somebody works for; undefined for none. */
export const farmIdOf = (user: SignedInUser | null | undefined): string | undefined =>
  (user && membershipOf(user)?.farmId) ?? undefined;

/** Whether somebody may do this for the farm they work for. */
export function mayForFarm(
  user: SignedInUser | null | undefined,
  permission: FarmPermission,
): boolean {
  const membership = user ? membershipOf(user) : null;
  return membership !== null && canActFor({ membership }, membership.farmId, permission);
}

/** Where work begins for those who do one thing; the pages choose the day. */
const WORK_PATHS: Partial<Record<FarmRole, string>> = {
  packer: '/farmer/picklist?date=next',
  seller: '/farmer/orders?day=today',
};

/** Returns the path at which somebody's work for their farm begins. */
export const workPathOf = (user: SignedInUser): string =>
  WORK_PATHS[membershipOf(user)?.role ?? 'owner'] ?? '/farmer/dashboard';

/** Returns the id as which somebody writes and reads messages: those who may write for a farm do so as the farm. */
export const senderIdOf = (user: SignedInUser | null | undefined): string | undefined =>
  mayForFarm(user, 'writeMessages') ? farmIdOf(user) : user?._id;

/** Whether somebody takes part in conversations: everyone, but of a farm's people those who may write for it. */
export const hasConversations = (user: SignedInUser | null | undefined): boolean =>
  user?.role === 'farmer' ? mayForFarm(user, 'writeMessages') : user != null;
