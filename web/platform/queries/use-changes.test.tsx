// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { noteOwnChange, useHighlight } from './use-changes.ts';

const highlightOf = (id: string) => {
  const { result, rerender } = renderHook(({ value }) => useHighlight(value, id), {
    initialProps: { value: 'pending' },
  });
  return {
    isHighlighted: () => result.current,
    become: (value: string) => act(() => rerender({ value })),
  };
};

it('highlights what somebody else changed, and nothing at first', () => {
  const row = highlightOf('theirs');
  expect(row.isHighlighted()).toBe(false);
  row.become('accepted');
  expect(row.isHighlighted()).toBe(true);
});

it('does not highlight what was done in this tab', () => {
  const row = highlightOf('mine');
  noteOwnChange({ _id: 'mine' });
  row.become('accepted');
  expect(row.isHighlighted()).toBe(false);
});
