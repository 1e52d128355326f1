// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../lib/api-error.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';

let problem: Error | undefined;

function Page() {
  if (problem) throw problem;
  return <p>All is well</p>;
}

beforeEach(() => {
  // React reports what a boundary caught.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  problem = undefined;
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it.each([
  [
    new Error('x is undefined'),
    'This page ran into a problem. Try again, or go on from the home page.',
  ],
  [
    new TypeError('Failed to fetch dynamically imported module: /assets/page.js'),
    'This page could not be loaded. Check your connection and try again.',
  ],
  [new ApiError('Order not found', { status: 404, code: 'NOT_FOUND' }), 'Order not found'],
])('puts %s in words and shows the way home', (error, words) => {
  problem = error;
  render(
    <ErrorBoundary>
      <Page />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('alert').textContent).toBe(words);
  expect(screen.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/');
});

it('shows the page when it can be shown again', async () => {
  problem = new Error('only once');
  render(
    <ErrorBoundary>
      <Page />
    </ErrorBoundary>,
  );
  problem = undefined;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('All is well')).toBeDefined();
});
