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
