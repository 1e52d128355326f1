// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react';
import { toast as sonner } from 'sonner';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import Toaster from './Toaster.tsx';
import { toast } from './toast.ts';

const DURATION_MS = 10_000;

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toaster />);
});
afterEach(() => {
  sonner.dismiss();
  vi.useRealTimers();
});

/** Lets time pass, and at its beginning whatever has just happened take effect. */
async function pass(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(50));
  await act(() => vi.advanceTimersByTimeAsync(ms));
}
const show = async (message: string) => {
  toast.info(message, {
    id: 'one',
    duration: DURATION_MS,
    action: { label: 'View', onClick: () => {} },
  });
  await pass(100);
};
const button = () => screen.queryByRole('button', { name: 'View' });

it('a toast goes after its time', async () => {
  await show('News');
  await pass(DURATION_MS - 1000);
  expect(button()).not.toBeNull();
  await pass(2000);
  expect(button()).toBeNull();
});

it('a toast stays while its button has the focus, also when it changes', async () => {
  await show('News');
  act(() => button()?.focus());
  await pass(DURATION_MS * 2);
  expect(button()).toBe(document.activeElement);
  await show('Newer news');
  await pass(DURATION_MS * 2);
  expect(button()).toBe(document.activeElement);
  act(() => button()?.blur());
  await pass(DURATION_MS * 2);
  expect(button()).toBeNull();
});
