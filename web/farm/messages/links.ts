/** A piece of a message: plain text, or a link. */
export type Piece = { text: string; href?: string };

const URL_PATTERN = /https?:\/\/[^\s<>"']+/gi;
/** Punctuation that ends a sentence rather than a URL. */
const TRAILING_PUNCTUATION = /[.,;:!?)\]}]+$/;

/**
 * Splits a message into text and links. Only valid http and https URLs become links.
 */
export function splitLinks(content: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of content.matchAll(URL_PATTERN)) {
    const text = match[0].replace(TRAILING_PUNCTUATION, '');
    if (!URL.canParse(text)) continue;
    if (match.index > end) pieces.push({ text: content.slice(end, match.index) });
    pieces.push({ text, href: new URL(text).href });
    end = match.index + text.length;
  }
  if (end < content.length) pieces.push({ text: content.slice(end) });
  return pieces;
}
