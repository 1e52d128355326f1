import { type Worded, wordsOf } from '#contract/people/notifications/constants/words';
import { excerpt, singleLine } from '#contract/platform/text/constants/excerpts';
import { t } from '#contract/platform/text/constants/texts';
import type { Names } from '../../../server/people/notifications/present.ts';
import { plainName } from './compose.ts';

/** The longest text message, in UTF-16 code units: about what two messages of the oldest alphabet hold. */
export const TEXT_MAX = 320;

/** The most of anything that somebody wrote. */
const USER_TEXT_MAX = 60;

/** Characters outside of the alphabet of GSM 03.38 by what they are in it: one of them halves what a message holds. */
const PLAIN: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
  '→': '->',
  '×': 'x',
  '₨': '₨'.normalize('NFKC'),
};

/**
 * Returns a text on one line, without characters that are invisible, and in plain ones where all of it can be: in
 * another script nothing is gained.
 */
function plain(text: string): string {
  const line = singleLine(text);
  const changed = line.replace(/[‘’“”„–—−…→×₨]/g, (character) => PLAIN[character] ?? character);
  return /^[\u0020-\u00ff]*$/.test(changed) ? changed : line;
}

/** Returns the start of a text, at most `max` code units. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let start = '';
  for (const character of text) {
    if (start.length + character.length > max - 3) break;
    start += character;
  }
  return max < 4 ? '' : `${start.trimEnd()}...`;
}

/** Words that a phone would make a link of. */
const LINKS = /\S*(?::\/\/|[.．。｡]\p{L}[\p{L}\p{M}]|(?:\d+\.){3}\d)\S*/gu;

/** Returns params with what people wrote in them short and without links. */
function defused(value: unknown): unknown {
  if (typeof value === 'string') return excerpt(value, USER_TEXT_MAX).replace(LINKS, '…');
  if (Array.isArray(value)) return value.map(defused);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, defused(each)]));
}

/** Returns names of which each is a plain one or empty, so that nobody texts a link or a number by theirs. */
export const plainNames = (names: Names): Names =>
  new Map(
    [...names].map(([id, { name, farmName }]) => [
      id,
      { name: plainName(name) ?? '', farmName: plainName(farmName) ?? '' },
    ]),
  );

/** Returns what a text message says of something, and of so many others that go with it, to the present reader. */
export function textOf({ kind, link, ...said }: Worded & { link: string }, more = 0): string {
  const { title, body } = wordsOf({ kind, ...(defused(said) as Omit<Worded, 'kind'>) });
  const head = cut(plain(title), TEXT_MAX - link.length - 1);
  const room = TEXT_MAX - head.length - link.length - 2;
  const whole = (shown: string) =>
    more > 0 ? plain(t('{body} (and {count} more)', { body: shown, count: more })) : shown;
  const shown = whole(cut(plain(body), room - whole('').length));
  return [head, shown.length > room ? '' : shown, link].filter(Boolean).join('\n');
}
