import { clientErrorsApi } from '#contract/platform/client-errors/client-errors';
import type { Platform } from '../http/platform.ts';
import { type Route, route } from '../http/route.ts';

/** Limit per process, however many browsers report errors. */
const LINES_PER_MINUTE = 60;

/** Route of `/client-errors`: logs errors of browsers. */
export function clientErrorsRoutes({ log }: Platform): Route[] {
  const mayLog = createLogBudget(LINES_PER_MINUTE, (dropped) =>
    log.warn({ dropped }, 'Client errors dropped: too many in a minute'),
  );
  return [
    route(clientErrorsApi.report, async ({ body, ctx }) => {
      if (mayLog()) {
        log.warn(
          {
            message: messageWithoutPersonalData(body.message),
            stack: withoutPersonalData(body.stack),
            path: withoutPersonalData(body.path.replace(/[?#].*$/s, '')),
            browser: browserFamily(ctx.get('user-agent')),
          },
          'Client error',
        );
      }
      return {};
    }),
  ];
}

const WINDOW_MS = 60_000;

/**
 * Limits log lines per minute. @returns a function that returns whether one more line may be written at
 * `now` (milliseconds); `onDropped` is called after a window with the count of dropped lines
 */
export function createLogBudget(linesPerMinute: number, onDropped: (count: number) => void) {
  let windowStart = Number.NEGATIVE_INFINITY;
  let written = 0;
  let dropped = 0;
  return (now: number = Date.now()): boolean => {
    if (now - windowStart >= WINDOW_MS) {
      if (dropped > 0) onDropped(dropped);
      windowStart = now;
      written = 0;
      dropped = 0;
    }
    if (written < linesPerMinute) {
      written += 1;
      return true;
    }
    dropped += 1;
    return false;
  };
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const EMAIL = /[^\s<>()[\]"'`,;:=/?&]+@[^\s<>()[\]"'`,;:=/?&]+/g;
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** A query or fragment after a URL or path, up to the line and column in a stack. */
const QUERY = /((?:https?:\/\/|\/)[^\s?#()"'`]*)[?#][^\s()"'`:]*/g;
const PHONE = /\+?\d[\d ().-]{7,}\d/g;
const QUOTED = /"[^"\n]*"/g;

/** Removes ids, email addresses, tokens, phone numbers and query strings from a text. */
export const withoutPersonalData = (text: string): string =>
  text
    .replace(QUERY, '$1')
    .replace(TOKEN, '[token]')
    .replace(EMAIL, '[email]')
    .replace(UUID, '[id]')
    .replace(PHONE, '[number]');

/** Removes the same from an error message, and quoted texts, which may be user input. */
export const messageWithoutPersonalData = (message: string): string =>
  withoutPersonalData(message.replace(QUOTED, '"…"'));

const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\/|HeadlessChrome/],
  ['Safari', /\bSafari\//],
] as const;

/** Returns the browser's family and form factor, such as `Chrome mobile`, not the whole user agent. */
export function browserFamily(userAgent: string): string {
  const name = BROWSERS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'other';
  return `${name} ${/Mobi|Android|iP(?:hone|ad|od)/.test(userAgent) ? 'mobile' : 'desktop'}`;
}
