// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { noteOwnChange } from './own-changes.ts';
import { useGlow } from './use-changes.ts';

const glowOf = (id: string) => {
  const { result, rerender } = renderHook(({ value }) => useGlow(value, id), {
    initialProps: { value: 'pending' },
  });
  return {
    glows: () => result.current,
    become: (value: string) => act(() => rerender({ value })),
  };
};

it('glows when somebody else changed it, and not at first', () => {
  const row = glowOf('theirs');
  expect(row.glows()).toBe(false);
  row.become('accepted');
  expect(row.glows()).toBe(true);
});

it('does not glow for what was done in this tab', () => {
  const row = glowOf('mine');
  noteOwnChange({ _id: 'mine' });
  row.become('accepted');
  expect(row.glows()).toBe(false);
});
