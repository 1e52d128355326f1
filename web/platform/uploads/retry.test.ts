import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { sendWithRetry } from './use-uploads.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;
const refusal = (status: number, retryAfter?: number) =>
  new ApiError('Please wait.', { status, code: 'BUSY', retryAfter });

it('retries after the Retry-After time of the server', async () => {
  const send = vi.fn().mockRejectedValueOnce(refusal(429, 3)).mockResolvedValue('taken');
  const sent = sendWithRetry(send, never);
  await vi.advanceTimersByTimeAsync(2900);
  expect(send).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(await sent).toBe('taken');
  expect(send).toHaveBeenCalledTimes(2);
});

it('fails after five attempts', async () => {
  const send = vi.fn().mockRejectedValue(refusal(503, 5));
  const sent = sendWithRetry(send, never).catch((error) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await sent).toMatchObject({ status: 503 });
  expect(send).toHaveBeenCalledTimes(5);
});

it.each([
  ['a permanent error', refusal(413)],
  ['a Retry-After of minutes', refusal(429, 400)],
  ['a missing response', refusal(0)],
  ['another error', new Error('broken')],
])('does not retry after %s', async (_, error) => {
  const send = vi.fn().mockRejectedValue(error);
  await expect(sendWithRetry(send, never)).rejects.toBe(error);
  expect(send).toHaveBeenCalledTimes(1);
});

it('stops waiting when the upload is cancelled', async () => {
  const cancelling = new AbortController();
  const send = vi.fn().mockRejectedValue(refusal(429, 3));
  const sent = sendWithRetry(send, cancelling.signal).catch((error) => error);
  await vi.advanceTimersByTimeAsync(1000);
  cancelling.abort();
  expect(await sent).toMatchObject({ status: 429 });
  expect(send).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
