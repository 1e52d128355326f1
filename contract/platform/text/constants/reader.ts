import { type Market, theMarket } from '#contract/platform/market/constants';

/** The translations of a language, each under the {@link keyOf} of its English text. */
export type Catalogue = Readonly<Record<string, string>>;

/** For whom is written. */
export interface Reader {
  /** BCP 47, as its file in `locales` is named. */
  language: string;
  /** Empty for English, which is in the source. */
  catalogue: Catalogue;
}

const ENGLISH: Reader = { language: 'en', catalogue: {} };

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

const KEY_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns the short name under which catalogues have the translation of an English text, so that they need not repeat
 * the text (FNV-1a, 30 bits). `npm run check` refuses two texts of one key.
 */
export function keyOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  let key = '';
  for (let bits = 0; bits < 30; bits += 6) key += KEY_LETTERS[(hash >>> bits) & 63];
  return key;
}
