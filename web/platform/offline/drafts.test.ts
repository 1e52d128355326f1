// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ownedKey, VISITOR } from '../session/owned.ts';
import { removeOwned } from '../session/owned-upkeep.ts';
import { store, userAtom } from '../session/session.ts';
import { aUser } from '../testing/network.ts';
import { discardDraft, readDraft, saveDraft, saveDraftSoon } from './drafts.ts';

const DAY_MS = 86_400_000;
const KALE = { name: 'Kale', 'address.city': 'Bath' };
const storedText = (owner: string) => localStorage.getItem(ownedKey(owner, 'drafts'));

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  store.set(userAtom, { ...aUser('farmer'), _id: 'ada' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('keeps what was typed for its person alone, until it is discarded', () => {
  saveDraft('product:1', KALE);
  expect(readDraft('product:1')).toEqual(KALE);
  expect(readDraft('product:2')).toBeUndefined();
  store.set(userAtom, { ...aUser('farmer'), _id: 'bo' });
  expect(readDraft('product:1')).toBeUndefined();
  discardDraft('product:1');
  store.set(userAtom, null);
  expect(readDraft('product:1')).toBeUndefined();
  expect(readDraft('product:1', 'ada')).toEqual(KALE);
  discardDraft('product:1', 'ada');
  expect(readDraft('product:1', 'ada')).toBeUndefined();
  expect(storedText('ada')).toBe('{}');
});

it("keeps a visitor's own", () => {
  store.set(userAtom, null);
  saveDraft('report', { text: 'Rotten' });
  expect(storedText(VISITOR)).toContain('Rotten');
});

it('is gone after seven days, also from the storage', () => {
  saveDraft('old', { text: 'Old' });
  vi.advanceTimersByTime(6 * DAY_MS);
  saveDraft('young', { text: 'Young' });
  expect(readDraft('old')).toEqual({ text: 'Old' });
  vi.advanceTimersByTime(DAY_MS);
  expect(readDraft('old')).toBeUndefined();
  expect(readDraft('young')).toEqual({ text: 'Young' });
  saveDraft('young', { text: 'Younger' });
  expect(storedText('ada')).not.toContain('Old');
});

it('drops the drafts that were changed longest ago above the limit', () => {
  for (let number = 0; number < 50; number++) saveDraft(`form ${number}`, { text: 'x' });
  saveDraft('form 0', { text: 'y' });
  saveDraft('form 50', { text: 'x' });
  expect(readDraft('form 0')).toEqual({ text: 'y' });
  expect(readDraft('form 1')).toBeUndefined();
  expect(readDraft('form 2')).toEqual({ text: 'x' });
});

it('stores what is typed a moment later, once, and not what was discarded before that', () => {
  saveDraftSoon('a', { text: 'K' }, 'ada');
  saveDraftSoon('a', { text: 'Ka' }, 'ada');
  saveDraftSoon('b', { text: 'Discarded' }, 'ada');
  expect(storedText('ada')).toBeNull();
  discardDraft('b');
  vi.advanceTimersByTime(1_000);
  expect(storedText('ada')).toContain('Ka');
  expect(storedText('ada')).not.toContain('Discarded');
});

it.each([
  ['the page is left', () => window.dispatchEvent(new Event('pagehide'))],
  [
    'the page is hidden',
    () => {
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
      document.dispatchEvent(new Event('visibilitychange'));
    },
  ],
  ['it is read', () => readDraft('another')],
])('stores at once what waits when %s', (_, happen) => {
  saveDraftSoon('a', { text: 'Kale' }, 'ada');
  happen();
  expect(storedText('ada')).toContain('Kale');
});

it('goes with the account of its person', () => {
  saveDraft('a', { text: 'Kale' });
  removeOwned('ada');
  expect(readDraft('a')).toBeUndefined();
});

it('keeps changes of another tab to other forms', () => {
  saveDraft('a', { text: 'Here' });
  const there = { b: { values: { text: 'There' }, savedAt: Date.now() } };
  localStorage.setItem(ownedKey('ada', 'drafts'), JSON.stringify(there));
  saveDraft('c', { text: 'Here' });
  expect(readDraft('b')).toEqual({ text: 'There' });
});

it.each(['{broken', 'null', '{"a":{}}', '{"a":{"values":1,"savedAt":1}}'])(
  'ignores a stored value that is %s',
  (stored) => {
    localStorage.setItem(ownedKey('ada', 'drafts'), stored);
    expect(readDraft('a')).toBeUndefined();
  },
);

it('keeps it in memory where the storage is forbidden', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('Forbidden');
  });
  saveDraft('a', KALE);
  expect(readDraft('a')).toEqual(KALE);
  discardDraft('a');
  expect(readDraft('a')).toBeUndefined();
});
