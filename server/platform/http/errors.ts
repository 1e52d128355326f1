import { ACCOUNT_GONE, ACCOUNT_SUSPENDED, tooManyTries } from '#contract/platform/http/constants';
import type { FieldError, LineProblem } from '#contract/platform/http/http';
import type { z } from '#contract/platform/http/zod';
import { theMarket } from '#contract/platform/market/constants';

/** An error for the client: an HTTP status, a code for programs and a sentence for people. */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: FieldError[] | undefined;
  /** Problems of an order's lines, for programs. */
  readonly problems: LineProblem[] | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** What was to be changed, as it is now; or what is possible instead. */
  readonly data: unknown;

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      errors?: FieldError[];
      problems?: LineProblem[];
      retryAfter?: number;
      data?: unknown;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = more.errors;
    this.problems = more.problems;
    this.retryAfter = more.retryAfter;
    this.data = more.data;
  }
}

/** 400: the input breaks a rule; `errors` name the fields. */
export const invalid = (message: string, errors?: FieldError[]) =>
  new AppError(400, 'INVALID', message, errors ? { errors } : {});

/** 400 for one field. */
export const invalidField = (path: string, message: string) =>
  invalid(message, [{ path, message }]);

/** 401: not signed in, or the session has ended. */
export const unauthorized = (message = 'Please sign in to continue.') =>
  new AppError(401, 'UNAUTHORIZED', message);

/** 401: the session has ended with its account, which is deleted or suspended. */
export const accountGone = () =>
  new AppError(401, ACCOUNT_GONE, 'Your session has ended. Please sign in again.');

/** 403: signed in, but not allowed. */
export const forbidden = (message = "Your account isn't allowed to do this.") =>
  new AppError(403, 'FORBIDDEN', message);

/** 403: the password is right, but admins have suspended the account; `contact` is where to write to. */
export const suspended = (reason: string, contact: string) =>
  new AppError(
    403,
    ACCOUNT_SUSPENDED,
    `This account is suspended.${reason ? ` Reason: ${reason.replace(/[.!?…]*$/u, '')}.` : ''} If you think this is a mistake, write to ${contact}.`,
  );
/** 403: this takes an email that was verified. */
export const unverifiedEmail = (message: string) =>
  new AppError(403, 'EMAIL_NOT_VERIFIED', message);

/** 404: unknown, or hidden from this user. */
export const notFound = (message: string) => new AppError(404, 'NOT_FOUND', message);

/** 409: in conflict with the current state. */
export const conflict = (code: string, message: string, errors?: FieldError[]) =>
  new AppError(409, code, message, errors ? { errors } : {});

/** 409: somebody else changed it first; `present` is the entity as it is now, in wire form. */
export const versionConflict = (present: unknown) =>
  new AppError(
    409,
    'VERSION_CONFLICT',
    'This was changed meanwhile. Look at how it is now, and try again.',
    { data: present },
  );

/**
 * Refuses a change of an entity that has another version than its client expected, if it expected one.
 * @throws 409 with the entity as `present` returns it
 */
export async function requireVersion(
  expected: number | undefined,
  version: number,
  present: () => unknown,
): Promise<void> {
  if (expected !== undefined && expected !== version) throw versionConflict(await present());
}

/** 413: too much data. */
export const tooLarge = (message: string) => new AppError(413, 'TOO_LARGE', message);

/** 415: unsupported content type. */
export const unsupported = (message: string) => new AppError(415, 'UNSUPPORTED', message);

/** 429: rate limited; `retryAfter` is in seconds. */
export const tooMany = (retryAfter: number) =>
  new AppError(429, 'TOO_MANY_REQUESTS', tooManyTries(retryAfter), { retryAfter });

/** 503: the database was lost while something was written. Repeated with the same key it is done once. */
export const outcomeUnknown = () =>
  new AppError(
    503,
    'UNAVAILABLE',
    `${theMarket().name} can't be reached just now, so this may not be saved. Please try again shortly.`,
    { retryAfter: 2 },
  );

/** 503: a store is away; retry shortly. */
export const unavailable = () =>
  new AppError(
    503,
    'UNAVAILABLE',
    `${theMarket().name} can't be reached just now. Please try again shortly.`,
    {
      retryAfter: 2,
    },
  );

// What is said of a field where the contract has no sentence of its own for the mistake: of what only a program
// sends, not a form.

const either = new Intl.ListFormat('en', { type: 'disjunction' });

const TYPES: Record<string, string> = {
  number: 'must be a number',
  int: 'must be a whole number',
  string: 'must be a text',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
};

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Returns what is wrong with a field, to be read behind its name. */
function wrongWith(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return TYPES[issue.expected] ?? 'is not of the expected form';
    case 'invalid_value':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${either.format(issue.values.map(String))}`;
    case 'too_big':
      return `must ${amountOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'too_small':
      if (issue.origin in UNITS && issue.minimum === 1) return 'must not be empty';
      return issue.inclusive === false
        ? `must be above ${issue.minimum}`
        : `must ${amountOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'invalid_format':
      return issue.format === 'uuid' ? 'must be an id' : 'is not of the expected form';
    default:
      return 'is not of the expected form';
  }
}

const UNITS: Record<string, string> = { string: ' characters', array: ' entries' };
const unitOf = (origin: string): string => UNITS[origin] ?? '';
const amountOf = (origin: string): string => (origin in UNITS ? 'have' : 'be');

/**
 * Returns the words for what the contract has no sentence of its own for: "The field crates must be a whole number."
 * instead of "Invalid input: expected int, received number".
 * @param whole the message for a mistake in no single field
 */
export const fieldErrors =
  (whole: string): z.core.$ZodErrorMap =>
  (issue) => {
    const field = (issue.path ?? []).join('.');
    return field === '' ? whole : `The field ${field} ${wrongWith(issue)}.`;
  };
