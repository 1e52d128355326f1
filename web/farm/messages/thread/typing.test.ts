// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeTyping, setTyping, useTyping } from './typing.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('shows who of a farm is typing, until they stop or nothing more comes', () => {
  const { result } = renderHook(() => useTyping('farm'));
  expect(result.current).toBeUndefined();
  act(() => setTyping({ from: 'farm', isTyping: true, name: 'Ann Miller' }));
  expect(result.current).toBe('Ann Miller');
  act(() => setTyping({ from: 'farm', isTyping: true, name: 'Ben Hill' }));
  expect(result.current).toBe('Ben Hill');
  act(() => setTyping({ from: 'farm', isTyping: false, name: 'Ben Hill' }));
  expect(result.current).toBeUndefined();
  // A person, whose conversation has their name.
  act(() => setTyping({ from: 'farm', isTyping: true }));
  expect(result.current).toBe('');
  act(() => vi.advanceTimersByTime(10_000));
  expect(result.current).toBeUndefined();
});

it('names them by their first name', () => {
  expect(describeTyping('Ann Miller')).toBe('Ann is typing…');
  expect(describeTyping('')).toBe('is typing…');
});
