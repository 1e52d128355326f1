// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api, apiUrl } from './api.ts';
import { ApiError } from './api-error.ts';
import { retryDelay, shouldRetry } from './query-client.ts';
import { onSessionEnded, tokenAtom } from './session.ts';
import { store } from './store.ts';
import { network, refusal } from './testing/network.ts';
import { aToken } from './testing/people.ts';

const failure = (call: Promise<unknown>) =>
  call.then(
    () => Promise.reject(new Error('It succeeded.')),
    (error: unknown) => error as ApiError,
  );

beforeEach(() => store.set(tokenAtom, null));
afterEach(() => vi.unstubAllGlobals());

it('leaves empty parameters out of the address', () => {
  expect(
    apiUrl('/products', { category: '', search: 'red pear', limit: 8, farmer: undefined }),
  ).toBe('/api/products?search=red+pear&limit=8');
});

it('sends the token with a call, but not with an anonymous one', async () => {
  store.set(tokenAtom, aToken);
  const calls = network({ 'GET /auth/me': { status: 200, body: { success: true } } });
  await api.get('/auth/me');
  await api.get('/auth/me', { anonymous: true });
  expect(calls.map((call) => call.token)).toEqual([aToken, null]);
});

it('fails in the words of the server', async () => {
  network({
    'POST /products': refusal(400, 'Check the fields.', [{ path: 'name', message: 'Too long.' }]),
  });
  const error = await failure(api.post('/products', {}));
  expect(error).toBeInstanceOf(ApiError);
  expect(error.message).toBe('Check the fields.');
  expect(error.errors).toEqual([{ path: 'name', message: 'Too long.' }]);
  expect(shouldRetry(0, error)).toBe(false);
});

it('says in its own words when no answer comes, and is worth another try', async () => {
  network({ 'GET /products': 'no answer' });
  const error = await failure(api.get('/products'));
  expect(error.message).toBe('No answer from the market. Check your connection and try again.');
  expect(error.isOffline).toBe(true);
  expect(shouldRetry(0, error)).toBe(true);
  expect(shouldRetry(2, error)).toBe(false);
});

it('is not confused by an answer that is not ours', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>Bad gateway</html>', { status: 502 }));
  const bad = await failure(api.get('/products'));
  expect(bad.message).toBe('The market is not answering right now. Please try again in a moment.');
  vi.stubGlobal('fetch', async () => new Response('<html>Welcome</html>', { status: 200 }));
  expect((await failure(api.get('/products'))).code).toBe('UNREADABLE');
});

it('waits as long as the server asks, within reason', async () => {
  vi.stubGlobal(
    'fetch',
    async () => new Response('{}', { status: 429, headers: { 'Retry-After': '4' } }),
  );
  const error = await failure(api.get('/products'));
  expect(retryDelay(0, error)).toBe(4_000);
  expect(retryDelay(0, new ApiError('', { status: 429, code: '', retryAfter: 900 }))).toBe(10_000);
  expect(retryDelay(1, new ApiError('', { status: 503, code: '' }))).toBe(1_000);
});

describe('a refused token', () => {
  it('ends the session once it was sent and is still in use', async () => {
    const ended = vi.fn();
    const stop = onSessionEnded(ended);
    network({ 'GET /orders/consumer': refusal(401, 'Your session has ended.') });
    await failure(api.get('/orders/consumer'));
    expect(ended).not.toHaveBeenCalled();
    store.set(tokenAtom, aToken);
    await failure(api.get('/orders/consumer'));
    expect(ended).toHaveBeenCalledTimes(1);
    stop();
  });

  it('does not end the session that has begun meanwhile', async () => {
    const ended = vi.fn();
    const stop = onSessionEnded(ended);
    store.set(tokenAtom, aToken);
    network({
      'GET /orders/consumer': () => {
        store.set(tokenAtom, 'ddd.eee.fff');
        return refusal(401, 'Your session has ended.');
      },
    });
    await failure(api.get('/orders/consumer'));
    expect(ended).not.toHaveBeenCalled();
    stop();
  });
});
