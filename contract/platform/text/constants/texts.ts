import { formatCount } from '#contract/platform/text/constants/formats';
import { isolate, theReader } from '#contract/platform/text/constants/reader';

// Sentences stand in the source in English, in the syntax of ICU messages, and are translated in `locales`:
// `t('Hello {name}', { name })`. A word of small letters and `|` before a text tells two meanings apart.

/** What a sentence names. A message is written for the same reader as the sentence around it. */
export type Value = string | number | Message;

/** A sentence that is written later, for whoever reads it then; JSON. */
export interface Message {
  text: string;
  values?: Readonly<Record<string, Value>>;
}

// What a text takes is read from it by types: `Scan` stands in words, `Choose` between the branches of a plural or select.

type Scan<Text extends string, Found> = Text extends `${infer Before}{${infer After}`
  ? Before extends `${string}}${string}`
    ? Close<Text, Found>
    : Open<After, Found>
  : Text extends `${string}}${string}`
    ? Close<Text, Found>
    : Found;
type Close<Text extends string, Found> = Text extends `${string}}${infer After}`
  ? Choose<After, Found>
  : Found;
type Open<Text extends string, Found> = Text extends `${infer Head}}${infer After}`
  ? Head extends `${infer Name},${infer As},${string}`
    ? Text extends `${string},${string},${infer Branches}`
      ? Choose<Branches, Found & Record<Name, Trimmed<As> extends 'select' ? string : number>>
      : never
    : Head extends `${infer Name},${string}`
      ? Scan<After, Found & Record<Name, number>>
      : Scan<After, Found & Record<Head, Value>>
  : Found;
type Choose<Text extends string, Found> = Text extends `${infer Before}{${infer After}`
  ? Before extends `${string}}${infer Rest}`
    ? Scan<`${Rest}{${After}`, Found>
    : Scan<After, Found>
  : Text extends `${string}}${infer Rest}`
    ? Scan<Rest, Found>
    : Found;
type Trimmed<Text extends string> = Text extends ` ${infer Rest}` ? Trimmed<Rest> : Text;

/** The values that a text takes, by their names in it; none for a text without names. */
export type Named<Text extends string> = string extends Text
  ? Readonly<Record<string, Value>>
  : { readonly [Name in keyof Scan<Text, unknown>]: Scan<Text, unknown>[Name] };
type ValuesOf<Text extends string> = string extends Text
  ? [values?: Readonly<Record<string, Value>>]
  : keyof Named<Text> extends never
    ? []
    : [values: Named<Text>];

const MEANING = /^[a-z ]+\|/;
/** Quoted signs, the start of what is filled in, of a tag, and the number of the plural around it. */
const SIGN = /'(?:'|([{}<>](?:[^']|'')*)(?:'|$))|\{|<([a-z]\w*)>|#/g;
const QUOTED = /'[{}<>](?:[^']|'')*(?:'|$)/y;
const BRANCH = /\s*([^\s{}]+)\s*\{/y;

/** Returns where the brace closes that opens before `at`. */
function closing(text: string, at: number): number {
  for (let depth = 1; at < text.length; at++) {
    QUOTED.lastIndex = at;
    if (QUOTED.test(text)) at = QUOTED.lastIndex - 1;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) break;
  }
  return at;
}

const rules: Record<string, Intl.PluralRules> = {};

/** Chooses from `one {…} other {…}` by the value of a plural or select. */
function choose(branches: string, as: string, value: unknown, language: string): string {
  const found: Record<string, string> = {};
  for (let at = 0; ; ) {
    BRANCH.lastIndex = at;
    const name = BRANCH.exec(branches)?.[1];
    if (!name) break;
    const end = closing(branches, BRANCH.lastIndex);
    found[name] = branches.slice(BRANCH.lastIndex, end);
    at = end + 1;
  }
  let chosen = found[as === 'select' ? `${value}` : `=${value}`];
  if (as !== 'select') {
    rules[language] ??= new Intl.PluralRules(language);
    chosen ??= found[rules[language].select(Number(value))];
  }
  return chosen ?? found.other ?? '';
}

type Tags<Piece> = Readonly<Record<string, (inner: (Piece | string)[]) => Piece>>;

/**
 * Writes a text for the present reader, in the pieces that `tags` make something of. What is wrong in one is refused by
 * `npm run check`, not here.
 */
export function writePieces<Piece>(
  text: string,
  values: Readonly<Record<string, unknown>>,
  tags: Tags<Piece> = {},
): (Piece | string)[] {
  const { language, find } = theReader();
  const translated = find?.(text);
  // English plurals where there is no translation.
  const rulesOf = translated === undefined ? 'en' : language;
  const write = (part: string, count?: unknown): (Piece | string)[] => {
    const pieces: (Piece | string)[] = [];
    let at = 0;
    SIGN.lastIndex = 0;
    for (let found = SIGN.exec(part); found; found = SIGN.exec(part)) {
      const [sign, quoted, tag] = found;
      pieces.push(part.slice(at, found.index));
      at = SIGN.lastIndex;
      if (sign === '{') {
        const end = closing(part, at);
        const [, name = '', as, branches = ''] =
          /^\s*([^\s,]+)\s*(?:,\s*(\w+)\s*,?)?(.*)$/s.exec(part.slice(at, end)) ?? [];
        const value = values[name];
        if (as === 'number') pieces.push(formatCount(Number(value)));
        else if (as)
          pieces.push(
            ...write(choose(branches, as, value, rulesOf), as === 'plural' ? value : undefined),
          );
        else pieces.push(writeValue(value) as Piece);
        at = end + 1;
      } else if (tag) {
        const end = part.indexOf(`</${tag}>`, at);
        const inner = write(part.slice(at, end), count);
        pieces.push(...(tags[tag] ? [tags[tag](inner)] : inner));
        at = end + tag.length + 3;
      } else if (sign === '#') pieces.push(count === undefined ? sign : formatCount(Number(count)));
      else pieces.push((quoted ?? "'").replaceAll("''", "'"));
      SIGN.lastIndex = at;
    }
    pieces.push(part.slice(at));
    return pieces.filter((piece) => piece !== '');
  };
  return write(translated ?? text.replace(MEANING, ''));
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'text' in value;

const writeValue = (value: unknown): unknown =>
  isMessage(value)
    ? writeMessage(value)
    : typeof value === 'string' || typeof value === 'number'
      ? isolate(String(value))
      : value;

/** Writes a message for the present reader; a text that is no message stays as it is. */
export const writeMessage = (message: Message | string): string =>
  typeof message === 'string' ? message : writePieces(message.text, message.values ?? {}).join('');

/** Writes a sentence for the present reader. */
export const t = <Text extends string>(text: Text, ...[values]: ValuesOf<Text>): string =>
  writePieces(text, (values ?? {}) as Record<string, Value>).join('');

/** Makes a sentence that is written later, by {@link writeMessage}. */
export const msg = <Text extends string>(text: Text, ...[values]: ValuesOf<Text>): Message =>
  values === undefined ? { text } : { text, values: values as Record<string, Value> };
