import { type Catalogue, readerWith } from '#contract/platform/text/constants/catalogue';
import type { Reader } from '#contract/platform/text/constants/reader';

// Loaded by readers of other languages than English, and where the languages of the market are chosen.

type Load = () => Promise<Catalogue>;

// The build gives each part its sentences: vite.texts.ts.
const forAll: Record<string, Load> = import.meta.glob<Catalogue>('../../../locales/*.po', {
  query: '?forAll',
  import: 'default',
});
const forOthers: Record<string, Load> = import.meta.glob<Catalogue>('../../../locales/*.po', {
  query: '?forOthers',
  import: 'default',
});

/** The languages that there are translations for, and English, which is in the source. */
export const LANGUAGES: readonly string[] = [
  'en',
  ...Object.keys(forAll).map((file) => file.replace(/^.*\/|\.po$/g, '')),
];

/**
 * Loads the sentences of a language that public pages show first. The others are on their way.
 * @throws when they cannot be loaded
 */
export async function loadCatalogue(
  language: string,
): Promise<{ reader: Reader; whenWhole: Promise<void> }> {
  const file = `../../../locales/${language}.po`;
  const catalogue: Record<string, string> = {};
  const load = async (part: Load | undefined) => Object.assign(catalogue, await part?.());
  const reader: Reader = readerWith(language, catalogue);
  const end = () => {
    delete reader.whenWhole;
  };
  const whenWhole = load(forOthers[file]).then(end, end);
  reader.whenWhole = whenWhole;
  await load(forAll[file]);
  return { reader, whenWhole };
}

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
