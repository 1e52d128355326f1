/** Line breaks, bidi controls and invisible characters. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u;

/**
 * Invisible characters that a script or an emoji needs at this position: joiners of Indic scripts
 * (beside a virama) and between Arabic letters, joiners and variants of emoji, the flags of England,
 * Scotland and Wales, variants of Han and Mongolian letters.
 */
const NEEDED = new RegExp(
  [
    String.raw`(?<=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u200C\u200D]`,
    String.raw`\u200D(?=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])`,
    String.raw`(?<=\p{Script=Arabic})\u200C(?=\p{Script=Arabic})`,
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`,
    String.raw`(?<=\p{Emoji})[\uFE0E\uFE0F]`,
    String.raw`(?<=\u{1F3F4})[\u{E0061}-\u{E007A}]{5}\u{E007F}`,
    String.raw`(?<=\p{Script=Han})[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]`,
    String.raw`(?<=\p{Script=Mongolian})[\u180B-\u180F]`,
  ].join('|'),
  'gu',
);

/** Returns whether a text is one line without hidden characters. */
export const isOneLine = (value: string): boolean => !HIDDEN.test(value.replace(NEEDED, ''));

/**
 * A character that shows something by itself: no space, no mark, no control, no filler. U+2800 is a Braille
 * cell without dots.
 */
const VISIBLE =
  /[^\p{White_Space}\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]/u;

/** Returns whether a reader would see anything of a text. */
export const isVisible = (value: string): boolean => VISIBLE.test(value);

/** The controls that Unicode counts as line breaks, CR LF as one. */
const LINE_BREAK = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
/** Other controls but NUL, which is refused, and embeddings, overrides and isolates, which reorder what follows. */
const CONTROLS = /(?![\n\0])\p{Cc}|[\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFB]/gu;

/**
 * Returns a text as it is stored: trimmed, with `\n` as its only control, and empty if nothing in it is visible.
 * Characters that scripts need, such as joiners and direction marks, stay.
 */
export function cleanText(value: string): string {
  const cleaned = value.replace(LINE_BREAK, '\n').replace(/\t/g, ' ').replace(CONTROLS, '').trim();
  return isVisible(cleaned) || cleaned.includes('\0') ? cleaned : '';
}
