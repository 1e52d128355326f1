import { theMarket } from '#contract/platform/market/constants';
import { directionOf, type Reader, setReader } from '#contract/platform/text/constants/reader';
import { store, userAtom } from '../session/session.ts';
import { renderAgain } from './market.ts';

let reader: Reader = { language: 'en' };
/** Resolves when all of the reader's sentences are there; undefined once they are. */
let loading: Promise<void> | undefined;

/** Resolves when the sentences are there that public pages do without; undefined if they are. */
export const allSentences = (): Promise<void> | undefined => loading;

const isOffered = (language: string | null | undefined): language is string =>
  theMarket().languages.some((each) => each === language);

/** Returns the offered language that the browser prefers: `de` for de-AT. */
const browsersChoice = (): string | undefined =>
  navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]).find(isOffered);

const cookie = (): string | undefined => /\blanguage=([\w-]+)/.exec(document.cookie)?.[1];

/** Returns in which language the page is read: as its person or this browser chose, else as the browser prefers. */
function chosenLanguage(): string {
  const choices = [store.get(userAtom.stored)?.language, cookie(), browsersChoice()];
  return choices.find(isOffered) ?? theMarket().languages[0] ?? 'en';
}

/**
 * Shows the page in a language once those of its sentences are there that public pages have; the others follow, see
 * {@link allSentences}. Sentences that cannot be loaded are shown in English.
 */
async function showLanguage(language: string): Promise<void> {
  loading = undefined;
  if (language === 'en') reader = { language };
  else {
    // One that is not loaded is tried again by the next load of the page.
    const found = await import('./catalogues.ts')
      .then(({ loadCatalogue }) => loadCatalogue(language))
      .catch(() => undefined);
    reader = found?.reader ?? { language };
    loading = found?.whenWhole.then(() => {
      loading = undefined;
    });
  }
  setReader(() => reader);
  const { documentElement } = document;
  documentElement.lang = language;
  documentElement.dir = directionOf(language);
}

/** Shows the first page in its language, which is that of its HTML where the server rendered it. */
export const beginLanguage = (isRendered: boolean): Promise<void> =>
  showLanguage(isRendered ? document.documentElement.lang : chosenLanguage());

/** Shows the page in another language where the choice of its person has changed. */
export async function followLanguage(): Promise<void> {
  const language = chosenLanguage();
  if (language === reader.language) return;
  await showLanguage(language);
  await loading;
  renderAgain();
}
