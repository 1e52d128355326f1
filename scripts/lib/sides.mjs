/*
 * Pages are read from the left or from the right, by the reader's language. What is placed by its start and end is right
 * in both; what names the left or the right is not, and Biome has no rule for Tailwind's classes.
 */

/** Tailwind's classes that name a side, as they stand in strings. */
const CLASS =
  /(?<=[\s"'`:])-?(?:(?:(?:scroll-)?[mp][lr]|left|right)-(?:\d|\[|\(|auto|px|full)|(?:border|rounded)-(?:[lr]|[tb][lr])(?![a-z])|(?:text|float|clear|object|bg|origin)-(?:(?:top|bottom)-)?(?:left|right)(?![a-z])|bg-(?:linear|gradient)-to-(?:[tb]?[lr])(?![a-z])|translate-x-)[^\s"'`]*/g;
/** Properties in style sheets, in `style` attributes and as React writes them. */
const PROPERTY =
  /\b(?:(?:margin|padding|border)-(?:left|right)|(?:text-align|float|clear):\s*(?:left|right))\b|\b(?:margin|padding|border)(?:Left|Right)\b|(?<=["'`;]\s?)(?:left|right):/g;
/** In a style sheet an offset stands alone in its line. */
const OFFSET = /^\s*(?:left|right):/gm;

/** Returns what in a source names the left or the right side, where it is to be the start or the end. */
export function sidesIn(file, text) {
  if (!/^(web|server|workers)\/.*\.(tsx?|css|html|js)$/.test(file)) return [];
  const patterns = file.endsWith('.css') ? [PROPERTY, OFFSET] : [CLASS, PROPERTY];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([found]) => found.trim()));
}
