import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { po } from 'gettext-parser';
import { type Catalogue, keyOf } from '#contract/platform/text/constants/catalogue';
import { isFromSources, RELEASE_FOLDER } from '../process/release.ts';

/** Where the translations are, a file for each language: a build has its own. */
const FOLDER = isFromSources
  ? path.resolve('locales')
  : path.join(RELEASE_FOLDER, 'server/locales');

/** The languages that there are translations for, and English, which is in the source. */
export const LANGUAGES: readonly string[] = [
  'en',
  ...readdirSync(FOLDER).flatMap((name) => (name.endsWith('.po') ? name.slice(0, -3) : [])),
];

/** Reads a catalogue from a gettext file, which has a text of two meanings under each of them (`msgctxt`). */
export function parseCatalogue(file: string | Buffer): Catalogue {
  const { translations } = po.parse(file, { defaultCharset: 'utf8' });
  return Object.fromEntries(
    Object.entries(translations).flatMap(([meaning, messages]) =>
      Object.values(messages).flatMap(({ msgid, msgstr: [translated], comments }) => {
        if (!msgid || !translated || comments?.flag?.includes('fuzzy')) return [];
        return [[keyOf(meaning ? `${meaning}|${msgid}` : msgid), translated]];
      }),
    ),
  );
}

const catalogues = new Map<string, Catalogue>();

/** Returns the translations of a language, which are read once; none of one without a file. */
export function catalogueOf(language: string): Catalogue {
  let found = catalogues.get(language);
  if (!found) {
    const isTranslated = language !== 'en' && LANGUAGES.includes(language);
    found = isTranslated ? parseCatalogue(readFileSync(path.join(FOLDER, `${language}.po`))) : {};
    catalogues.set(language, found);
  }
  return found;
}
