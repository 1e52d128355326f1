// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rowsToDefer, useLiveList, withLeavingRows } from './use-live-list.ts';

type Row = { _id: string; note?: string };
const rows = (letters: string): Row[] => [...letters].map((_id) => ({ _id }));
const letters = (list: readonly Row[]) => list.map((row) => row._id).join('');

describe('deferred rows', () => {
  it.each([
    ['xab', 'ab', 'x'],
    ['axb', 'ab', 'x'],
    ['abx', 'ab', ''],
    ['xy', '', ''],
    ['ab', 'ab', ''],
  ])('of %s with %s known are "%s"', (items, known, deferred) => {
    expect(letters(rowsToDefer(rows(items), new Set(known)))).toBe(deferred);
  });
});

describe('leaving rows', () => {
  it.each([
    ['bc', 'abc', 'a', 'abc'],
    ['ac', 'abc', 'b', 'abc'],
    ['a', 'abc', 'bc', 'abc'],
    ['xc', 'abc', 'b', 'bxc'],
    ['ab', 'abc', '', 'ab'],
  ])('keep their position: %s after %s with %s leaving is %s', (items, before, leaving, shown) => {
    const map = new Map(rows(leaving).map((row) => [row._id, row]));
    expect(letters(withLeavingRows(rows(items), [...before], map))).toBe(shown);
  });
});

/** As it was before a test set it. */
const ownScrollY = Object.getOwnPropertyDescriptor(window, 'scrollY');

function scrollTo(y: number) {
  act(() => {
    Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
    window.dispatchEvent(new Event('scroll'));
  });
}

type Props = { items: Row[]; view?: string; ready?: boolean; changed?: Row[] };
const renderList = (props: Props) =>
  renderHook(
    ({ items, view = 'all', ready = true, changed = [] }: Props) =>
      useLiveList(items, { view, ready, changed }),
    { initialProps: props },
  );

describe('a live list', () => {
  beforeEach(() => scrollTo(0));
  afterEach(() => {
    cleanup();
    if (ownScrollY) Object.defineProperty(window, 'scrollY', ownScrollY);
    else Reflect.deleteProperty(window, 'scrollY');
    vi.useRealTimers();
  });

  it('inserts new rows at the top and defers them while the page is scrolled down', () => {
    const { result, rerender } = renderList({ items: rows('ab') });
    expect(result.current.rows.some(result.current.isNew)).toBe(false);
    rerender({ items: rows('xab') });
    expect(letters(result.current.rows)).toBe('xab');
    expect(result.current.rows.filter(result.current.isNew)).toEqual(rows('x'));

    scrollTo(900);
    rerender({ items: rows('yzxab') });
    expect(letters(result.current.rows)).toBe('xab');
    expect(result.current.deferredCount).toBe(2);
    rerender({ items: rows('yzxabc') });
    expect(letters(result.current.rows)).toBe('xabc');

    scrollTo(0);
    expect(letters(result.current.rows)).toBe('yzxabc');
    expect(result.current.deferredCount).toBe(0);
  });

  it('starts over with another view', () => {
    const { result, rerender } = renderList({ items: rows('ab') });
    scrollTo(900);
    rerender({ items: rows('xab'), view: 'pending' });
    expect(letters(result.current.rows)).toBe('xab');
    expect(result.current.deferredCount).toBe(0);
    expect(result.current.rows.some(result.current.isNew)).toBe(false);
  });

  it('keeps a changed row that no longer belongs until the user is idle', () => {
    vi.useFakeTimers();
    const { result, rerender } = renderList({ items: rows('abc') });
    rerender({ items: rows('ac'), changed: [{ _id: 'b', note: 'accepted' }] });
    expect(result.current.rows[1]).toEqual({ _id: 'b', note: 'accepted' });
    expect(result.current.rows.filter(result.current.isLeaving)).toHaveLength(1);

    for (let moves = 0; moves < 10; moves++) {
      act(() => vi.advanceTimersByTime(400));
      document.dispatchEvent(new Event('pointermove'));
    }
    expect(letters(result.current.rows)).toBe('abc');
    act(() => vi.advanceTimersByTime(2_000));
    expect(letters(result.current.rows)).toBe('ac');
  });

  it('removes a row that is gone without a change at once', () => {
    const { result, rerender } = renderList({ items: rows('abc') });
    rerender({ items: rows('ac') });
    expect(letters(result.current.rows)).toBe('ac');
  });
});
