import type { Reader } from '#contract/platform/text/constants/reader';

/** The translations of a language, each under the {@link keyOf} of its English text. */
export type Catalogue = Readonly<Record<string, string>>;

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

/** Returns a reader of a language with these translations. */
export const readerWith = (language: string, catalogue: Catalogue): Reader => ({
  language,
  find: (text) => catalogue[keyOf(text)],
});
