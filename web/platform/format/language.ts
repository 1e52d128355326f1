import { theMarket } from '#contract/platform/market/constants';
import { addressIn } from '#contract/platform/text/constants/prefixes';
import { directionOf, type Reader, setReader } from '#contract/platform/text/constants/reader';
import { store, userAtom } from '../session/session.ts';
import { languageAt, withoutLanguage } from './address.ts';
import { renderAgain } from './market.ts';

let reader: Reader = { language: 'en' };
/** Resolves when all of the reader's sentences are there; undefined once they are. */
let loading: Promise<void> | undefined;
/** The last language that was asked for: the sentences of an earlier one may come later. */
let wanted = '';

/** Resolves when the sentences are there that public pages do without; undefined if they are. */
export const allSentences = (): Promise<void> | undefined => loading;

/** A language in which a market is set up that offers none yet. */
let tried: string | undefined;

const isOffered = (language: string | null | undefined): language is string =>
  language === tried
    ? language !== undefined
    : theMarket().languages.some((each) => each === language);

/** Returns the offered language that the browser prefers: `de` for de-AT. */
export const browsersChoice = (): string | undefined =>
  navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]).find(isOffered);

const cookie = (): string | undefined => /\blanguage=([\w-]+)/.exec(document.cookie)?.[1];

/** Returns what this person or browser chose, while the market offers it. */
export const ownChoice = (): string | undefined =>
  [store.get(userAtom.stored)?.language, cookie()].find(isOffered);

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

/** Loads what is written to a reader. Sentences that cannot be loaded are shown in English, until the next load. */
const load = async (language: string): Promise<{ reader: Reader; whenWhole?: Promise<void> }> =>
  language === 'en'
    ? { reader: { language } }
    : import('./catalogues.ts')
        .then(({ loadCatalogue }) => loadCatalogue(language))
        .catch(() => ({ reader: { language } }));

function writeFor(next: Reader): void {
  reader = next;
  setReader(() => reader);
  const { documentElement } = document;
  documentElement.lang = reader.language;
  documentElement.dir = directionOf(reader.language);
}

/**
 * Shows the first page in its language, which is that of its HTML where the server rendered it, once those of its
 * sentences are there that public pages have; the others follow, see {@link allSentences}.
 */
export async function beginLanguage(isRendered: boolean): Promise<void> {
  wanted = isRendered ? document.documentElement.lang : languageHere(false);
  const found = await load(wanted);
  writeFor(found.reader);
  loading = found.whenWhole?.then(() => {
    loading = undefined;
  });
}

/** Shows the open page in the language of its address, or of a choice that has changed. */
export const followLanguage = (isPublic = false): Promise<void> =>
  showLanguage(languageHere(isPublic, reader.language));

/** Shows the open page in a language that the market need not offer. */
export function tryLanguage(language: string): Promise<void> {
  tried = language;
  return showLanguage(language);
}

/** Shows the open page in a language, at its address in it. What is typed stays. */
export async function showLanguage(language: string): Promise<void> {
  wanted = language;
  const isOther = language !== reader.language;
  let next = reader;
  if (isOther) {
    const found = await load(language);
    await found.whenWhole;
    if (wanted !== language) return;
    next = found.reader;
    loading = undefined;
  }
  const { pathname, search, hash } = location;
  // Before the reader is another one, of whose language the address may be.
  const path = withoutLanguage(pathname);
  if (isOther) writeFor(next);
  const address = addressIn(path, language, theMarket().languages[0]);
  if (address !== pathname) history.replaceState(history.state, '', address + search + hash);
  if (isOther) renderAgain();
}
