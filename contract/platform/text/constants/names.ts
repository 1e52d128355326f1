import { ofMarket } from '#contract/platform/market/constants';

// How names are sorted, and the one form in which they are searched: `search_form` in prisma/sql makes the same, and a
// test holds both equal.

const collator = ofMarket(({ locale }) => new Intl.Collator([locale, 'en'], { numeric: true }));

/** Compares names as the market's dictionaries do, numbers in them by their value: 'apples', 'Äpfel', 'Zucchini'. */
export const compareNames = (one: string, other: string): number => collator().compare(one, other);

/** Returns items by their names; those of one name stay as they are. */
export const sortByName = <Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] =>
  items.toSorted((one, other) => compareNames(nameOf(one), nameOf(other)));

/** Accents of Latin, Greek and Cyrillic letters, points of Hebrew, vowels and hamza of Arabic, nuktas of India. */
const MARKS =
  '\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f' +
  '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7' +
  '\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u08d3-\\u08e1\\u08e3-\\u08ff' +
  '\\u093c\\u09bc\\u0a3c\\u0abc\\u0b3c';
/** Joiners, direction marks, variants, soft hyphens; the tatweel, and a hamza that stands alone. */
const UNREAD =
  '\\u00ad\\u061c\\u0640\\u0621\\u0674\\u180b-\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufe00-\\ufe0f\\ufeff';
const DROPPED = new RegExp(`[${MARKS}${UNREAD}]`, 'gu');

/** What is written for what: letters without an accent of their own, forms of one letter, punctuation. */
const WRITTEN_FOR: readonly (readonly [form: string, forms: string])[] = [
  ...Object.entries({ b: 'ƀɓ', d: 'đðɗ', h: 'ħ', i: 'ı', k: 'ƙ', l: 'ł', n: 'ŋ', o: 'ø' }),
  ...Object.entries({ t: 'ŧ', y: 'ƴ', σ: 'ς', ss: 'ß', ae: 'æ', oe: 'œ', th: 'þ' }),
  ...Object.entries({ ی: 'يى', ک: 'كڪ', ہ: 'هةۃھە', ا: 'ٱ' }),
  ...Object.entries({
    "'": '’‘ʼ',
    '"': '“”„«»',
    '-': '–—‐−',
    ',': '،',
    ';': '؛',
    '?': '؟',
    '.': '۔',
  }),
];

/** The zeros of all scripts that have digits of their own; their nine follow them. */
const ZEROS = '٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐᥆᧐᪀᪐᭐᮰᱀᱐꘠꣐꤀꧐꧰꩐꯰';

const FORM_OF = new Map<string, string>([
  ...WRITTEN_FOR.flatMap(([form, forms]) => [...forms].map((each) => [each, form] as const)),
  ...[...ZEROS].flatMap((zero) =>
    [...'0123456789'].map(
      (digit, nth) => [String.fromCodePoint((zero.codePointAt(0) ?? 0) + nth), digit] as const,
    ),
  ),
]);
const ALSO_WRITTEN = new RegExp(`[${[...FORM_OF.keys()].join('')}]`, 'gu');

/**
 * Returns a text in the form in which texts are searched: lower case, without accents and what is not read, with one
 * letter for those that are typed for each other, and with ASCII digits. What has one form is the same text to a reader
 * who is in a hurry: 'José' and 'jose', 'كتاب' and 'کتاب'.
 */
export const searchForm = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(DROPPED, '')
    .toLowerCase()
    .replace(ALSO_WRITTEN, (letter) => FORM_OF.get(letter) ?? letter)
    .normalize('NFC');

/** Returns the words of a search in search form. Other signs than those between words are searched as they are. */
export const searchWords = (typed: string): string[] => searchForm(typed).match(/[^\s,;]+/g) ?? [];

/** Returns whether one of the texts has all words of a search, in any order and as parts of words too. */
export function isFoundIn(texts: readonly string[], typed: string): boolean {
  const words = searchWords(typed);
  return texts.map(searchForm).some((form) => words.every((word) => form.includes(word)));
}
