import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { type GetTextTranslations, po } from 'gettext-parser';

/*
 * The gettext files of the translations. A text that is no longer in the sources leaves them at once: its translation
 * is in the history of the repository.
 */

const FOLDER = 'locales';
const WIDTH = 100;

export const languages = () =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.po'))
    .map((name) => name.slice(0, -3))
    .sort();

export const fileOf = (language: string): string => `${FOLDER}/${language}.po`;

/** Splits `verb|Open` into its meaning and the text. */
export function splitMeaning(text: string) {
  const [, meaning = '', rest = text] = /^(?:([a-z ]+)\|)?(.*)$/s.exec(text) ?? [];
  return { meaning, text: rest };
}

export const readFile = (language: string): GetTextTranslations =>
  existsSync(fileOf(language))
    ? po.parse(readFileSync(fileOf(language)))
    : { charset: 'utf-8', headers: {}, translations: {} };

/**
 * Returns the file of a language with these texts, a map from each to the files that have it, and with the
 * translations it had.
 */
export function updated(language: string, texts: ReadonlyMap<string, readonly string[]>): string {
  const before = readFile(language);
  const translations: GetTextTranslations['translations'] = {
    '': { '': before.translations['']?.[''] ?? { msgid: '', msgstr: [''] } },
  };
  for (const [whole, files] of texts) {
    const { meaning, text } = splitMeaning(whole);
    const known = before.translations[meaning]?.[text];
    translations[meaning] ??= {};
    translations[meaning][text] = {
      msgid: text,
      ...(meaning ? { msgctxt: meaning } : {}),
      msgstr: known?.msgstr ?? [''],
      comments: { ...known?.comments, reference: files.join('\n') },
    };
  }
  const headers = {
    ...before.headers,
    Language: language,
    'Content-Type': 'text/plain; charset=UTF-8',
  };
  return po
    .compile({ charset: 'utf-8', headers, translations }, { foldLength: WIDTH, sort: true })
    .toString();
}

/** Returns what a message takes: `count` as a plural, `name` as a value, `a` as a tag. @throws what does not parse */
function parametersOf(text: string): Set<string> {
  const found = new Set<string>();
  const visit = (elements: readonly MessageFormatElement[]) => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
      const isOrdinal = element.type === TYPE.plural && element.pluralType === 'ordinal';
      found.add(`${element.value} as ${isOrdinal ? 'selectordinal' : TYPE[element.type]}`);
      if ('options' in element)
        for (const { value } of Object.values(element.options)) visit(value);
      if (element.type === TYPE.tag) visit(element.children);
    }
  };
  visit(parse(text, { requiresOtherClause: true }));
  return found;
}

const KINDS = ['argument', 'number', 'plural', 'select', 'tag'];

/** Returns why a message cannot be written, or undefined. */
export function faultOf(text: string): string | undefined {
  try {
    for (const each of parametersOf(text)) {
      const [, kind] = each.split(' as ');
      if (!KINDS.includes(kind ?? '')) return `has a ${kind}, which is not supported`;
    }
    return undefined;
  } catch (error) {
    return `does not parse: ${(error as Error).message}`;
  }
}

/** Returns why a translation cannot stand for its text, or undefined. */
export function mistranslation(text: string, translated: string): string | undefined {
  const fault = faultOf(translated);
  if (fault) return fault;
  const names = (message: string) =>
    new Set(
      Array.from(parametersOf(message), (each) =>
        each.replace(/ as (argument|number|plural)$/, ''),
      ),
    );
  const [wanted, has] = [names(text), names(translated)];
  const lacks = [...wanted].filter((each) => !has.has(each));
  const invents = [...has].filter((each) => !wanted.has(each));
  if (lacks.length > 0) return `lacks ${lacks}`;
  return invents.length > 0 ? `has ${invents}, which the text has not` : undefined;
}
