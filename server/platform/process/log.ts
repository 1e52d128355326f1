import { pino } from 'pino';
import type { Env } from './env.ts';
import { redactText } from './redact-text.ts';
import { currentRequestId } from './request-context.ts';

export type Log = ReturnType<typeof createLog>;

/** Fields that are redacted at any depth up to two: personal data and secrets. */
const REDACTED_FIELDS = [
  'email',
  'password',
  'token',
  'authorization',
  'cookie',
  'content',
  'phone',
  'address',
  'street',
  'notes',
  'name',
];

const redactIfText = (value: unknown): unknown =>
  typeof value === 'string' ? redactText(value) : value;

/** Redacts an error that is logged as an object instead of as `reason` and `stack`. */
const redactError = (error: unknown): unknown =>
  error instanceof Error
    ? { type: error.name, message: redactText(error.message), stack: redactIfText(error.stack) }
    : redactIfText(error);

/** Redacts the message that pino copies from an error to the line. */
function withoutErrorMessage([first, ...rest]: unknown[]): unknown[] {
  const error = first instanceof Error ? first : (first as { err?: unknown } | null)?.err;
  if (!(error instanceof Error)) return [first, ...rest];
  const fields = first instanceof Error ? { err: first } : first;
  return rest[0] === undefined ? [fields, redactText(error.message)] : [fields, ...rest];
}

/** Creates the process's structured log. Lines written during a request carry its id. */
export function createLog(env: Pick<Env, 'LOG_LEVEL'>, service: string) {
  return pino({
    level: env.LOG_LEVEL,
    base: { service },
    redact: {
      paths: REDACTED_FIELDS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: '[redacted]',
    },
    serializers: { reason: redactIfText, stack: redactIfText, err: redactError },
    hooks: {
      logMethod(args, method) {
        method.apply(this, withoutErrorMessage(args) as Parameters<typeof method>);
      },
    },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId ? { requestId } : {};
    },
  });
}
