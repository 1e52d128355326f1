// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CLIENT_ERROR_LIMITS, clientErrorsApi } from '#contract/platform/client-errors/constants';
import { type Call, stubNetwork } from '../testing/network.ts';

const done = { status: 200, body: { success: true } };
let calls: Call[];
let reports: typeof import('./report-error.ts');
let stop: () => void;
const messages = () => calls.map(({ body }) => (body as { message: string }).message);

beforeEach(async () => {
  // Reports are limited per page load.
  vi.resetModules();
  reports = await import('./report-error.ts');
  calls = stubNetwork({ 'POST /client-errors': done });
  stop = (await import('./report-later.ts')).reportUncaughtErrors();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

it('reports uncaught errors and unhandled rejections', async () => {
  window.dispatchEvent(new ErrorEvent('error', { error: new TypeError('x is undefined') }));
  window.dispatchEvent(
    Object.assign(new Event('unhandledrejection'), { reason: new Error('rejected') }),
  );
  await vi.waitFor(() =>
    expect(messages()).toEqual(['TypeError: x is undefined', 'Error: rejected']),
  );
  expect(calls[0]).toMatchObject({ method: 'POST', path: '/client-errors', token: null });
  expect(calls[0]?.body).toMatchObject({ stack: expect.any(String), path: location.pathname });
});

it('reports each message once and at most five per page load', () => {
  for (let time = 0; time < 3; time++) reports.reportClientError(new Error('again'));
  for (let number = 0; number < 20; number++) reports.reportClientError(new Error(`${number}`));
  expect(messages()).toEqual(['Error: again', 'Error: 0', 'Error: 1', 'Error: 2', 'Error: 3']);
});

it('does not report API errors, aborts and values that are not errors', async () => {
  const { ApiError } = await import('./api-error.ts');
  reports.reportClientError(new ApiError('Order not found', { status: 404, code: 'NOT_FOUND' }));
  reports.reportClientError(new DOMException('The upload was stopped.', 'AbortError'));
  reports.reportClientError('a text');
  reports.reportClientError(undefined);
  window.dispatchEvent(new ErrorEvent('error', { message: 'Script error.' }));
  expect(calls).toEqual([]);
});

it('truncates long texts and omits the query string of the page', () => {
  const error = Object.assign(new Error('m'.repeat(9_000)), { stack: 's'.repeat(9_000) });
  reports.reportClientError(error);
  const { message, stack, path } = (calls[0]?.body ?? {}) as Record<string, string>;
  expect(message).toHaveLength(CLIENT_ERROR_LIMITS.message);
  expect(stack).toHaveLength(CLIENT_ERROR_LIMITS.stack);
  expect(path).not.toContain('?');
});

it.each(['no answer' as const, { status: 429, body: {} }])(
  'ignores a report that fails: %j',
  async (reply) => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    calls = stubNetwork({ 'POST /client-errors': reply });
    reports.reportClientError(new Error('lost'));
    expect(calls).toHaveLength(1);
    // The same call once more, whose failure therefore comes later.
    const { call } = await import('./api.ts');
    const body = { message: 'another', stack: '', path: '/' };
    await expect(call(clientErrorsApi.report, { body, anonymous: true })).rejects.toThrow();
    // A rejection that nobody handles is told of at the end of a turn.
    await new Promise(setImmediate);
    expect(unhandled).not.toHaveBeenCalled();
    process.off('unhandledRejection', unhandled);
  },
);
