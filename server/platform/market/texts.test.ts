import { readFileSync } from 'node:fs';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { formatGoods, formatQuantityOf } from '#contract/platform/quantities/constants/quantities';
import { keyOf, readerWith } from '#contract/platform/text/constants/catalogue';
import { numberLocale } from '#contract/platform/text/constants/formats';
import { setReader } from '#contract/platform/text/constants/reader';
import {
  msg,
  t,
  type Value,
  writeMessage,
  writePieces,
} from '#contract/platform/text/constants/texts';
import { languages, readFile } from '../../../scripts/lib/texts/catalogues.ts';
import { catalogueOf, parseCatalogue } from './catalogues.ts';
import { followReaders } from './readers.ts';

const COUNTS = [0, 1, 2, 3, 5, 11, 21, 100, 1204];

const read = (language: string, catalogue = {}) => setReader(() => readerWith(language, catalogue));

afterEach(() => {
  // Other files of this process read in the languages of their requests.
  followReaders();
  setMarket(DEFAULT_MARKET);
});

/** Every combination of counts and choices that a message asks for. */
function valuesFor(elements: readonly MessageFormatElement[]): Record<string, Value>[] {
  const choices = new Map<string, Value[]>();
  const visit = (each: readonly MessageFormatElement[]) => {
    for (const element of each) {
      if (element.type === TYPE.argument) choices.set(element.value, ['دانیال & <b>Ann</b>']);
      if (element.type === TYPE.plural || element.type === TYPE.number)
        choices.set(element.value, COUNTS);
      if (element.type === TYPE.select) choices.set(element.value, Object.keys(element.options));
      if ('options' in element)
        for (const { value } of Object.values(element.options)) visit(value);
      if (element.type === TYPE.tag) visit(element.children);
    }
  };
  visit(elements);
  let all: Record<string, Value>[] = [{}];
  for (const [name, values] of choices)
    all = all.flatMap((before) => values.map((value) => ({ ...before, [name]: value })));
  return all;
}

/** Writes a message by both, and compares. */
function compare(language: string, text: string, translated: string): number {
  const locale = numberLocale(DEFAULT_MARKET, language);
  const reference = new IntlMessageFormat(translated, locale);
  const elements = parse(translated);
  const tags = new Set(JSON.stringify(elements).match(/(?<="value":")\w+(?=","children")/g));
  const ours = Object.fromEntries(
    Array.from(tags, (name) => [name, (inner: unknown[]) => `[${name}:${inner.join('')}]`]),
  );
  const theirs = Object.fromEntries(
    Array.from(tags, (name) => [name, (inner: unknown[]) => `[${name}:${inner.join('')}]`]),
  );
  const all = valuesFor(elements);
  for (const values of all) {
    const written = writePieces<string>(text, values, ours).join('');
    const plain = written.replace(/[\u2068\u2069]/g, '');
    expect(plain, `${language}: ${text}`).toBe(reference.format({ ...values, ...theirs }));
  }
  return all.length;
}

describe('a sentence', () => {
  it.each(['en', ...languages()])(
    'of %s is written as the reference implementation does',
    (language) => {
      let count = 0;
      const catalogue = catalogueOf(language);
      read(language, catalogue);
      for (const source of Object.values(readFile('de').translations)) {
        for (const { msgid, msgctxt } of Object.values(source)) {
          const text = msgctxt ? `${msgctxt}|${msgid}` : msgid;
          const translated = language === 'en' ? msgid : catalogue[keyOf(text)];
          if (text && translated !== undefined) count += compare(language, text, translated);
        }
      }
      expect(count).toBeGreaterThan(0);
    },
  );

  it.each([
    'No braces at all.',
    "Don't stop, it's {name}'s.",
    "Quoted '{braces}' and ''quotes''.",
    'a < b and 1 > 0, <3',
    '<a>Read <b>this</b></a>, {name}.',
    '{n, plural, =0 {nobody} one {# farm} other {# farms of <b>{name}</b>}}!',
    '{kind, select, pickup {Pick up {n, plural, one {# crate} other {# crates}}} other {Wait}}',
    '{n, plural, other {{kind, select, a {# a} other {# other}}}}',
    '{n, number} of {n, plural, zero {none} one {one} two {two} few {few} many {many} other {#}}',
  ])('has the syntax of ICU messages: %s', (text) => {
    for (const language of ['en', 'ar', 'de', 'ur', 'pl']) {
      read(language, { [keyOf(text)]: text });
      expect(compare(language, text, text)).toBeGreaterThan(0);
    }
  });

  it('has the six plurals of Arabic', () => {
    const text = '{n, plural, one {# order} other {# orders}}';
    const forms = 'zero {صفر} one {واحد} two {اثنان} few {# قليل} many {# كثير} other {# غير}';
    read('ar', { [keyOf(text)]: `{n, plural, ${forms}}` });
    expect([0, 1, 2, 3, 11, 100].map((n) => t(text, { n }))).toEqual([
      'صفر',
      'واحد',
      'اثنان',
      '3 قليل',
      '11 كثير',
      '100 غير',
    ]);
  });

  it('is in English, with its plurals, where it has no translation', () => {
    read('ar');
    expect([0, 1, 2].map((n) => t('{n, plural, one {# order} other {# orders}}', { n }))).toEqual([
      '0 orders',
      '1 order',
      '2 orders',
    ]);
  });

  it('shows no meaning, by which one word has two translations', () => {
    const po = `msgctxt "verb"\nmsgid "Open"\nmsgstr "Öffnen"\n\nmsgid "Open"\nmsgstr "Geöffnet"\n`;
    read(
      'de',
      parseCatalogue(`msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8"\n\n${po}`),
    );
    expect([t('verb|Open'), t('Open')]).toEqual(['Öffnen', 'Geöffnet']);
    read('en');
    expect(t('verb|Open')).toBe('Open');
  });

  it('is written for the reader of the moment when it is a message, and what it names too', () => {
    const greeting = 'Hello {name}, {what}';
    const message = msg(greeting, { name: 'Ada', what: msg('welcome') });
    const stored = JSON.parse(JSON.stringify(message));
    expect(writeMessage(stored)).toBe('Hello Ada, welcome');
    read('de', { [keyOf(greeting)]: '{what}, {name}', [keyOf('welcome')]: 'willkommen' });
    expect(writeMessage(stored)).toBe('willkommen, Ada');
    expect(writeMessage('Written by a person {as it is}.')).toBe('Written by a person {as it is}.');
  });

  it('takes sentences that came later', () => {
    read('de');
    expect(t('Later')).toBe('Later');
    read('de', { [keyOf('Later')]: 'Später' });
    expect(t('Later')).toBe('Später');
  });

  it('has the numbers of its reader in the region of the market', () => {
    setMarket({ ...DEFAULT_MARKET, locale: 'en-PK' });
    const texts = ['en', 'de', 'ur', 'ar'].map((language) => {
      read(language);
      return t('{n, number}', { n: 1_204_500 });
    });
    expect(texts).toEqual(['1,204,500', '1.204.500', '1,204,500', '1,204,500']);
  });
});

it('sets names of the other direction apart, so that numbers stay where they belong', () => {
  const text = '{goods} for {name}';
  read('en');
  expect(formatGoods(4, 'bunch', 'پالک')).toBe('4 bunches \u2068پالک\u2069');
  expect(formatQuantityOf(2, 'kg', 'گاجر')).toBe('2 kg of \u2068گاجر\u2069');
  expect(formatGoods(4, 'bunch', 'Kale')).toBe('4 bunches Kale');
  expect(t(text, { goods: '2 kg', name: 'محمد آصف' })).toBe('2 kg for \u2068محمد آصف\u2069');
  read('de', { [keyOf(text)]: '{goods} für {name}' });
  expect(t(text, { goods: '1,5 kg', name: 'שרה 7' })).toBe('1,5 kg für \u2068שרה 7\u2069');
  read('ur', { [keyOf(text)]: '{name} کے لیے {goods}' });
  expect(t(text, { goods: '+92 300 1', name: 'Ann' })).toBe(
    '\u2068Ann\u2069 کے لیے \u2068+92 300 1\u2069',
  );
  expect(t(text, { goods: 'دو', name: 'محمد' })).toBe('محمد کے لیے دو');
});

it('has no two texts of one key', () => {
  const keys = Object.values(readFile('de').translations)
    .flatMap((messages) => Object.values(messages))
    .map(({ msgid, msgctxt }) => keyOf(msgctxt ? `${msgctxt}|${msgid}` : msgid));
  expect(new Set(keys).size).toBe(keys.length);
});

it('leaves out translations that are marked as unsure', () => {
  const file = readFileSync('locales/de.po', 'utf8');
  const [known] = Object.keys(parseCatalogue(file));
  expect(known).toBeDefined();
  expect(parseCatalogue(file.replaceAll('\n#: ', '\n#, fuzzy\n#: '))).toEqual({});
});
