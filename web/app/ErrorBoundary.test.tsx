// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../platform/api/api-error.ts';
import { noteRelease } from '../platform/api/release.ts';
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

const LOAD_FAILURE = new TypeError('Failed to fetch dynamically imported module: /assets/page.js');
const BROKEN = 'This page ran into a problem. Try again, or go on from the home page.';
const CONNECTION_LOST = "This page couldn't be loaded. Check your connection and try again.";

describe('a page of an earlier release', () => {
  const reload = vi.fn();
  let answer: () => Promise<Response>;
  const served = (status: number, release: string) => () =>
    Promise.resolve(new Response('', { status, headers: { 'X-Release': release } }));

  beforeEach(() => {
    reload.mockReset();
    sessionStorage.clear();
    vi.spyOn(location, 'reload').mockImplementation(reload);
    problem = LOAD_FAILURE;
    const others = fetch;
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
      url === location.href ? answer() : others(url, init),
    );
  });
  const open = () =>
    render(
      <ErrorBoundary fallback={<p>Loading</p>}>
        <Page />
      </ErrorBoundary>,
    );
  const openAgain = () => {
    cleanup();
    return open();
  };
  const message = async () => (await screen.findByRole('alert')).textContent;

  it('is loaded again at once, without a word', async () => {
    answer = served(200, '/assets/index-1.js');
    open();
    expect(screen.getByText('Loading')).toBeDefined();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is loaded again once for each release', async () => {
    answer = served(200, '/assets/index-1.js');
    open();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
    openAgain();
    expect(await message()).toBe(BROKEN);
    answer = served(200, '/assets/index-2.js');
    openAgain();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
  });

  it('that fails with what a newer release answers is loaded again once', async () => {
    problem = new TypeError('icon of undefined');
    noteRelease('/assets/index-3.js');
    answer = served(200, '/assets/index-3.js');
    open();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
    expect(screen.queryByRole('alert')).toBeNull();
    openAgain();
    expect(await message()).toMatch(/ran into a problem/);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('blames the connection only where the server cannot be reached', async () => {
    answer = served(503, '/assets/index-1.js');
    open();
    expect(await message()).toBe(BROKEN);
    answer = () => Promise.reject(new TypeError('Failed to fetch'));
    openAgain();
    expect(await message()).toBe(CONNECTION_LOST);
    expect(reload).not.toHaveBeenCalled();
    answer = served(200, '/assets/index-1.js');
    window.dispatchEvent(new Event('online'));
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  });
});
