import { msg, t } from '#contract/platform/text/constants/texts';
/** A validation problem of one field of the request. */
export type FieldProblem = { path: string; message: string };

/**
 * A failed API call. The message can be shown to users. `status` is the HTTP status, or 0 without a
 * response; `code` is the server's error code; `errors` are the invalid fields; `retryAfter` is the
 * Retry-After header in seconds; `details` is the whole response body.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldProblem[];
  readonly retryAfter: number | undefined;
  readonly details: unknown;

  constructor(
    message: string,
    options: {
      status: number;
      code: string;
      errors?: readonly FieldProblem[];
      retryAfter?: number | undefined;
      details?: unknown;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.status = options.status;
    this.code = options.code;
    this.errors = options.errors ?? [];
    this.retryAfter = options.retryAfter;
    this.details = options.details;
  }

  /** There was no response: the network or the server is unreachable. */
  get isOffline(): boolean {
    return this.status === 0;
  }

  /** A retry may succeed: no response, rate limited, or a server error. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** The code of what is refused here because the session of the page has ended. */
export const SESSION_ENDED = 'SESSION_ENDED';

/** Returns whether a change was refused because somebody else had changed the same thing first. */
export const isVersionConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'VERSION_CONFLICT';

/** Takes the place of an error about a missing answer once the connection is back. */
export const CONNECTION_RESTORED = msg('The connection is back. Try again now.');

/** Returns a message for users about any thrown value. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error && error.message) return error.message;
  return t('Something went wrong. Please try again.');
}
