// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useTitleCount } from './fold.ts';

it('counts before whatever title a page sets, and leaves the title alone after it', async () => {
  document.title = 'Orders · Farmgate';
  const { rerender, unmount } = renderHook(({ count }) => useTitleCount(count), {
    initialProps: { count: 2 },
  });
  expect(document.title).toBe('(2) Orders · Farmgate');
  document.title = 'Messages · Farmgate';
  await vi.waitFor(() => expect(document.title).toBe('(2) Messages · Farmgate'));
  rerender({ count: 3 });
  expect(document.title).toBe('(3) Messages · Farmgate');
  rerender({ count: 0 });
  expect(document.title).toBe('Messages · Farmgate');
  unmount();
  expect(document.title).toBe('Messages · Farmgate');
});
