// @vitest-environment happy-dom
import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isText } from '../api/check.ts';
import { aToken, aUser } from '../testing/network.ts';
import { ownedAtom, ownedInTab, ownedKey, ownerOf, SEEN_AT, VISITOR } from './owned.ts';
import { pruneOwned, takeOverEarlier } from './owned-upkeep.ts';
import { store, tokenAtom, userAtom } from './session.ts';

const DAY_MS = 86_400_000;

function signIn(id: string | null): void {
  store.set(userAtom, id === null ? null : { ...aUser('consumer'), _id: id });
  store.set(tokenAtom, id === null ? null : aToken);
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  signIn('ada');
});

describe('what is kept for a person', () => {
  it('is seen by nobody else, and there again when they come back', () => {
    const words = ownedAtom<string>('words', isText, '');
    const inTab = ownedInTab('in-tab', isText);
    store.set(words, 'of Ada');
    inTab.write('of Ada');
    signIn('bo');
    expect([store.get(words), inTab.read()]).toEqual(['', undefined]);
    store.set(words, 'of Bo');
    signIn(null);
    expect([store.get(words), inTab.read()]).toEqual(['', undefined]);
    signIn('ada');
    expect([store.get(words), inTab.read()]).toEqual(['of Ada', 'of Ada']);
  });

  it('can be changed for who began it, after somebody else has signed in', () => {
    const words = ownedAtom<string>('words', isText, '');
    signIn('bo');
    store.set(words.of('ada'), 'answered');
    expect(store.get(words)).toBe('');
    signIn('ada');
    expect(store.get(words)).toBe('answered');
  });

  it.each(['forbidden', 'full'])('is kept in the tab where the storage is %s', (how) => {
    const fail = () => {
      throw new DOMException(how);
    };
    const storage = { getItem: () => null, setItem: fail, removeItem: () => {} };
    if (how === 'forbidden') Object.assign(storage, { getItem: fail, removeItem: fail });
    vi.stubGlobal('localStorage', storage);
    vi.stubGlobal('sessionStorage', storage);
    const words = ownedAtom<string>('unsaved words', isText, '');
    const inTab = ownedInTab('in-tab', isText);
    store.set(words, 'of Ada');
    inTab.write('of Ada');
    signIn('bo');
    expect([store.get(words), inTab.read()]).toEqual(['', undefined]);
    signIn('ada');
    expect([store.get(words), inTab.read()]).toEqual(['of Ada', 'of Ada']);
    takeOverEarlier();
    pruneOwned();
    vi.unstubAllGlobals();
  });
});

describe('what is pruned', () => {
  const kept = () => [...new Set(Object.keys(localStorage).map(ownerOf))].sort();

  it('is that of people who were not here for 30 days, counted from their last visit', () => {
    const now = Date.now();
    localStorage.setItem(ownedKey('ada', 'cart'), '1');
    localStorage.setItem(ownedKey('bo', 'cart'), '1');
    sessionStorage.setItem(ownedKey('bo', 'checkout-draft'), '1');
    pruneOwned(now);
    pruneOwned(now + 29 * DAY_MS);
    expect(kept()).toContain('bo');
    pruneOwned(now + 30 * DAY_MS);
    expect(kept()).not.toContain('bo');
    expect(sessionStorage.getItem(ownedKey('bo', 'checkout-draft'))).toBeNull();
    expect(localStorage.getItem(ownedKey('ada', 'cart'))).toBe('1');
  });

  it('is nothing where the clock was ahead before', () => {
    const now = Date.now();
    localStorage.setItem(ownedKey('bo', 'cart'), '1');
    localStorage.setItem(ownedKey('bo', SEEN_AT), String(now + 400 * DAY_MS));
    pruneOwned(now);
    pruneOwned(now + DAY_MS);
    expect(localStorage.getItem(ownedKey('bo', 'cart'))).toBe('1');
  });
});

describe('what an earlier release kept', () => {
  const keep = (storage: Storage, name: string, value: unknown) =>
    storage.setItem(name, JSON.stringify(value));
  const read = (storage: Storage, owner: string, name: string) =>
    JSON.parse(storage.getItem(ownedKey(owner, name)) ?? 'null');

  beforeEach(() => {
    keep(localStorage, 'cart', { lines: [1] });
    keep(localStorage, 'unsent-messages', [
      { owner: 'ada', n: 1 },
      { owner: 'bo', n: 2 },
      { n: 3 },
      null,
    ]);
    keep(localStorage, 'message-drafts', { 'ada finn': 'Hi', 'bo finn': 'Ho' });
    keep(localStorage, 'orders-seen', 'all');
    keep(sessionStorage, 'checkout-draft', { userId: 'bo', farmerId: 'f', draft: {} });
    keep(sessionStorage, 'kept-goods', [1]);
    keep(sessionStorage, 'order-attempt', { key: 'k', said: 's', order: '{"farmer":"f"}' });
  });

  it('goes to its persons, once, and no longer lies under its own name', () => {
    takeOverEarlier();
    expect(read(localStorage, 'ada', 'cart')).toEqual({ lines: [1] });
    expect(read(localStorage, 'ada', 'unsent-messages')).toEqual([{ owner: 'ada', n: 1 }]);
    expect(read(localStorage, 'bo', 'unsent-messages')).toEqual([{ owner: 'bo', n: 2 }]);
    expect(read(localStorage, 'ada', 'message-drafts')).toEqual({ finn: 'Hi' });
    expect(read(localStorage, 'bo', 'message-drafts')).toEqual({ finn: 'Ho' });
    expect(sessionStorage.getItem('checkout-draft')).toBeNull();
    expect(read(sessionStorage, VISITOR, 'kept-goods')).toEqual([1]);
    expect(read(localStorage, 'ada', 'order-attempt')).toEqual({
      key: 'k',
      farmerId: 'f',
      sent: [{ said: 's', order: '{"farmer":"f"}' }],
    });
    const left = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
    expect(left.filter((key) => ownerOf(key) === undefined).sort()).toEqual(['token', 'user']);
    keep(localStorage, 'cart', { lines: [2] });
    takeOverEarlier();
    expect(read(localStorage, 'ada', 'cart')).toEqual({ lines: [1] });
  });

  it('is nobody’s where it names none and nobody is signed in', () => {
    signIn(null);
    takeOverEarlier();
    signIn('bo');
    expect(read(localStorage, 'bo', 'cart')).toBeNull();
    expect(localStorage.getItem('cart')).toBeNull();
  });

  it.each(['{broken', 'null', '7', '"text"'])('is removed where it is %s', (text) => {
    for (const name of ['cart', 'unsent-messages', 'message-drafts']) {
      localStorage.setItem(name, text);
    }
    sessionStorage.setItem('order-attempt', text);
    takeOverEarlier();
    expect(localStorage.getItem('unsent-messages')).toBeNull();
    expect(sessionStorage.getItem('order-attempt')).toBeNull();
  });
});

/** What belongs to the browser, no matter who uses it, by the file that keeps it. */
const OF_THE_BROWSER = {
  'web/platform/session/session.ts': 'the session itself, and which was ended on purpose',
  'web/platform/format/market.ts': 'the settings of the market',
  'web/platform/hooks/use-media.ts': 'light or dark',
  'web/people/auth/commands.ts': 'by what the server knows the device',
  'web/people/auth/logouts.ts': 'sessions that are still to be ended',
  'web/app/frame/Layout.tsx': 'the announcement that was put away on this device',
  'web/platform/api/release.ts': 'for which release this tab was loaded again',
  'web/platform/ui/feedback/sound.ts': 'the sound of this device',
  'web/people/notifications/push.ts': 'whose push messages this browser shows',
  'web/ordering/model/use-keys.ts': 'whether this keyboard has shortcuts',
} as const;
/** What keeps things for their persons, or only looks at them. */
const OWNED = [
  'web/platform/session/owned.ts',
  'web/platform/session/owned-upkeep.ts',
  'web/platform/session/stored-atom.ts',
  'web/platform/offline/indexed-db.ts',
];

it('is kept by every part of the client, but for what belongs to the browser', () => {
  const keeps = /\b(storedAtom|localStorage|sessionStorage|indexedDB|caches\.open)\b[<(.[]/;
  const found = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .map((name) => `web/${name}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\//.test(file))
    .filter((file) => keeps.test(readFileSync(file, 'utf8')));
  expect(found.sort()).toEqual([...Object.keys(OF_THE_BROWSER), ...OWNED].sort());
});
