/** A piece of a message: plain words, or an address to follow. */
export type Piece = { text: string; href?: string };

const ADDRESS = /https?:\/\/[^\s<>"']+/gi;
/** What ends a sentence rather than an address. */
const TRAILING = /[.,;:!?)\]}]+$/;

/**
 * Splits a message into words and web addresses. Only http and https become links, and only what
 * the browser itself reads as such an address.
 */
export function splitLinks(content: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of content.matchAll(ADDRESS)) {
    const text = match[0].replace(TRAILING, '');
    if (!URL.canParse(text)) continue;
    if (match.index > end) pieces.push({ text: content.slice(end, match.index) });
    pieces.push({ text, href: new URL(text).href });
    end = match.index + text.length;
  }
  if (end < content.length) pieces.push({ text: content.slice(end) });
  return pieces;
}
