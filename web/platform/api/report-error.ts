import {
  clientErrorsApi,
  CLIENT_ERROR_LIMITS as LIMITS,
} from '#contract/platform/client-errors/constants';
import { call } from './api.ts';
import { ApiError } from './api-error.ts';

/** The limit per page load; each message is reported once. */
const MAX_REPORTS = 5;

const reported = new Set<string>();

/**
 * Reports an unhandled error to the server's log. Ignores API errors and aborts. Never throws; a
 * report that fails is dropped.
 */
export function reportClientError(error: unknown): void {
  if (!(error instanceof Error) || error instanceof ApiError || error.name === 'AbortError') return;
  const message = truncate(`${error.name}: ${error.message}`, LIMITS.message);
  if (reported.has(message) || reported.size >= MAX_REPORTS) return;
  reported.add(message);
  const stack = truncate(error.stack ?? '', LIMITS.stack);
  const path = truncate(location.pathname, LIMITS.path);
  call(clientErrorsApi.report, { body: { message, stack, path }, anonymous: true }).catch(
    () => undefined,
  );
}

const truncate = (text: string, length: number): string => text.slice(0, length);
