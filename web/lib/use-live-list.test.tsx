// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heldBack, withLeaving } from './live-list.ts';
import { useLiveList } from './use-live-list.ts';

type Row = { _id: string; note?: string };
const rows = (letters: string): Row[] => [...letters].map((_id) => ({ _id }));
const letters = (list: readonly Row[]) => list.map((row) => row._id).join('');

describe('what is held back', () => {
  it.each([
    ['xab', 'ab', 'x'],
    ['axb', 'ab', 'x'],
    ['abx', 'ab', ''],
    ['xy', '', ''],
    ['ab', 'ab', ''],
  ])('of %s, knowing %s, is %s', (items, known, held) => {
    expect(letters(heldBack(rows(items), new Set(known)))).toBe(held);
  });
});

describe('what is leaving', () => {
  it.each([
    ['bc', 'abc', 'a', 'abc'],
    ['ac', 'abc', 'b', 'abc'],
    ['a', 'abc', 'bc', 'abc'],
    ['xc', 'abc', 'b', 'bxc'],
    ['ab', 'abc', '', 'ab'],
  ])('keeps its place: %s after %s with %s leaving is %s', (items, before, leaving, drawn) => {
    const map = new Map(rows(leaving).map((row) => [row._id, row]));
    expect(letters(withLeaving(rows(items), [...before], map))).toBe(drawn);
  });
});

function scrollTo(y: number) {
  act(() => {
    Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
    window.dispatchEvent(new Event('scroll'));
  });
}

type Props = { items: Row[]; view?: string; ready?: boolean; changed?: Row[] };
const draw = (props: Props) =>
  renderHook(
    ({ items, view = 'all', ready = true, changed = [] }: Props) =>
      useLiveList(items, { view, ready, changed }),
    { initialProps: props },
  );

describe('a live list', () => {
  beforeEach(() => scrollTo(0));
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it('lets new rows slide in at the top, and holds them while one reads further down', () => {
    const { result, rerender } = draw({ items: rows('ab') });
    expect(result.current.rows.some(result.current.isNew)).toBe(false);
    rerender({ items: rows('xab') });
    expect(letters(result.current.rows)).toBe('xab');
    expect(result.current.rows.filter(result.current.isNew)).toEqual(rows('x'));

    scrollTo(900);
    rerender({ items: rows('yzxab') });
    expect(letters(result.current.rows)).toBe('xab');
    expect(result.current.held).toBe(2);
    rerender({ items: rows('yzxabc') });
    expect(letters(result.current.rows)).toBe('xabc');

    scrollTo(0);
    expect(letters(result.current.rows)).toBe('yzxabc');
    expect(result.current.held).toBe(0);
  });

  it('begins anew with another view', () => {
    const { result, rerender } = draw({ items: rows('ab') });
    scrollTo(900);
    rerender({ items: rows('xab'), view: 'pending' });
    expect(letters(result.current.rows)).toBe('xab');
    expect(result.current.held).toBe(0);
    expect(result.current.rows.some(result.current.isNew)).toBe(false);
  });

  it('shows what no longer belongs as it is now, until the hands are still', () => {
    vi.useFakeTimers();
    const { result, rerender } = draw({ items: rows('abc') });
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

  it('drops at once what is gone without a change of its own', () => {
    const { result, rerender } = draw({ items: rows('abc') });
    rerender({ items: rows('ac') });
    expect(letters(result.current.rows)).toBe('ac');
  });
});
