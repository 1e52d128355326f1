import { useSyncExternalStore } from 'react';
import { theMarket } from '#contract/platform/market/constants';
import { type Catalogue, directionOf, setReader } from '#contract/platform/text/constants/reader';
import { createListeners } from '../hooks/listen.ts';
import { store, userAtom } from '../session/session.ts';

type Load = () => Promise<Catalogue>;

// The build gives each part its sentences: vite.texts.ts.
const forAll: Record<string, Load | undefined> = import.meta.glob<Catalogue>(
  '../../../locales/*.po',
  {
    query: '?forAll',
    import: 'default',
  },
);
const forOthers: Record<string, Load | undefined> = import.meta.glob<Catalogue>(
  '../../../locales/*.po',
  {
    query: '?forOthers',
    import: 'default',
  },
);

/** Where a visitor's choice is kept: the server reads it too. */
const COOKIE = 'language';
const COOKIE_SECONDS = 365 * 24 * 60 * 60;

const listeners = createListeners();
let reader = { language: 'en', catalogue: {} as Catalogue };
/** Resolves when all of the reader's sentences are there; undefined once they are. */
let loading: Promise<void> | undefined;

/** Returns the language of the page; renders again when another one is shown. */
export const useLanguage = (): string =>
  useSyncExternalStore(
    listeners.add,
    () => reader.language,
    () => reader.language,
  );

/** Resolves when the sentences are there that public pages do without; undefined if they are. */
export const allSentences = (): Promise<void> | undefined => loading;

const isOffered = (language: string | null | undefined): language is string =>
  theMarket().languages.some((each) => each === language);

/** Returns the offered language that the browser prefers: `de` for de-AT. */
const browsersChoice = (): string | undefined =>
  navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]).find(isOffered);

const cookie = (): string | undefined =>
  document.cookie
    .split('; ')
    .find((each) => each.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);

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
  const file = `../../../locales/${language}.po`;
  const next = { language, catalogue: {} as Catalogue };
  // One that is not loaded is tried again by the next load of the page.
  const load = async (part: Load | undefined) => {
    const loaded = await part?.().catch(() => undefined);
    next.catalogue = { ...next.catalogue, ...loaded };
  };
  await load(forAll[file]);
  reader = next;
  setReader(() => reader);
  const { documentElement } = document;
  documentElement.lang = language;
  documentElement.dir = directionOf(language);
  const rest = forOthers[file];
  loading =
    rest &&
    load(rest).then(() => {
      loading = undefined;
    });
}

/** Shows the first page in its language, which is that of its HTML where the server rendered it. */
export const beginLanguage = (isRendered: boolean): Promise<void> =>
  showLanguage(isRendered ? document.documentElement.lang : chosenLanguage());

/** Shows the page in another language where the choice of its person has changed. The page is mounted anew. */
export async function followLanguage(): Promise<void> {
  const language = chosenLanguage();
  if (language === reader.language) return;
  await showLanguage(language);
  await loading;
  listeners.notify();
}

/** The name of a language in itself: 'Deutsch'. */
export const nameOfLanguage = (language: string): string =>
  new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;

/** Keeps the language that somebody chose in this browser, and shows the page in it. */
export async function chooseLanguage(language: string): Promise<void> {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser of ours has a cookie store
  document.cookie = `${COOKIE}=${language}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax`;
  await followLanguage();
}
