import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closestWord, commonStart, countMistakes, formsOf } from './word-forms.ts';

describe('the forms of a phrase', () => {
  it.each([
    ['egg', ['egg', 'eggs']],
    ['Eggs', ['eggs', 'egg']],
    ['tomato', ['tomato', 'tomatoes', 'tomatos']],
    ['tomatoes', ['tomatoes', 'tomato', 'tomatoe']],
    ['tomatos', ['tomatos']],
    ['avocados', ['avocados', 'avocado']],
    ['berry', ['berry', 'berries']],
    ['berries', ['berries', 'berry', 'berrie']],
    ['peach', ['peach', 'peaches']],
    ['peaches', ['peaches', 'peach', 'peache']],
    ['radish', ['radish', 'radishes']],
    ['leaf', ['leaf', 'leaves']],
    ['lettuce leaves', ['lettuce leaves', 'lettuce leaf']],
    ['honey', ['honey', 'honeys']],
    ['watercress', ['watercress', 'watercresses']],
    ['asparagus', ['asparagus']],
    ['gas', ['gas']],
    ['Green Beans', ['green beans', 'green bean']],
    ['lot 7', ['lot 7']],
    ['100%', ['100%']],
    ['a', ['a']],
    ['🥕', ['🥕']],
    ['', ['']],
  ])('of %s', (phrase, forms) => {
    expect(formsOf(phrase)).toEqual(forms);
  });

  it('begin with what was typed, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (phrase) => {
        const forms = formsOf(phrase);
        expect(forms[0]).toBe(phrase.toLowerCase());
        expect(forms.every((form) => form.startsWith(commonStart(forms)))).toBe(true);
      }),
    );
  });
});

it.each([
  [['berry', 'berries'], 'berr'],
  [['egg'], 'egg'],
  [['leaf', 'leaves'], 'lea'],
  [['a', 'b'], ''],
  [[], ''],
])('%s all begin with %s', (texts, start) => {
  expect(commonStart(texts)).toBe(start);
});

it.each([
  ['tomatos', 'tomatoes', 1],
  ['rhubrab', 'rhubarb', 1],
  ['appels', 'apples', 1],
  ['letuce', 'lettuce', 1],
  ['brocolli', 'broccoli', 2],
  ['', 'egg', 3],
  ['egg', 'egg', 0],
])('%s for %s has %i mistakes', (typed, meant, mistakes) => {
  expect(countMistakes(typed, meant)).toBe(mistakes);
  expect(countMistakes(meant, typed)).toBe(mistakes);
});

it.each([
  ['tomatos', ['potatoes', 'tomato', 'tomatoes'], 'tomatoes'],
  ['egs', ['eggs', 'figs'], 'eggs'],
  ['xyz', ['eggs'], undefined],
  ['ham', ['jam', 'yams'], 'jam'],
  ['cucumbr', [], undefined],
])('means by %s among %s the word %s', (typed, known, word) => {
  expect(closestWord(typed, known)).toBe(word);
});
