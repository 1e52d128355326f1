import { cp, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { po } from 'gettext-parser';
import { keyOf } from '#contract/platform/text/constants/catalogue';
import { buildChanged } from './releases.ts';

// The words of a market in another language than English: those of its catalogue, and for a language that nobody has
// translated yet, Arabic, a catalogue of the tests' own.

/** Returns a text of the sources, as its reader has it. */
export type Words = (text: string, meaning?: string) => string;

/** The words of a language from its catalogue. @throws for a text that it does not have */
export async function wordsOf(language: string): Promise<Words> {
  if (language === 'en') return (text) => text;
  if (language === 'ar') return arabicOf;
  const { translations } = po.parse(await readFile(`locales/${language}.po`));
  return (text, meaning = '') => {
    const translated = translations[meaning]?.[text]?.msgstr[0];
    if (!translated) throw new Error(`Not in ${language}: ${text}`);
    return translated;
  };
}

const LETTERS = Object.fromEntries(
  Array.from('abcdefghijklmnopqrstuvwxyz', (letter, index) => [
    letter,
    'ابكديفجهيجكلمنوبقرستوفوخيز'[index] ?? '',
  ]),
);
const inArabicLetters = (text: string): string =>
  text.toLowerCase().replace(/[a-z]/g, (letter) => LETTERS[letter] ?? letter);

/** Every letter of a text in Arabic script; values, choices and tags stay. */
function arabicOf(text: string): string {
  const write = (elements: MessageFormatElement[]): MessageFormatElement[] =>
    elements.map((element) => {
      if (element.type === TYPE.literal)
        return { ...element, value: inArabicLetters(element.value) };
      if (element.type === TYPE.tag) return { ...element, children: write(element.children) };
      if (element.type !== TYPE.select && element.type !== TYPE.plural) return element;
      const options = Object.fromEntries(
        Object.entries(element.options).map(([key, option]) => [
          key,
          { ...option, value: write(option.value) },
        ]),
      );
      return { ...element, options } as MessageFormatElement;
    });
  return printAST(write(parse(text)));
}

/** Lets the client's Arabic be what the sources have in the place of Urdu. */
const arabicForUrdu = (texts: Readonly<Record<string, string>>) => `(code, id) => {
  if (id.endsWith('/format/catalogues.ts'))
    return code
      .replaceAll('locales/\${language}.po', "locales/\${language === 'ar' ? 'ur' : language}.po")
      .replace("replace(/^.*\\\\/|\\\\.po$/g, '')", "replace(/^.*\\\\/|\\\\.po$/g, '').replace('ur', 'ar')");
  if (!/\\/locales\\/ur\\.po\\?/.test(id)) return null;
  const texts = ${JSON.stringify(texts)};
  const keys = Object.keys(JSON.parse(code.slice('export default '.length, -1)));
  return 'export default ' + JSON.stringify(Object.fromEntries(keys.map((key) => [key, texts[key]]))) + ';';
}`;

/** Builds a release that has Arabic for Urdu. @returns the folder of its programs */
export async function buildArabic(): Promise<{ programs: string; remove: () => Promise<void> }> {
  const folder = path.resolve(`dist/releases/testing-arabic-${process.pid}`);
  const release = path.join(folder, 'releases/arabic');
  await rm(folder, { recursive: true, force: true });
  await mkdir(release, { recursive: true });
  await cp(path.join(await realpath('dist/current'), 'server'), path.join(release, 'server'), {
    recursive: true,
  });
  const locales = path.join(release, 'server/locales');
  const urdu = po.parse(await readFile(path.join(locales, 'ur.po')));
  const texts: Record<string, string> = {};
  for (const [meaning, messages] of Object.entries(urdu.translations)) {
    for (const message of Object.values(messages)) {
      if (!message.msgid || !message.msgstr[0]) continue;
      message.msgstr = [arabicOf(message.msgid)];
      const key = meaning ? `${meaning}|${message.msgid}` : message.msgid;
      texts[keyOf(key)] = arabicOf(message.msgid);
    }
  }
  await writeFile(path.join(locales, 'ur.po'), po.compile(urdu));
  await rename(path.join(locales, 'ur.po'), path.join(locales, 'ar.po'));
  for (const [part, config] of [
    ['web', 'vite.config.ts'],
    ['pages', 'vite.pages.config.ts'],
  ] as const)
    await buildChanged(folder, config, path.join(release, part), arabicForUrdu(texts));
  return {
    programs: path.join(release, 'server'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
