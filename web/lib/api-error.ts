/** One thing wrong with one field of what was sent. */
export type FieldProblem = { path: string; message: string };

/**
 * A call that did not succeed, in a form for people. `status` is the HTTP status, 0 when no answer
 * came at all; `code` the server's name for it; `errors` which fields were wrong; `retryAfter` in
 * seconds when the server asked for patience; `details` the whole body of the refusal.
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

  /** No answer came: the network, or the server, is away. */
  get isOffline(): boolean {
    return this.status === 0;
  }

  /** Worth asking again by itself: no answer, too busy, or the server's own trouble. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** What to tell a person about anything that was thrown: its own words, or a plain sentence. */
export function errorSentence(error: unknown): string {
  if (error instanceof Error && error.message) return error.message;
  return 'Something went wrong. Please try again.';
}
