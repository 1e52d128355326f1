import { atom } from 'jotai';
import type { Check } from '../api/check.ts';
import { store, userAtom } from './session.ts';
import { type StoredAtom, storedAtom, tryStorage, type Update } from './stored-atom.ts';

// What a browser keeps for a person is kept under their id: anyone who signs in after them neither sees nor changes it,
// and it is there again when they come back.

const PREFIX = 'of:';
/** Whose it is what somebody who is not signed in leaves. */
export const VISITOR = 'visitor';
/** The name under which it is noted when a person was here last. */
export const SEEN_AT = 'seen-at';

/** Whose what is kept now is: the id of the signed-in person, or {@link VISITOR}. */
export const ownerAtom = atom((get) => get(userAtom.stored)?._id ?? VISITOR);

/** Returns the id of the person whom what is kept now belongs to, or {@link VISITOR}. */
export const readOwner = (): string => store.get(ownerAtom);

/** Returns the name in the storage of what is a person's. */
export const ownedKey = (owner: string, name: string): string => `${PREFIX}${owner}:${name}`;

/** Returns whose something in the storage is; undefined for what belongs to the browser. */
export const ownerOf = (key: string): string | undefined =>
  key.startsWith(PREFIX) ? key.slice(PREFIX.length, key.indexOf(':', PREFIX.length)) : undefined;

/**
 * Creates an atom like {@link storedAtom} for each person: it is that of anyone who is signed in. `of` returns that of
 * a person, for what is changed after an answer that may come when somebody else has signed in.
 */
export function ownedAtom<Value>(
  name: string,
  isValid: Check<NonNullable<Value>>,
  initial: Value,
  mend?: (stored: unknown) => unknown,
) {
  const atoms = new Map<string, StoredAtom<Value>>();
  const of = (owner: string): StoredAtom<Value> => {
    const owned =
      atoms.get(owner) ?? storedAtom(ownedKey(owner, name), isValid, initial, 'json', mend);
    atoms.set(owner, owned);
    return owned;
  };
  const shown = atom(
    (get) => get(of(get(ownerAtom))),
    (get, set, update: Update<Value>) => set(of(get(ownerAtom)), update),
  );
  return Object.assign(shown, { of, readStored: () => of(readOwner()).readStored() });
}

/**
 * Creates what is kept in this tab alone for each person. It is in memory where the storage is forbidden or full, and
 * gone then after a reload.
 */
export function ownedInTab<Value>(name: string, isValid: Check<Value>) {
  const unsaved = new Map<string, Value>();
  return {
    /** Returns what is kept, or undefined for nothing. */
    read(owner = readOwner()): Value | undefined {
      if (unsaved.has(owner)) return unsaved.get(owner);
      const value: unknown = tryStorage(() =>
        JSON.parse(sessionStorage.getItem(ownedKey(owner, name)) ?? 'null'),
      );
      return isValid(value) ? value : undefined;
    },
    /** Keeps a value, or nothing any longer for undefined. */
    write(value: Value | undefined, owner = readOwner()): void {
      unsaved.delete(owner);
      try {
        if (value === undefined) sessionStorage.removeItem(ownedKey(owner, name));
        else sessionStorage.setItem(ownedKey(owner, name), JSON.stringify(value));
      } catch {
        if (value !== undefined) unsaved.set(owner, value);
      }
    },
  };
}

/** What earlier releases kept under these names for all people together. */
const EARLIER_NAMES = [
  'cart',
  'shortage-runs',
  'kept-answers',
  'kept-pick-work',
  'unsent-messages',
  'message-drafts',
  'ask-second-factor-at',
  'orders-seen',
  'checkout-draft',
  'kept-goods',
  'scroll-positions',
  'order-attempt',
] as const;
export type EarlierName = (typeof EARLIER_NAMES)[number];

/** Returns whether an earlier release has kept something here: few browsers have any. */
export const isEarlierKept = (): boolean =>
  tryStorage(() => EARLIER_NAMES.some((name) => name in localStorage || name in sessionStorage)) ??
  false;
