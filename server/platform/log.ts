import { pino } from 'pino';
import type { Env } from './env.ts';
import { currentRequestId } from './request-context.ts';

export type Log = ReturnType<typeof createLog>;

/** Personal data and secrets never reach a log, whatever object they hang on. */
const PRIVATE = [
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

/**
 * Takes addresses and tokens out of what others wrote: a mail server says in its refusal to whom, and
 * a database whose row it was.
 */
const withoutPersons = (text: unknown): unknown =>
  typeof text === 'string'
    ? text
        .replace(/[^\s<>()[\]"'`,;:=]+@[^\s<>()[\]"'`,;:=]+/g, '[email]')
        .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]')
    : text;

/** The process's structured log; lines written during a request carry its id. */
export function createLog(env: Pick<Env, 'LOG_LEVEL'>, service: string) {
  return pino({
    level: env.LOG_LEVEL,
    base: { service },
    redact: {
      paths: PRIVATE.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: '[redacted]',
    },
    serializers: { reason: withoutPersons, stack: withoutPersons },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId ? { requestId } : {};
    },
  });
}
