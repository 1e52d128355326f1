import escapeHtml from 'escape-html';
import type { Context } from 'koa';
import Negotiator from 'negotiator';
import { theMarket } from '#contract/platform/market/constants';
import { readerWith } from '#contract/platform/text/constants/catalogue';
import {
  directionOf,
  type Reader,
  setReader,
  splitAddress,
  theReader,
} from '#contract/platform/text/constants/reader';
import { msg, writeMessage, writePieces } from '#contract/platform/text/constants/texts';
import { currentLanguage, withLanguageTag } from '../process/request-context.ts';
import { catalogueOf, LANGUAGES } from './catalogues.ts';

const readers = new Map<string, Reader>();

/** Returns a reader of a language. */
export function readerOf(language: string): Reader {
  let reader = readers.get(language);
  if (!reader) {
    reader = language === 'en' ? { language } : readerWith(language, catalogueOf(language));
    readers.set(language, reader);
  }
  return reader;
}

/** Writes for the reader of the request or job at hand; outside of them nobody reads what is written. */
export const followReaders = (): void =>
  setReader(() => {
    const language = currentLanguage();
    return language === undefined ? undefined : readerOf(language);
  });
followReaders();

/** Returns the languages in which the market can be read, its own first. */
export const offeredLanguages = (): readonly string[] => {
  const offered = theMarket().languages.filter((language) => LANGUAGES.includes(language));
  return offered.length > 0 ? offered : ['en'];
};

/** Returns the language that somebody has chosen, while the market offers it; the market's own for null. */
export const languageOf = (chosen: string | null): string => {
  const offered = offeredLanguages();
  return chosen !== null && offered.includes(chosen) ? chosen : (offered[0] ?? 'en');
};

/** Runs `work` so that what is written in it is in the language that somebody has chosen; null for none. */
export const inLanguageOf = <T>(chosen: string | null, work: () => Promise<T>): Promise<T> =>
  withLanguageTag(languageOf(chosen), work);

/** The sentences of `web/index.html`. */
const OF_SHELL = [
  msg(
    'Fresh produce straight from the farms around you. Order from one farm, pick up or have it delivered, and follow it live.',
  ),
  msg("This page couldn't be loaded completely. Check your connection and try again."),
  msg("This page couldn't be loaded completely. Please reload it in a moment."),
];
const WITHOUT_SCRIPTS = msg(
  'The market needs JavaScript to show this page. You can look around <a>its products</a> without it.',
);

/** Returns an HTML document of ours in the reader's language, of which it says itself what it is. */
export const withLanguage = (html: string): string => {
  const { language } = theReader();
  const named = html.replace(
    /<html lang="\w+"/,
    `<html lang="${language}" dir="${directionOf(language)}"`,
  );
  if (language === 'en') return named;
  const link = (inner: string[]) => `<a class="link" href="/products">${inner.join('')}</a>`;
  return OF_SHELL.reduce(
    (text, sentence) => text.replace(sentence.text, () => escapeHtml(writeMessage(sentence))),
    named.replace(
      /(<noscript>\s*<p[^>]*>)[\s\S]*?(?=<\/p>)/,
      (_, start: string) =>
        start + writePieces<string>(WITHOUT_SCRIPTS.text, {}, { a: link }).join(''),
    ),
  );
};

/**
 * Returns the language of a page that is empty until its scripts run: the one that its person or browser has chosen, that
 * its address names, that the browser prefers, or the market's.
 */
export function languageOfShell(ctx: Context): string {
  const offered = offeredLanguages();
  const header = ctx.get('Accept-Language');
  const [named] = splitAddress(ctx.path, offered);
  const choices = [ctx.cookies.get('language'), named, header && acceptedLanguage(header)];
  return choices.find((each) => offered.some((language) => language === each)) ?? languageOf(null);
}

/** A bound for what clients may fill; browsers send a few headers. */
const HEADERS_MAX = 500;
const HEADER_LENGTH_MAX = 200;
const byHeader = new Map<string, string>();

/**
 * Returns the offered language that an `Accept-Language` header prefers (RFC 9110). English for programs that prefer
 * none: without a header, or with the `*` that Node's `fetch` sends.
 */
export function acceptedLanguage(header: string | undefined): string {
  if (!header || header === '*' || header.length > HEADER_LENGTH_MAX) return 'en';
  const offered = offeredLanguages();
  const key = `${offered} ${header}`;
  let accepted = byHeader.get(key);
  if (accepted === undefined) {
    const negotiator = new Negotiator({ headers: { 'accept-language': header } });
    accepted = negotiator.language([...offered]) ?? offered[0] ?? 'en';
    if (byHeader.size >= HEADERS_MAX) byHeader.clear();
    byHeader.set(key, accepted);
  }
  return accepted;
}
