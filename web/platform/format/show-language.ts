import { theMarket } from '#contract/platform/market/constants';
import {
  addressIn,
  directionOf,
  type Reader,
  setReader,
  theReader,
} from '#contract/platform/text/constants/reader';
import { withoutLanguage } from './address.ts';
import { loadCatalogue } from './catalogues.ts';
import { renderAgain } from './market.ts';

/** The last language that was asked for: the sentences of an earlier one may come later. */
let wanted = '';

/** Loads what is written to a reader. Sentences that cannot be loaded are shown in English, until the next load. */
const load = async (language: string): Promise<Reader> =>
  language === 'en'
    ? { language }
    : loadCatalogue(language).then(
        ({ reader }) => reader,
        () => ({ language }),
      );

function writeFor(reader: Reader): void {
  setReader(() => reader);
  const { documentElement } = document;
  documentElement.lang = reader.language;
  documentElement.dir = directionOf(reader.language);
}

/** Begins the first page in a language, before anything is shown. */
export async function begin(language: string): Promise<void> {
  wanted = language;
  writeFor(await load(language));
}

/** Shows the open page in a language, at its address in it. What is typed stays. */
export async function showLanguage(language: string): Promise<void> {
  wanted = language;
  let next: Reader | undefined;
  if (language !== theReader().language) {
    next = await load(language);
    await next.whenWhole;
    if (wanted !== language) return;
  }
  const { pathname, search, hash } = location;
  // Before the reader is another one, of whose language the address may be.
  const path = withoutLanguage(pathname);
  if (next) writeFor(next);
  const address = addressIn(path, language, theMarket().languages[0]);
  if (address !== pathname) {
    history.replaceState(history.state, '', address + search + hash);
    const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
    if (canonical) canonical.href = location.origin + address;
  }
  if (next) renderAgain();
}
