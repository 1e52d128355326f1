import type { Context, Next } from 'koa';
import type { Failure } from '#contract/platform/http/http';
import type { Log } from '../process/log.ts';
import { isDatabaseAway, isUnstorable, isWriteConflict } from '../stores/postgres.ts';
import { AppError, invalid, tooLarge, unavailable } from './errors.ts';

/** Answers thrown errors as a {@link Failure}; logs unexpected ones and answers 500. */
export function answerErrors({ log }: { log: Log }) {
  return async (ctx: Context, next: Next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.status >= 500) {
        const { message, stack } = thrown as Error;
        log.error({ reason: message, stack, status: error.status }, 'Request failed');
      }
      if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter));
      ctx.status = error.status;
      ctx.body = failureOf(error);
    }
  };
}

/** Returns the body of the response to an error. */
export const failureOf = (error: AppError): Failure => ({
  success: false,
  message: error.message,
  code: error.code,
  ...(error.errors ? { errors: error.errors } : {}),
  ...(error.problems ? { problems: error.problems } : {}),
  ...(error.data === undefined ? {} : { data: error.data }),
});

/** Maps an error of the body parser. @throws 413 for a body that is too long, else 400 */
export function refuseBody({ status }: Error & { status?: number }): never {
  if (status === 413) throw tooLarge("That's too much at once.");
  throw invalid("We couldn't read the request: send well-formed JSON.");
}

function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isDatabaseAway(thrown) || isWriteConflict(thrown)) return unavailable();
  if (isUnstorable(thrown)) return invalid("The text has a character that can't be stored.");
  const { status } = thrown as { status?: number };
  if (status !== undefined && status >= 400 && status < 500) {
    return invalid('The request could not be read.');
  }
  return new AppError(500, 'INTERNAL', 'Something went wrong on our side. Please try again.');
}
