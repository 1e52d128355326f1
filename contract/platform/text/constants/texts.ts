import { formatCount } from '#contract/platform/text/constants/formats';
import { type Catalogue, keyOf, theReader } from '#contract/platform/text/constants/reader';

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

/** The texts of a message, with what stands between them. */
type Part =
  | string
  | { name: string; as: 'value' | 'number' }
  | Choice
  | { name: string; as: 'tag'; parts: Part[] };

interface Choice {
  name: string;
  as: 'plural' | 'selectordinal' | 'select';
  branches: Record<string, Part[]>;
}

/** The number of the plural around it. */
const COUNT: Part = { name: '#', as: 'number' };

const MEANING = /^[a-z ]+\|/;
const PLAIN = /[^'{}<#]+/y;
const QUOTED = /'(?:'|([{}<>](?:[^']|'')*)(?:'|$))/y;
const NAMED = /\{\s*([^\s,}]+)\s*(?:\}|,\s*(\w+)\s*(?:\}|,))/y;
const BRANCH = /\s*([^\s{}]+)\s*\{/y;
const END = /\s*\}/y;
const TAG = /<([a-z]\w*)>/y;
const END_TAG = /<\/\w+>/y;

/** Takes a message apart. What is wrong in one is refused by `npm run check`, not here. */
function parse(text: string): Part[] {
  let at = 0;
  const take = (expression: RegExp) => {
    expression.lastIndex = at;
    const found = expression.exec(text);
    if (found) at = expression.lastIndex;
    return found;
  };
  const parts = (isCounted: boolean): Part[] => {
    const found: Part[] = [];
    const add = (plain: string) => {
      const last = found.length - 1;
      if (typeof found[last] === 'string') found[last] += plain;
      else found.push(plain);
    };
    while (at < text.length && text[at] !== '}') {
      const plain = take(PLAIN);
      const quoted = plain ? null : take(QUOTED);
      const named = plain || quoted ? null : take(NAMED);
      const [, name = '', as = 'value'] = named ?? [];
      if (plain) add(plain[0]);
      else if (quoted) add((quoted[1] ?? "'").replaceAll("''", "'"));
      else if (named && (as === 'value' || as === 'number')) found.push({ name, as });
      else if (named) {
        const branches: Record<string, Part[]> = {};
        for (let branch = take(BRANCH); branch; branch = take(BRANCH)) {
          branches[branch[1] ?? ''] = parts(as !== 'select');
          at++;
        }
        take(END);
        found.push({ name, as: as as Choice['as'], branches });
      } else if (isCounted && text[at] === '#') {
        found.push(COUNT);
        at++;
      } else if (take(END_TAG)) break;
      else {
        const tag = take(TAG);
        if (tag) found.push({ name: tag[1] ?? '', as: 'tag', parts: parts(isCounted) });
        else add(text[at++] ?? '');
      }
    }
    return found;
  };
  return parts(false);
}

/** A message that is ready to be written: its text in the reader's language, or in English where there is none. */
interface Ready {
  parts: Part[];
  /** The language of `parts`, which decides on its plurals. */
  language: string;
}

const readyIn = new WeakMap<Catalogue, Map<string, Ready>>();

function prepare(text: string): Ready {
  const { language, catalogue } = theReader();
  const known = readyIn.get(catalogue) ?? new Map<string, Ready>();
  readyIn.set(catalogue, known);
  let found = known.get(text);
  if (!found) {
    const translated = catalogue[keyOf(text)];
    found = {
      parts: parse(translated ?? text.replace(MEANING, '')),
      language: translated === undefined ? 'en' : language,
    };
    known.set(text, found);
  }
  return found;
}

const rules: Record<string, Intl.PluralRules> = {};

function branchOf({ as, branches }: Choice, value: unknown, language: string): readonly Part[] {
  const type = as === 'plural' ? 'cardinal' : 'ordinal';
  const key = `${language} ${type}`;
  rules[key] ??= new Intl.PluralRules(language, { type });
  const found =
    as === 'select'
      ? branches[String(value)]
      : (branches[`=${value}`] ?? branches[rules[key].select(Number(value))]);
  return found ?? branches.other ?? [];
}

/**
 * Writes a text for the present reader, in the pieces that `tags` make something of.
 * @internal
 */
export function writePieces<Piece>(
  text: string,
  values: Readonly<Record<string, unknown>>,
  tags: Readonly<Record<string, (inner: (Piece | string)[]) => Piece>> = {},
): (Piece | string)[] {
  const { parts, language } = prepare(text);
  const write = (each: readonly Part[], count: unknown): (Piece | string)[] =>
    each.flatMap((part) => {
      if (typeof part === 'string') return part;
      if (part === COUNT) return formatCount(Number(count));
      const value = values[part.name];
      if ('branches' in part) return write(branchOf(part, value, language), value);
      if (part.as === 'tag') {
        const inner = write(part.parts, count);
        return tags[part.name]?.(inner) ?? inner;
      }
      return part.as === 'number' ? formatCount(Number(value)) : (writeValue(value) as Piece);
    });
  return write(parts, undefined);
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'text' in value;

const writeValue = (value: unknown): unknown =>
  isMessage(value) ? writeMessage(value) : typeof value === 'number' ? String(value) : value;

/** Writes a message for the present reader; a text that is no message stays as it is. */
export const writeMessage = (message: Message | string): string =>
  typeof message === 'string' ? message : writePieces(message.text, message.values ?? {}).join('');

/** Writes a sentence for the present reader. */
export const t = <Text extends string>(text: Text, ...[values]: ValuesOf<Text>): string =>
  writePieces(text, (values ?? {}) as Record<string, Value>).join('');

/** Makes a sentence that is written later, by {@link writeMessage}. */
export const msg = <Text extends string>(text: Text, ...[values]: ValuesOf<Text>): Message =>
  values === undefined ? { text } : { text, values: values as Record<string, Value> };
