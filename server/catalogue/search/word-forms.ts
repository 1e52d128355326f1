/** Words whose plural is not made by an ending, as far as they are sold on a market. */
const IRREGULAR: readonly (readonly [one: string, many: string])[] = [
  ['leaf', 'leaves'],
  ['loaf', 'loaves'],
  ['half', 'halves'],
  ['calf', 'calves'],
];

const LAST_WORD = /[\p{L}\p{M}]+$/u;
/** Shorter words are no plurals: gas, as. */
const PLURAL_LENGTH_MIN = 4;
/** Cress, asparagus, and misspelled plurals, which are corrected. */
const NO_PLURAL = /(ss|us|is|tomatos|potatos)$/;

/**
 * Returns a phrase as it is typed, in lower case, and then with its last word in the singular or plural: 'berries' is
 * also 'berry'. A form that does not exist finds nothing, so a doubt makes one more.
 */
export function formsOf(phrase: string): string[] {
  const typed = phrase.toLowerCase();
  const word = LAST_WORD.exec(typed)?.[0] ?? '';
  const head = typed.slice(0, typed.length - word.length);
  return [...new Set([word, ...singulars(word), ...plurals(word)])].map((form) => head + form);
}

function singulars(word: string): string[] {
  const irregular = IRREGULAR.find(([, many]) => many === word);
  if (irregular) return [irregular[0]];
  if (word.length < PLURAL_LENGTH_MIN || !word.endsWith('s') || NO_PLURAL.test(word)) return [];
  // Berries and cookies.
  if (word.endsWith('ies')) return [`${word.slice(0, -3)}y`, word.slice(0, -1)];
  // Tomatoes and peaches, but also shoes and quiches.
  if (/(o|ch|sh|x|ss|zz)es$/.test(word)) return [word.slice(0, -2), word.slice(0, -1)];
  return [word.slice(0, -1)];
}

function plurals(word: string): string[] {
  const irregular = IRREGULAR.find(([one]) => one === word);
  if (irregular) return [irregular[1]];
  if (word.length < 2 || /[^s]s$/.test(word)) return [];
  if (/[^aeiou]y$/.test(word)) return [`${word.slice(0, -1)}ies`];
  // Tomatoes, but avocados.
  if (word.endsWith('o')) return [`${word}es`, `${word}s`];
  return [/(ch|sh|x|ss|zz)$/.test(word) ? `${word}es` : `${word}s`];
}

/** Returns what all these texts begin with. */
export function commonStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const other of others) {
    while (!other.startsWith(first.slice(0, length))) length--;
  }
  return first.slice(0, length);
}

/** Words of this length or shorter may have one mistake, up to twice as long two, longer ones three. */
const ONE_MISTAKE_LENGTH_MAX = 4;

/**
 * Returns the word that was probably meant: the one with the fewest mistakes; among equals one with the same ending, so
 * that a plural stays one, and else the first. Undefined when all have too many.
 */
export function closestWord(typed: string, known: readonly string[]): string | undefined {
  const most = Math.min(3, Math.ceil(typed.length / ONE_MISTAKE_LENGTH_MAX));
  let best: { word: string; distance: number } | undefined;
  for (const word of known) {
    const mistakes = countMistakes(typed, word);
    const distance = mistakes + (word.at(-1) === typed.at(-1) ? 0 : 0.5);
    if (mistakes <= most && distance < (best?.distance ?? Infinity)) best = { word, distance };
  }
  return best?.word;
}

/** Returns how many letters were left out, added, replaced, or swapped with their neighbour. */
export function countMistakes(typed: string, meant: string): number {
  const from = Array.from(typed);
  const to = Array.from(meant);
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of from.entries()) {
    const current = [row + 1];
    for (const [column, other] of to.entries()) {
      const isSwapped =
        row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === other;
      current.push(
        Math.min(
          (last[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
          (last[column] ?? 0) + (letter === other ? 0 : 1),
          isSwapped ? (beforeLast[column - 1] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last.at(-1) ?? 0;
}

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
