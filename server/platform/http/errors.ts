import { ACCOUNT_GONE, ACCOUNT_SUSPENDED } from '#contract/platform/http/constants';
import type { LineProblem } from '#contract/platform/http/http';
import type { z } from '#contract/platform/http/zod';
import { theMarket } from '#contract/platform/market/constants';
import { listOf } from '#contract/platform/text/constants/formats';
import {
  NOT_ALLOWED,
  SIGN_IN_FIRST,
  tooManyTries,
} from '#contract/platform/text/constants/shared-texts';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';

/** A sentence of a refusal. What is no message is in English alone. */
export type Sentence = Message | string;

/** What is wrong with a field of the input. */
interface FieldProblem {
  path: string;
  message: Sentence;
}

/** An error for the client: an HTTP status, a code for programs and a sentence for people. */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  /** Written when it is answered: those who share a read may have different languages. */
  readonly sentence: Sentence;
  readonly errors: readonly FieldProblem[] | undefined;
  /** Problems of an order's lines, for programs. */
  readonly problems: LineProblem[] | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** What was to be changed, as it is now; or what is possible instead. */
  readonly data: unknown;

  /** What the sentence names. */
  get params(): Message['values'] {
    return typeof this.sentence === 'string' ? undefined : this.sentence.values;
  }

  constructor(
    status: number,
    code: string,
    sentence: Sentence,
    more: {
      errors?: readonly FieldProblem[];
      problems?: LineProblem[];
      retryAfter?: number;
      data?: unknown;
    } = {},
  ) {
    super(typeof sentence === 'string' ? sentence : sentence.text);
    this.status = status;
    this.code = code;
    this.sentence = sentence;
    this.errors = more.errors;
    this.problems = more.problems;
    this.retryAfter = more.retryAfter;
    this.data = more.data;
  }
}

/** 400: the input breaks a rule; `errors` name the fields. */
export const invalid = (message: Sentence, errors?: readonly FieldProblem[]) =>
  new AppError(400, 'INVALID', message, errors ? { errors } : {});

/** 400 for one field. */
export const invalidField = (path: string, message: Sentence) =>
  invalid(message, [{ path, message }]);

/** 401: not signed in, or the session has ended. */
export const unauthorized = (message: Sentence = SIGN_IN_FIRST) =>
  new AppError(401, 'UNAUTHORIZED', message);

/** 401: the session has ended with its account, which is deleted or suspended. */
export const accountGone = () =>
  new AppError(401, ACCOUNT_GONE, msg('Your session has ended. Please sign in again.'));

/** 403: signed in, but not allowed. */
export const forbidden = (message: Sentence = NOT_ALLOWED) =>
  new AppError(403, 'FORBIDDEN', message);

/** 403: the password is right, but admins have suspended the account; `contact` is where to write to. */
export const suspended = (reason: string, contact: string) =>
  new AppError(
    403,
    ACCOUNT_SUSPENDED,
    reason
      ? msg(
          'This account is suspended. Reason: {reason}. If you think this is a mistake, write to {contact}.',
          { reason: reason.replace(/[.!?…]*$/u, ''), contact },
        )
      : msg('This account is suspended. If you think this is a mistake, write to {contact}.', {
          contact,
        }),
  );

/** 403: this takes an email that was verified. */
export const unverifiedEmail = (message: Sentence) =>
  new AppError(403, 'EMAIL_NOT_VERIFIED', message);

/** 404: unknown, or hidden from this user. */
export const notFound = (message: Sentence) => new AppError(404, 'NOT_FOUND', message);

/** 409: in conflict with the current state. */
export const conflict = (code: string, message: Sentence, errors?: readonly FieldProblem[]) =>
  new AppError(409, code, message, errors ? { errors } : {});

/** 409: somebody else changed it first; `present` is the entity as it is now, in wire form. */
export const versionConflict = (present: unknown) =>
  new AppError(
    409,
    'VERSION_CONFLICT',
    msg('This was changed meanwhile. Look at how it is now, and try again.'),
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
export const tooLarge = (message: Sentence) => new AppError(413, 'TOO_LARGE', message);

/** 415: unsupported content type. */
export const unsupported = (message: Sentence) => new AppError(415, 'UNSUPPORTED', message);

/** 429: rate limited; `retryAfter` is in seconds. */
export const tooMany = (retryAfter: number) =>
  new AppError(429, 'TOO_MANY_REQUESTS', tooManyTries(retryAfter), { retryAfter });

/** 503: the database was lost while something was written. Repeated with the same key it is done once. */
export const outcomeUnknown = () =>
  new AppError(
    503,
    'UNAVAILABLE',
    msg("{market} can't be reached just now, so this may not be saved. Please try again shortly.", {
      market: theMarket().name,
    }),
    { retryAfter: 2 },
  );

/** 503: a store is away; retry shortly. */
export const unavailable = () =>
  new AppError(
    503,
    'UNAVAILABLE',
    msg("{market} can't be reached just now. Please try again shortly.", {
      market: theMarket().name,
    }),
    {
      retryAfter: 2,
    },
  );

// What is said of a field where the contract has no sentence of its own for the mistake: of what only a program
// sends, not a form.

const notExpected = (field: string) =>
  msg('The field {field} is not of the expected form.', { field });

const TYPES: Record<string, (field: string) => Message> = {
  number: (field) => msg('The field {field} must be a number.', { field }),
  int: (field) => msg('The field {field} must be a whole number.', { field }),
  string: (field) => msg('The field {field} must be a text.', { field }),
  boolean: (field) => msg('The field {field} must be true or false.', { field }),
  array: (field) => msg('The field {field} must be a list.', { field }),
  object: (field) => msg('The field {field} must be an object.', { field }),
};

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Returns what is wrong with a field. */
function wrongWith(issue: RawIssue, field: string): string {
  const missing = () => t('The field {field} is missing.', { field });
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? missing()
        : writeMessage((TYPES[issue.expected] ?? notExpected)(field));
    case 'invalid_value': {
      const values = listOf(issue.values.map(String), 'disjunction');
      return issue.input === undefined
        ? missing()
        : t('The field {field} must be {values}.', { field, values });
    }
    case 'too_big': {
      const most = Number(issue.maximum);
      if (issue.origin === 'string')
        return t(
          'The field {field} must have at most {most, plural, one {# character} other {# characters}}.',
          { field, most },
        );
      if (issue.origin === 'array')
        return t(
          'The field {field} must have at most {most, plural, one {# entry} other {# entries}}.',
          { field, most },
        );
      return t('The field {field} must be at most {most}.', { field, most });
    }
    case 'too_small': {
      const least = Number(issue.minimum);
      const isCounted = issue.origin === 'string' || issue.origin === 'array';
      if (isCounted && least === 1) return t('The field {field} must not be empty.', { field });
      if (issue.inclusive === false)
        return t('The field {field} must be above {least}.', { field, least });
      if (issue.origin === 'string')
        return t(
          'The field {field} must have at least {least, plural, one {# character} other {# characters}}.',
          { field, least },
        );
      if (issue.origin === 'array')
        return t(
          'The field {field} must have at least {least, plural, one {# entry} other {# entries}}.',
          { field, least },
        );
      return t('The field {field} must be at least {least}.', { field, least });
    }
    case 'invalid_format':
      return issue.format === 'uuid'
        ? t('The field {field} must be an id.', { field })
        : writeMessage(notExpected(field));
    default:
      return writeMessage(notExpected(field));
  }
}

/**
 * Returns the words for what the contract has no sentence of its own for: "The field crates must be a whole number."
 * instead of "Invalid input: expected int, received number".
 * @param whole the message for a mistake in no single field
 */
export const fieldErrors =
  (whole: Message): z.core.$ZodErrorMap =>
  (issue) => {
    const field = (issue.path ?? []).join('.');
    return field === '' ? writeMessage(whole) : wrongWith(issue, field);
  };
