import { formsOf } from './word-forms.ts';

/** What goes by several names, in the singular and in the form in which texts are compared. */
const NAMES: readonly (readonly string[])[] = [
  ['arugula', 'rocket'],
  ['aubergine', 'eggplant', 'brinjal'],
  ['beet', 'beetroot'],
  ['bell pepper', 'sweet pepper', 'capsicum'],
  ['bok choy', 'pak choi'],
  ['broad bean', 'fava bean'],
  ['chard', 'silverbeet'],
  ['chickpea', 'garbanzo'],
  ['cilantro', 'coriander'],
  ['corn', 'maize'],
  ['courgette', 'zucchini'],
  ['lettuce', 'salad'],
  ['mangetout', 'snow pea'],
  ['okra', 'ladyfinger'],
  ['rutabaga', 'swede'],
  ['scallion', 'spring onion', 'green onion'],
];

/** Returns what else something is called, whether it was typed in the singular or the plural. */
export function otherNamesOf(phrase: string): string[] {
  const forms = formsOf(phrase);
  return NAMES.filter((names) => names.some((name) => forms.includes(name))).flatMap((names) =>
    names.filter((name) => !forms.includes(name)),
  );
}
