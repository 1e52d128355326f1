import bidiFactory from 'bidi-js';
import { fontWith, hanOf, type PaperFont, type Weight } from './fonts.ts';

// From a text to lines of glyphs: which font has what, in which order it is read, where it may break.

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });
const ELLIPSIS = '…';

/** What a reader sees as one character. */
export interface Character {
  text: string;
  font: PaperFont;
  /** Of the Unicode Bidirectional Algorithm: odd from right to left. */
  level: number;
}

/** A part of a text before its directions are known; without a font it only tells directions. */
interface Part {
  text: string;
  font: PaperFont | undefined;
}

/** Controls of direction, which are not drawn. */
const IS_DIRECTION = /^\p{Bidi_Control}$/u;
/** Joiners and variants, which fonts need not have. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Pictures, of which paper shows none; signs such as © are letters here. */
const IS_EMOJI = /^(?![©®™‼⁉ℹ↔-↪])[\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

/**
 * Returns a text's characters with their fonts, without what no font has: that is drawn in its simpler form (𝐀 as A),
 * else without its marks, else left out, as are emoji. Line breaks and other controls become spaces. What stands between
 * others is ordered as its document is read; from left to right, a text that begins from the right is so as a whole.
 */
export async function charactersOf(
  text: string,
  weight: Weight,
  direction: 'ltr' | 'rtl' = 'ltr',
): Promise<Character[]> {
  const whole = text.normalize('NFC').replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
  const han = hanOf(whole);
  const found = new Map<string, Part[]>();
  const find = async (part: string, isSimplified = false): Promise<Part[]> => {
    if (IS_DIRECTION.test(part)) return [{ text: part, font: undefined }];
    if (IS_EMOJI.test(part) || part.replace(IGNORABLE, '') === '') return [];
    const font = await fontWith(part.replace(IGNORABLE, ''), weight, han);
    if (font) return [{ text: part, font }];
    if (isSimplified) return [];
    const composed = part.normalize('NFKC');
    const simple = composed === part ? part.normalize('NFKD').replace(/\p{M}/gu, '') : composed;
    const all = [...graphemes.segment(simple)].map(({ segment }) => find(segment, true));
    return (await Promise.all(all)).flat();
  };
  const parts: Part[] = [];
  let shown: Part | undefined;
  for (const { segment } of graphemes.segment(whole)) {
    const known = found.get(segment) ?? (await find(segment));
    found.set(segment, known);
    for (const part of known) {
      // What is left out leaves two spaces.
      if (isSpace(part) && (!shown || isSpace(shown))) continue;
      parts.push(isSpace(part) ? joinSpace(part, shown) : part);
      if (part.font) shown = part;
    }
  }
  return trim(withLevels(parts, direction));
}

/** Finds the direction of each character, after the Unicode Bidirectional Algorithm. */
function withLevels(parts: readonly Part[], direction: 'ltr' | 'rtl'): Character[] {
  const { levels } = bidi.getEmbeddingLevels(
    parts.map(({ text }) => text).join(''),
    direction === 'rtl' ? 'rtl' : 'auto',
  );
  let at = 0;
  return parts.flatMap(({ text, font }) => {
    const level = levels[at] ?? 0;
    at += text.length;
    return font ? [{ text, font, level }] : [];
  });
}

const isSpace = ({ text }: Part): boolean => /^\s$/u.test(text);

/** Draws a space in the font of what it follows, so that words are read and copied together. */
const joinSpace = (space: Part, before: Part | undefined): Part =>
  before?.font?.has(SPACE) ? { text: ' ', font: before.font } : space;
const SPACE = 0x20;

/** Returns a line without spaces at its ends. */
export function trim(line: readonly Character[]): Character[] {
  const from = line.findIndex((character) => !isSpace(character));
  return from < 0 ? [] : line.slice(from, line.findLastIndex((each) => !isSpace(each)) + 1);
}

/** A part of a line in one font and direction. */
interface Run {
  font: PaperFont;
  text: string;
  level: number;
  /** Both for a size of 1; `x` from the left end of the line. */
  x: number;
  width: number;
}

/** A line, laid out for a size of 1. */
export interface Line {
  /** In the order in which they are read, and so copied. */
  runs: readonly Run[];
  width: number;
}

/** Puts the runs of a line beside each other. */
export function layOut(characters: readonly Character[]): Line {
  const runs: Run[] = [];
  for (const { text, font, level } of characters) {
    const last = runs.at(-1);
    if (last?.font === font && last.level === level) last.text += text;
    else runs.push({ font, text, level, x: 0, width: 0 });
  }
  for (const run of runs) {
    run.width = run.font.shape(run.text, run.level % 2 === 1).advanceWidth / 1000;
  }
  let x = 0;
  for (const run of inVisualOrder(runs)) {
    run.x = x;
    x += run.width;
  }
  return { runs, width: x };
}

/** Rule L2: whatever is at a level or above it is reversed, from the highest level down. */
function inVisualOrder(runs: readonly Run[]): Run[] {
  const order = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while ((order[to]?.level ?? -1) >= level) to++;
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = to;
    }
  }
  return order;
}

/** Cuts a line that is wider than this, for a size of 1, with an ellipsis. */
export async function cut(
  line: readonly Character[],
  width: number,
  weight: Weight,
): Promise<Character[]> {
  if (layOut(line).width <= width) return [...line];
  const ellipsis = await charactersOf(ELLIPSIS, weight);
  const shortened = (count: number) => {
    const kept = trim(line.slice(0, count));
    // It stands where the text would go on.
    const level = kept.at(-1)?.level ?? 0;
    return [...kept, ...ellipsis.map((each) => ({ ...each, level }))];
  };
  return shortened(countOf(line, (count) => layOut(shortened(count)).width <= width));
}

/** Returns how many characters of a line fit, of those before its last. */
function countOf(line: readonly Character[], fits: (count: number) => boolean): number {
  let [fitting, tooMany] = [0, line.length];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}

/** Closing signs, which no line begins with, and opening ones, which none ends with. */
const STICKS_TO_LAST = /^[\p{Pe}\p{Pf}\p{Po}\p{Pd}\p{M}]/u;
const STICKS_TO_NEXT = /[\p{Ps}\p{Pi}]$/u;
/** Scripts that are written without spaces. */
const UNSPACED = /[\p{scx=Thai}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;

/** Returns before which characters a line may break. */
function breaksOf(characters: readonly Character[]): number[] {
  const starts = new Map<number, number>();
  let length = 0;
  for (const [index, { text }] of characters.entries()) {
    starts.set(length, index);
    length += text.length;
  }
  const breaks: number[] = [];
  let before = '';
  for (const { segment, index } of words.segment(characters.map(({ text }) => text).join(''))) {
    const at = starts.get(index);
    const isBetweenWords = /\s$/u.test(before) && !/^\s/u.test(segment);
    const isUnspaced = UNSPACED.test(before.slice(-1)) || UNSPACED.test(segment.slice(0, 1));
    const isHeld =
      STICKS_TO_LAST.test(segment) || STICKS_TO_NEXT.test(before) || /^\s/u.test(segment);
    if (at && (isBetweenWords || (isUnspaced && !isHeld))) breaks.push(at);
    before = segment;
  }
  return [...breaks, characters.length];
}

/** Breaks a text into lines of at most this width, for a size of 1; the last one may be cut. */
export async function wrap(
  characters: readonly Character[],
  width: number,
  lines: number,
  weight: Weight,
): Promise<Character[][]> {
  const breaks = breaksOf(characters);
  const wrapped: Character[][] = [];
  let from = 0;
  while (from < characters.length) {
    const rest = trim(characters.slice(from));
    if (wrapped.length === lines - 1) return [...wrapped, await cut(rest, width, weight)];
    const fits = (to: number) => layOut(trim(characters.slice(from, to))).width <= width;
    let to = breaks.filter((each) => each > from).findLast(fits);
    // A word that is too long for a line is broken anywhere.
    to ??=
      from +
      Math.max(
        1,
        countOf(characters.slice(from), (count) => fits(from + count)),
      );
    wrapped.push(trim(characters.slice(from, to)));
    from = to;
  }
  return wrapped;
}
