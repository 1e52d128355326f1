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
