import Negotiator from 'negotiator';
import { theMarket } from '#contract/platform/market/constants';
import {
  directionOf,
  type Reader,
  setReader,
  theReader,
} from '#contract/platform/text/constants/reader';
import { currentLanguage, withLanguageTag } from '../process/request-context.ts';
import { catalogueOf, LANGUAGES } from './catalogues.ts';

const readers = new Map<string, Reader>();

/** Returns a reader of a language. */
export function readerOf(language: string): Reader {
  let reader = readers.get(language);
  if (!reader) {
    reader = { language, catalogue: catalogueOf(language) };
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

/** Returns an HTML document that says of itself in which language it is. */
export const withLanguage = (html: string): string => {
  const { language } = theReader();
  return html.replace(
    /<html lang="\w+"/,
    `<html lang="${language}" dir="${directionOf(language)}"`,
  );
};

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
