// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { productsApi } from '#contract/catalogue/products/constants/products';
import { ordersApi } from '#contract/ordering/orders/constants';
import { authApi } from '#contract/people/auth/constants';
import { retryDelay, shouldRetry } from '../queries/query-client.ts';
import { onSessionEnded, store, tokenAtom } from '../session/session.ts';
import { aToken, type Reply, refusal, stubNetwork } from '../testing/network.ts';
import { apiUrl, call } from './api.ts';
import { ApiError } from './api-error.ts';

const failure = (answer: Promise<unknown>) =>
  answer.then(
    () => Promise.reject(new Error('It succeeded.')),
    (error: unknown) => error as ApiError,
  );

const aProduct = {
  name: 'Carrots',
  description: 'Sweet.',
  category: '',
  price: 2,
  unit: 'lb' as const,
  quantityAvailable: 1,
};

beforeEach(() => store.set(tokenAtom, null));
afterEach(() => vi.unstubAllGlobals());

it('omits empty query parameters from the URL', () => {
  const query = { category: '', search: 'red pear', limit: 8, farmer: undefined, cursor: null };
  expect(apiUrl('/products', { query })).toBe('/api/products?search=red+pear&limit=8');
});

it('encodes path parameters', () => {
  const params = { id: 'a/b?c', userId: '1' };
  expect(apiUrl('/read/:userId/of/:id', { params })).toBe('/api/read/1/of/a%2Fb%3Fc');
});

it('sends the token with a call, but not with an anonymous one', async () => {
  store.set(tokenAtom, aToken);
  const calls = stubNetwork({ 'GET /auth/me': { status: 200, body: { success: true } } });
  await call(authApi.me);
  await call(authApi.me, { anonymous: true });
  expect(calls.map((call) => call.token)).toEqual([aToken, null]);
});

describe('the key of a write', () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const create = (body = aProduct) => call(productsApi.create, { body });
  const created = { status: 201, body: { success: true } };
  const distinct = (calls: { key: string | null }[]) => new Set(calls.map(({ key }) => key)).size;

  it('is sent with every write of signed-in people, and with nothing else', async () => {
    const calls = stubNetwork({
      'POST /products': created,
      'GET /products': { status: 200, body: { success: true } },
    });
    await create();
    store.set(tokenAtom, aToken);
    await call(productsApi.list);
    await call(productsApi.create, { body: aProduct, anonymous: true });
    expect(calls.map(({ key }) => key)).toEqual([null, null, null]);
    await create();
    await create();
    await call(productsApi.create, { body: aProduct, idempotencyKey: 'mine' });
    expect(calls.at(-1)?.key).toBe('mine');
    expect(calls[3]?.key).toMatch(UUID);
    expect(distinct(calls.slice(3))).toBe(3);
  });

  it('stays until the same write has an answer', async () => {
    store.set(tokenAtom, aToken);
    const replies: Reply[] = ['no answer', refusal(503, 'Away.'), refusal(429, 'Slow.'), created];
    const calls = stubNetwork({ 'POST /products': () => replies.shift() ?? created });
    for (const _ of [1, 2, 3]) await failure(create());
    await create();
    expect(distinct(calls)).toBe(1);
    await create();
    expect(distinct(calls)).toBe(2);
  });

  it('is another one for another write, after a refusal, and after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    store.set(tokenAtom, aToken);
    let reply: Reply = 'no answer';
    const calls = stubNetwork({ 'POST /products': () => reply });
    await failure(create());
    await failure(create({ ...aProduct, price: 3 }));
    expect(distinct(calls)).toBe(2);
    vi.setSystemTime(Date.now() + 9 * 60_000);
    await failure(create());
    expect(distinct(calls)).toBe(2);
    vi.setSystemTime(Date.now() + 2 * 60_000);
    await failure(create());
    expect(distinct(calls)).toBe(3);
    reply = refusal(409, 'Taken.');
    await failure(create());
    await failure(create());
    expect(distinct(calls)).toBe(4);
    vi.useRealTimers();
  });
});

it("fails with the server's message and field errors", async () => {
  stubNetwork({
    'POST /products': refusal(400, 'Check the fields.', [{ path: 'name', message: 'Too long.' }]),
  });
  const error = await failure(call(productsApi.create, { body: aProduct }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error.message).toBe('Check the fields.');
  expect(error.errors).toEqual([{ path: 'name', message: 'Too long.' }]);
  expect(shouldRetry(0, error)).toBe(false);
});

it('fails with its own message without a response, and is retried', async () => {
  stubNetwork({ 'GET /products': 'no answer' });
  const error = await failure(call(productsApi.list));
  expect(error.message).toBe("Farmgate isn't answering right now. Please try again in a moment.");
  expect(error.isOffline).toBe(true);
  expect(shouldRetry(0, error)).toBe(true);
  expect(shouldRetry(2, error)).toBe(false);
});

it('fails with its own message when the response is not JSON', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>Bad gateway</html>', { status: 502 }));
  const bad = await failure(call(productsApi.list));
  expect(bad.message).toBe("Farmgate isn't answering right now. Please try again in a moment.");
  vi.stubGlobal('fetch', async () => new Response('<html>Welcome</html>', { status: 200 }));
  expect((await failure(call(productsApi.list))).code).toBe('UNREADABLE');
});

it.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [300, '5 minutes'],
  [3600, '1 hour'],
])('says of a refusal that lasts %d seconds how long to wait', async (seconds, wait) => {
  vi.stubGlobal(
    'fetch',
    async () => new Response('', { status: 429, headers: { 'Retry-After': String(seconds) } }),
  );
  const error = await failure(call(productsApi.list));
  expect(error.message).toBe(`Too many tries. Try again in ${wait}.`);
});

it('waits for the Retry-After of the server, up to 10 s', async () => {
  vi.stubGlobal(
    'fetch',
    async () => new Response('{}', { status: 429, headers: { 'Retry-After': '4' } }),
  );
  const error = await failure(call(productsApi.list));
  expect(retryDelay(0, error)).toBe(4_000);
  expect(retryDelay(0, new ApiError('', { status: 429, code: '', retryAfter: 900 }))).toBe(10_000);
  expect(retryDelay(1, new ApiError('', { status: 503, code: '' }))).toBe(1_000);
});

describe('a refused token', () => {
  it('ends the session if it was sent and is still the current one', async () => {
    const ended = vi.fn();
    const stop = onSessionEnded(ended);
    stubNetwork({ 'GET /orders/consumer': refusal(401, 'Your session has ended.') });
    await failure(call(ordersApi.placed));
    expect(ended).not.toHaveBeenCalled();
    store.set(tokenAtom, aToken);
    await failure(call(ordersApi.placed));
    expect(ended).toHaveBeenCalledTimes(1);
    stop();
  });

  it('does not end a session that was started meanwhile', async () => {
    const ended = vi.fn();
    const stop = onSessionEnded(ended);
    store.set(tokenAtom, aToken);
    stubNetwork({
      'GET /orders/consumer': () => {
        store.set(tokenAtom, 'ddd.eee.fff');
        return refusal(401, 'Your session has ended.');
      },
    });
    await failure(call(ordersApi.placed));
    expect(ended).not.toHaveBeenCalled();
    stop();
  });
});
