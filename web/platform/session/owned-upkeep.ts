import { type EarlierName, ownedKey, ownerOf, readOwner, SEEN_AT, VISITOR } from './owned.ts';
import { readToken } from './session.ts';
import { tryStorage } from './stored-atom.ts';

/** How long what is kept for a person waits for them to come back, in milliseconds. */
const KEPT_MS = 30 * 86_400_000;
/** How often it is noted that a person was here, in milliseconds. */
const NOTED_EVERY_MS = 3_600_000;
const AREAS = ['localStorage', 'sessionStorage'] as const;

/** What an earlier release kept under a name, by the ids of the persons whose it is. */
type Owned = Record<string, unknown>;

/** Sorts entries by the ids of their owners. */
function sort<Entry>(entries: readonly Entry[], ownerOfEntry: (entry: Entry) => unknown) {
  const sorted: Record<string, Entry[]> = {};
  for (const entry of entries) {
    const owner = ownerOfEntry(entry);
    if (typeof owner === 'string') sorted[owner] = [...(sorted[owner] ?? []), entry];
  }
  return sorted;
}

type Fields = Partial<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (Object(value) === value ? (value as Fields) : {});

const byOwners = (value: unknown): Owned =>
  sort(Array.isArray(value) ? value : [], (entry) => fieldsOf(entry).owner);

/** Without a session nobody knows whose it was. */
const ofSignedIn = (value: unknown): Owned =>
  readToken() !== null && readOwner() !== VISITOR ? { [readOwner()]: value } : {};

/** How what was kept for all people together is divided. */
const DIVISIONS: Record<EarlierName, (value: unknown) => Owned> = {
  cart: ofSignedIn,
  'shortage-runs': byOwners,
  'kept-answers': byOwners,
  'kept-pick-work': byOwners,
  'unsent-messages': byOwners,
  'message-drafts': (value) => {
    // By '<owner> <receiver>'.
    const drafts = sort(Object.entries(fieldsOf(value)), ([names]) => names.split(' ')[0]);
    return Object.fromEntries(
      Object.entries(drafts).map(([owner, own]) => [
        owner,
        Object.fromEntries(own.map(([names, text]) => [names.split(' ')[1] ?? '', text])),
      ]),
    );
  },
  'ask-second-factor-at': ofSignedIn,
  'orders-seen': () => ({}),
  'checkout-draft': () => ({}),
  'kept-goods': (value) => ({ [VISITOR]: value }),
  'scroll-positions': ofSignedIn,
  'order-attempt': (value) => {
    const { key, said, order } = fieldsOf(value);
    const farmerId = fieldsOf(parse(order)).farmer;
    return ofSignedIn({ key, farmerId, sent: [{ said, order }] });
  },
};
/** Attempts were a tab's, and are all tabs' now. */
const MOVED_TO_ALL_TABS: EarlierName = 'order-attempt';

/** Gives what an earlier release kept to its persons, once. What has none is removed. */
export function takeOverEarlier(): void {
  inEachArea((area) => {
    for (const [name, divide] of Object.entries(DIVISIONS)) {
      const text = area.getItem(name);
      if (text === null) continue;
      area.removeItem(name);
      const target = name === MOVED_TO_ALL_TABS ? localStorage : area;
      for (const [owner, value] of Object.entries(divide(parse(text)))) {
        const key = ownedKey(owner, name);
        const isFree = value !== undefined && target.getItem(key) === null;
        if (isFree) target.setItem(key, JSON.stringify(value));
      }
    }
  });
}

function inEachArea(use: (area: Storage) => void): void {
  for (const area of AREAS) tryStorage(() => use(globalThis[area]));
}

function parse(text: unknown): unknown {
  return tryStorage(() => JSON.parse(String(text)));
}

/** Notes that the signed-in person is here, and removes what is kept for people who were not for too long. */
export function pruneOwned(now = Date.now()): void {
  tryStorage(() => {
    const present = readOwner();
    const owners = new Set(Object.keys(localStorage).flatMap((key) => ownerOf(key) ?? []));
    for (const owner of owners.add(present)) {
      const key = ownedKey(owner, SEEN_AT);
      const seenAt = Number(localStorage.getItem(key));
      const isNoted = seenAt > 0 && seenAt <= now;
      const isPresent = owner === present && owner !== VISITOR;
      if (!isNoted || (isPresent && now - seenAt >= NOTED_EVERY_MS)) {
        localStorage.setItem(key, String(now));
      } else if (!isPresent && now - seenAt >= KEPT_MS) removeOwned(owner);
    }
  });
}

/** Removes all that is kept for a person. */
export function removeOwned(owner: string): void {
  inEachArea((area) => {
    for (const key of Object.keys(area)) if (ownerOf(key) === owner) area.removeItem(key);
  });
}
