// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../platform/api/api-error.ts';
import { type Call, stubNetwork } from '../platform/testing/network.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';

let problem: Error | undefined;
let calls: Call[];

function Page() {
  if (problem) throw problem;
  return <p>All is well</p>;
}

beforeEach(() => {
  // React reports what a boundary caught.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  problem = undefined;
  calls = stubNetwork({ 'POST /client-errors': { status: 200, body: { success: true } } });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it.each([
  [
    new Error('x is undefined'),
    'This page ran into a problem. Try again, or go on from the home page.',
  ],
  [
    new TypeError('Failed to fetch dynamically imported module: /assets/page.js'),
    "This page couldn't be loaded. Check your connection and try again.",
  ],
  [new ApiError('Order not found', { status: 404, code: 'NOT_FOUND' }), 'Order not found'],
])('shows a message for %s and a link to the home page', (error, message) => {
  problem = error;
  render(
    <ErrorBoundary>
      <Page />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('alert').textContent).toBe(message);
  expect(screen.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/');
});

it('renders the page again on retry', async () => {
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

it('reports the error to the server', async () => {
  problem = new RangeError('reported');
  render(
    <ErrorBoundary>
      <Page />
    </ErrorBoundary>,
  );
  await vi.waitFor(() =>
    // Those of the tests before may come now too.
    expect(calls.at(-1)).toMatchObject({
      path: '/client-errors',
      body: { message: 'RangeError: reported' },
    }),
  );
});
