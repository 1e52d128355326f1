import { ApiError } from '../api/api-error.ts';

const MAX_ATTEMPTS = 5;
/** After a longer Retry-After the error is shown and the user decides. */
const MAX_WAIT_SECONDS = 15;

/** Waits for `seconds` or until `signal` aborts. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal.addEventListener('abort', end);
  });
}

/**
 * Retries an upload after a short Retry-After of the server: another upload of the same account is
 * running, or many pictures are being processed.
 */
export async function sendWithRetry<Result>(
  send: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      const seconds = error instanceof ApiError ? error.retryAfter : undefined;
      if (seconds === undefined || seconds > MAX_WAIT_SECONDS || attempt === MAX_ATTEMPTS)
        throw error;
      await pause(seconds, signal);
      if (signal.aborted) throw error;
    }
  }
}
