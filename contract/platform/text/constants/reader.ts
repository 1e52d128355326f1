import { type Market, theMarket } from '#contract/platform/market/constants';

/** For whom is written. */
export interface Reader {
  /** BCP 47, as its file in `locales` is named. */
  language: string;
  /** Returns the translation of an English text; absent for readers of English. */
  find?: (text: string) => string | undefined;
  /** Resolves when all translations are there; absent once they are. */
  whenWhole?: Promise<void>;
}

const ENGLISH: Reader = { language: 'en' };

// A page has one reader; a server has many at once, and asks its request or job for the present one. Passing readers
// along would put a parameter on every function that writes a sentence, a price or a day.
let findReader = (): Reader => ENGLISH;

/** Sets how the present reader is found; without one it is a reader of English. */
export function setReader(find: () => Reader | undefined): void {
  findReader = () => find() ?? ENGLISH;
}

/** Returns for whom is written now. */
export const theReader = (): Reader => findReader();

/** Returns a function that makes something once for each language of readers, and again after the settings changed. */
export function ofReader<Made>(make: (market: Market, language: string) => Made): () => Made {
  let madeOf: Market | undefined;
  let made: Record<string, Made> = {};
  return () => {
    const market = theMarket();
    if (madeOf !== market) {
      made = {};
      madeOf = market;
    }
    const { language } = theReader();
    made[language] ??= make(market, language);
    return made[language];
  };
}

/** The direction in which a language is read. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  /^(ar|fa|he|ur)\b/.test(language) ? 'rtl' : 'ltr';

/** Hebrew, Arabic and the scripts between and after them. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufefc]/g;

/**
 * Sets a name apart from the sentence around it where it is of the other direction: otherwise a number behind it goes to
 * its other side. In marks of Unicode (UAX #9), which work in attributes, mails and calendars too. What has names set
 * apart in it is a sentence, and is read as its reader reads, whatever it begins with.
 */
export function isolate(name: string): string {
  const isRightToLeft = directionOf(theReader().language) === 'rtl';
  const isOther = isRightToLeft
    ? /[\p{L}\p{N}]/u.test(name.replace(FROM_THE_RIGHT, ''))
    : name.search(FROM_THE_RIGHT) >= 0;
  const start = isRightToLeft && name.includes('\u2068') ? '\u2067' : '\u2068';
  return isOther ? `${start}${name}\u2069` : name;
}

// Public pages have an address for each language: without a prefix that of the market's first one, `/ur/products` for
// another. Pages of signed-in people may have the prefix too, which then decides as it does there.

const PREFIX = /^\/([a-z]{2,3}(?:-\w+)?)(?=[/?#]|$)/;

/** Takes the language off an address, if it begins with one of these: `['ur', '/products?sort=newest']`. */
export function splitAddress(
  address: string,
  languages: readonly string[],
): [language: string | undefined, rest: string] {
  const [prefix = '', language = ''] = PREFIX.exec(address) ?? [];
  if (!languages.includes(language)) return [undefined, address];
  // No more than one slash: two would begin the name of another site.
  return [language, address.slice(prefix.length).replace(/^\/*/, '/')];
}

/** Returns the address of a page in a language: `/ur/products`, `/ur`. */
export const addressIn = (path: string, language: string, first: string | undefined): string =>
  language === first ? path : `/${language}${path.replace(/^\/(?=[?#]|$)/, '')}`;
