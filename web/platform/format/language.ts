import { theMarket } from '#contract/platform/market/constants';
import { theReader } from '#contract/platform/text/constants/reader';
import { store, userAtom } from '../session/session.ts';
import { languageAt, toAddress } from './address.ts';

// What a first page in English needs to know of languages; show-language.ts has the rest.

/** Resolves when the sentences are there that public pages do without; undefined if they are. */
export const allSentences = (): Promise<void> | undefined => theReader().whenWhole;

/** A language in which a market is set up that offers none yet. */
let tried: string | undefined;

/** Lets the pages of this visit be read in a language that the market need not offer. */
export function allowLanguage(language: string): void {
  tried = language;
}

const isOffered = (language: string | null | undefined): language is string =>
  !!language && (language === tried || theMarket().languages.includes(language));

/** Returns the offered language that the browser prefers: `de` for de-AT. */
export const browsersChoice = (): string | undefined =>
  navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]).find(isOffered);

/** Returns what this person or browser chose, while the market offers it. */
export const ownChoice = (): string | undefined =>
  [store.get(userAtom.stored)?.language, /\blanguage=([\w-]+)/.exec(document.cookie)?.[1]].find(
    isOffered,
  );

/**
 * Returns in which language the page at the present address is read: a public one as the address says, others as their
 * person or this browser chose, else as the browser prefers.
 */
function languageHere(isPublic: boolean, present?: string): string {
  const named = languageAt(location.pathname);
  const choices = isPublic
    ? [named, ownChoice()]
    : [tried, ownChoice(), named, present, browsersChoice()];
  return choices.find(isOffered) ?? theMarket().languages[0] ?? 'en';
}

const loadShow = () => import('./show-language.ts');

/**
 * Begins the first page in its language, which is that of its HTML where the server rendered it, once those of its
 * sentences are there that public pages have; the others follow, see {@link allSentences}.
 */
export async function beginLanguage(isRendered: boolean): Promise<void> {
  const { lang } = document.documentElement;
  const language = isRendered ? lang : languageHere(false);
  if (language !== 'en' || lang !== language) {
    await loadShow().then(
      ({ begin }) => begin(language),
      () => undefined,
    );
  }
}

/** Shows the open page in the language of its address, or of a choice that has changed, at its address in it. */
export async function followLanguage(isPublic = false): Promise<void> {
  const { language } = theReader();
  const wanted = languageHere(isPublic, language);
  const { pathname } = location;
  if (wanted === language && toAddress(pathname) === pathname) return;
  await loadShow().then(
    ({ showLanguage }) => showLanguage(wanted),
    () => undefined,
  );
}
