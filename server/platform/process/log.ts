import { pino } from 'pino';
import type { Env } from './env.ts';
import { currentRequestId } from './request-context.ts';

/** A word, or an email address whose local part is quoted: `"first last"@example.org`. */
const WORD = /"[^"\n]{1,64}"(?:@|%40)[^\s<>()"`,;]+|[^\s<>()"`,;]+/gi;

const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** User and password of a URL: `postgres://user:password@host`. */
const USER_INFO = /(\w:\/\/)[^/\s]*@/g;
/** Values of a row as Postgres quotes them, to the last bracket of the line. */
const ROW_VALUES = /(Key \([^)\n]*\)=|Failing row contains )\(.*\)/g;

/** Matches a path: by its beginning, by `node_modules`, or by a source file with a line number. */
const PATH =
  /^'?(?:file:\/\/|https?:\/\/|node:|\.{0,2}\/|~\/|[A-Za-z]:[\\/])|node_modules[\\/]|\.(?:[cm]?[jt]sx?|json|node):\d+/;

/** Matches package versions, since no domain is a number: `koa@2.15.0`, `app@2`, `x@1.0.0-beta.4`. */
const VERSION =
  /^@?[\w.+~-]*@v?\d+(?:\.\d+){0,2}(?:-(?:alpha|beta|rc|next|canary|dev|pre|nightly)[.\d]*)?$/;
const FULL_VERSION = /@v?\d+\.\d+\.\d+/;
const SCOPED_PACKAGE = /^@[\w.~-]+(?:\/[\w.~-]+)?$/;

/** Placeholder for the @ after credentials that are redacted already. */
const REDACTED_AT = '\u0001';

const hasAt = (text: string): boolean => text.includes('@');

/** Returns whether a part of a path holds no address: no @, a scope, or a package with its version. */
const isPackage = (piece: string): boolean =>
  !hasAt(piece) || SCOPED_PACKAGE.test(piece) || VERSION.test(piece);

/** pnpm joins a package and its peers with `_`: `@koa+router@12.0.0_koa@2.15.0`. */
const isPackages = (segment: string): boolean =>
  isPackage(segment) || segment.split('_').every(isPackage);

/** Redacts only those segments of a path that hold an address. */
const redactPath = (path: string): string =>
  path
    .split(/([/\\?&=])/)
    .map((segment) => {
      const [, name = '', position = ''] = /^(.*?)((?::\d+)*:?)$/.exec(segment) ?? [];
      return isPackages(name.replace(/^file:|^node:/, '')) ? segment : `[email]${position}`;
    })
    .join('');

const redactPart = (part: string): string => {
  const [, open = '', name = '', close = ''] = /^('*)(.*?)([.!?']*)$/s.exec(part) ?? [];
  if (!hasAt(name)) return part;
  const [first = '', ...rest] = name.startsWith('@') ? [name] : name.split('/');
  const isVersioned = rest.length === 0 && FULL_VERSION.test(first) && VERSION.test(first);
  const isScoped =
    name.startsWith('@') && isPackage(name.replace(FULL_VERSION, '')) && !/@.*@.*@/.test(name);
  return isVersioned || isScoped ? part : `${open}[email]${close}`;
};

function redactWord(word: string): string {
  const decoded = word.replace(/%40/gi, '@');
  if (!hasAt(decoded)) return word;
  const redacted =
    PATH.test(decoded) && !decoded.startsWith('"')
      ? redactPath(decoded)
      : decoded
          .split(/([:|])/)
          .map(redactPart)
          .join('');
  return redacted === decoded ? word : redacted;
}

/**
 * Redacts email addresses, credentials in URLs, tokens and quoted rows in error texts of other
 * programs, such as mail servers and Postgres. Stack traces stay readable: an `@` in a path usually
 * belongs to a package.
 */
export const redactText = (text: string): string =>
  text
    .replace(TOKEN, '[token]')
    .replace(ROW_VALUES, '$1([redacted])')
    .replace(USER_INFO, `$1[redacted]${REDACTED_AT}`)
    .replace(WORD, redactWord)
    .replaceAll(REDACTED_AT, '@');

export type Log = ReturnType<typeof createLog>;

/** Fields that are redacted at any depth up to two: personal data and secrets. */
const REDACTED_FIELDS = [
  ...['email', 'password', 'token', 'authorization', 'cookie'],
  ...['content', 'phone', 'address', 'street', 'notes', 'name'],
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
