import { readFileSync } from 'node:fs';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/*
 * One word for one thing: `locales/glossary.json` has the terms of the product, each with the pattern of its English
 * word and, for each language, of what the translation of every text with that word has. A translation that is the
 * English text itself is a mistake, unless it is listed there.
 */

interface Term {
  english: string;
  /** English texts in which the word means something else. */
  except?: readonly string[];
  [language: string]: string | readonly string[] | undefined;
}

interface Glossary {
  /** For each language, the texts that are the same in it. */
  equal: Readonly<Record<string, readonly string[]>>;
  terms: Readonly<Record<string, Term>>;
}

const FILE = 'locales/glossary.json';
const glossary: Glossary = JSON.parse(readFileSync(FILE, 'utf8'));

const pattern = (source: string) => new RegExp(source, 'iu');
const terms = Object.entries(glossary.terms).map(([name, term]) => ({
  name,
  term,
  english: pattern(term.english),
}));

/** Returns the words of a message, without what is filled in. */
function wordsOf(text: string): string {
  const words: string[] = [];
  const visit = (elements: readonly MessageFormatElement[]) => {
    for (const element of elements) {
      if (element.type === TYPE.literal) words.push(element.value);
      else if ('options' in element)
        for (const { value } of Object.values(element.options)) visit(value);
      else if (element.type === TYPE.tag) visit(element.children);
      else words.push('…');
    }
  };
  visit(parse(text, { requiresOtherClause: true }));
  return words.join('');
}

/** Returns what the words of a translation break of the glossary. */
export function glossaryFaults(language: string, text: string, translated: string): string[] {
  const words = wordsOf(text);
  const faults: string[] = [];
  if (translated === text && /\p{L}{3}/u.test(words) && !glossary.equal[language]?.includes(text))
    faults.push(`is the English text; list it under "equal" in ${FILE} where that is right`);
  for (const { name, term, english } of terms) {
    const wanted = term[language];
    if (typeof wanted !== 'string' || !english.test(words) || term.except?.includes(text)) continue;
    if (!pattern(wanted).test(wordsOf(translated)))
      faults.push(`has not /${wanted}/ for “${name}” (${FILE}): “${translated}”`);
  }
  return faults;
}
