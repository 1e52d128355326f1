// @vitest-environment happy-dom
import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storedAtom } from './stored-atom.ts';

const Whole = {
  safeParse: (value: unknown) =>
    Number.isInteger(value)
      ? ({ success: true, data: value as number } as const)
      : ({ success: false } as const),
};

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

it('is there with the first reading, before anything is shown', () => {
  localStorage.setItem('n', '7');
  expect(createStore().get(storedAtom<number>('n', Whole, 0))).toBe(7);
});

it.each(['{broken', '"text"', '1.5', 'null'])('drops %s, which does not fit', (stored) => {
  localStorage.setItem('n', stored);
  expect(createStore().get(storedAtom<number>('n', Whole, 0))).toBe(0);
  expect(localStorage.getItem('n')).toBeNull();
});

it('follows the other tabs, also when they empty everything', () => {
  const store = createStore();
  const atom = storedAtom<number>('n', Whole, 0);
  const stop = store.sub(atom, () => undefined);
  const told = (key: string | null, newValue: string | null) =>
    window.dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }));
  told('n', '5');
  expect(store.get(atom)).toBe(5);
  told('other', '9');
  expect(store.get(atom)).toBe(5);
  told('n', 'nonsense');
  expect(store.get(atom)).toBe(0);
  told('n', '6');
  told(null, null);
  expect(store.get(atom)).toBe(0);
  stop();
});

it('works on where storage is full, for as long as the page is open', () => {
  const store = createStore();
  const atom = storedAtom<number>('n', Whole, 0);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  store.set(atom, 4);
  expect(store.get(atom)).toBe(4);
  const stop = store.sub(atom, () => undefined);
  expect(store.get(atom)).toBe(4);
  stop();
});
