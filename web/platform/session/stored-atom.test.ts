// @vitest-environment happy-dom
import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storedAtom } from './stored-atom.ts';

const isWhole = (value: unknown): value is number => Number.isInteger(value);

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

it('has the stored value on the first read', () => {
  localStorage.setItem('n', '7');
  expect(createStore().get(storedAtom<number>('n', isWhole, 0))).toBe(7);
});

it.each(['{broken', '"text"', '1.5', 'null'])('removes the invalid value %s', (stored) => {
  localStorage.setItem('n', stored);
  expect(createStore().get(storedAtom<number>('n', isWhole, 0))).toBe(0);
  expect(localStorage.getItem('n')).toBeNull();
});

it('follows other tabs, also when they clear the storage', () => {
  const store = createStore();
  const atom = storedAtom<number>('n', isWhole, 0);
  const stop = store.sub(atom, () => undefined);
  const dispatchStorage = (key: string | null, newValue: string | null) =>
    window.dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }));
  dispatchStorage('n', '5');
  expect(store.get(atom)).toBe(5);
  dispatchStorage('other', '9');
  expect(store.get(atom)).toBe(5);
  dispatchStorage('n', 'nonsense');
  expect(store.get(atom)).toBe(0);
  dispatchStorage('n', '6');
  dispatchStorage(null, null);
  expect(store.get(atom)).toBe(0);
  stop();
});

it('keeps the value in memory when the storage is full', () => {
  const store = createStore();
  const atom = storedAtom<number>('n', isWhole, 0);
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  store.set(atom, 4);
  expect(store.get(atom)).toBe(4);
  expect(atom.readStored()).toBe(4);
  const stop = store.sub(atom, () => undefined);
  expect(store.get(atom)).toBe(4);
  stop();
});
