import { describe, expect, it } from 'vitest';
import { glossaryFaults } from '../../../scripts/lib/texts/glossary.ts';
import { textsOf } from '../../../scripts/lib/texts/sources.ts';

/** What is found in a source, in which § stands for a dollar sign. */
const of = (source: string, file = 'web/farm/Some.tsx') => {
  const { texts, bare, glued, early } = textsOf(file, source.replaceAll('§', '$'));
  const only = (found: { text: string }[]) => found.map(({ text }) => text);
  return { texts: only(texts), bare: only(bare), glued: only(glued), early: only(early) };
};
const NONE = { texts: [], bare: [], glued: [], early: [] };

describe('the check of sentences', () => {
  it.each([
    ['const a = () => `§{count} orders`;', ['… orders']],
    ['const a = () => `§{one} and §{other}`;', ['… and …']],
    ["const a = () => names.join(', ');", [".join(', ')"]],
    ["const a = () => names.map(nameOf).join(' and ');", [".join(' and ')"]],
    ["const a = () => (count === 1 ? '' : 's');", ['an ending']],
    ["const a = () => word + 's';", ['a sentence in parts']],
    ["const a = () => count + ' orders';", ['a sentence in parts']],
    ['const a = () => LABELS[status].toLowerCase();', ['.toLowerCase()']],
    ['const a = () => writeMessage(label).toLowerCase();', ['.toLowerCase()']],
    ["const a = () => msg('It is {way}', { way: 'picked' });", ["way: 'picked'"]],
    [
      "const a = () => t('It is {way}', { way: isPicked ? 'picked' : 'sent' });",
      ["way: 'picked'", "way: 'sent'"],
    ],
  ])('finds what is glued of parts: %s', (source, glued) => {
    expect(of(source).glued).toEqual(glued);
  });

  it.each([
    'const a = () => `§{origin}/orders/§{id}`;',
    'const a = () => `SELECT §{columns} FROM orders`;',
    'const a = () => lockName(tx, `thread §{id}`);',
    'const key = `release §{release}`;',
    "const a = () => names.join(' · ');",
    'const a = () => typed.toLowerCase();',
    "const a = () => log.info('Handed ' + id);",
    'const a = () => { throw new Error(`No order §{id} and no farm`); };',
  ])('leaves what programs read: %s', (source) => {
    expect(of(source)).toEqual(NONE);
  });

  it('takes a word of the program to choose by', () => {
    const source =
      "const a = () => t('{way, select, pickup {Here} other {There}}', { way: 'pickup' });";
    expect(of(source)).toMatchObject({ glued: [], bare: [], early: [] });
  });

  it('finds what is written before anybody reads', () => {
    expect(of("const A = { open: t('Open') };").early).toEqual(['t(…)']);
    expect(of("const A = { open: msg('Open') };").early).toEqual([]);
    expect(of("const open = () => t('Open');").early).toEqual([]);
  });

  it('leaves what operators read in a terminal', () => {
    const source = "export const refusal = 'The backup is damaged. Take another one.';";
    expect(of(source).bare).toHaveLength(1);
    expect(of(source, 'server/platform/backup/files.ts').bare).toEqual([]);
  });
});

describe('the glossary', () => {
  it('wants the word of the product', () => {
    expect(glossaryFaults('de', 'Your order', 'Ihre Bestellung')).toEqual([]);
    expect(glossaryFaults('de', 'Your order', 'Ihr Auftrag')).toEqual([
      'has not /bestell/ for “order” (locales/glossary.json): “Ihr Auftrag”',
    ]);
  });

  it('reads the words alone, in every branch', () => {
    const text = '{order, plural, one {# day} other {# days}}';
    expect(glossaryFaults('de', text, '{order, plural, one {# Tag} other {# Tage}}')).toEqual([]);
    expect(
      glossaryFaults('de', '{n, plural, one {# order} other {# orders}}', '{n, plural, other {#}}'),
    ).toHaveLength(1);
  });

  it('refuses English in another language', () => {
    expect(glossaryFaults('ur', 'Anything', 'Anything')).toHaveLength(1);
    expect(glossaryFaults('de', 'Status', 'Status')).toEqual([]);
    expect(glossaryFaults('de', '{quantity} kg', '{quantity} kg')).toEqual([]);
  });
});
