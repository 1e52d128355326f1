import { type Catalogue, readerWith } from '#contract/platform/text/constants/catalogue';

// Loaded for those whose browser prefers another language than that of the page.

// The build gives each its few sentences: vite.texts.ts.
const offers: Record<string, () => Promise<Catalogue>> = import.meta.glob<Catalogue>(
  '../../../locales/*.po',
  { query: '?forOffer', import: 'default' },
);

/**
 * Returns what finds the sentences with which a language is offered: none for English, which is in the source.
 * @throws when they cannot be loaded
 */
export async function loadOffer(language: string): Promise<(text: string) => string | undefined> {
  const catalogue = await offers[`../../../locales/${language}.po`]?.();
  const { find } = readerWith(language, catalogue ?? {});
  return (text) => find?.(text);
}
