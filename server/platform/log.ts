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

/** The process's structured log; lines written during a request carry its id. */
export function createLog(env: Pick<Env, 'LOG_LEVEL'>, service: string) {
  return pino({
    level: env.LOG_LEVEL,
    base: { service },
    redact: {
      paths: PRIVATE.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: '[redacted]',
    },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId ? { requestId } : {};
    },
  });
}
