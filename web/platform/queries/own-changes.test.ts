import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isOwnChange, isOwnCommand, noteCommand, noteOwnChange } from './use-changes.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-23T09:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

it('recognizes the commands of this tab, and no other events', () => {
  noteCommand('mine');
  expect(isOwnCommand('mine')).toBe(true);
  expect(isOwnCommand('of another tab')).toBe(false);
  expect(isOwnCommand(undefined)).toBe(false);
});

it('remembers the last commands, however many there were', () => {
  noteCommand('first');
  for (let number = 0; number < 1_000; number++) noteCommand(`command ${number}`);
  expect(isOwnCommand('first')).toBe(false);
  expect(isOwnCommand('command 999')).toBe(true);
});

it('remembers for a moment what this tab changed, one thing or several', () => {
  noteOwnChange({ _id: 'order', status: 'accepted' });
  noteOwnChange([{ _id: 'one' }, { _id: 'two' }, null]);
  noteOwnChange(undefined);
  expect(['order', 'one', 'two', 'other'].map(isOwnChange)).toEqual([true, true, true, false]);
  vi.advanceTimersByTime(3_000);
  expect(isOwnChange('order')).toBe(false);
});
