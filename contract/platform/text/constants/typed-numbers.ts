import { theMarket } from '#contract/platform/market/constants';
import { numberLocale } from '#contract/platform/text/constants/formats';
import { theReader } from '#contract/platform/text/constants/reader';

// Numbers as people type them into fields, and as fields show them. Addresses, the API and what is stored hold numbers
// as JavaScript writes them.

/** What a field takes: how many decimals, and from where to where. */
export interface NumberLimits {
  decimals?: number | undefined;
  min?: number | undefined;
  max?: number | undefined;
}

/** A number that was read. `value` is NaN where nothing can be read, and while `question` is open. */
export interface TypedNumber {
  value: number;
  /** The two numbers that the text may stand for, the one by the reader's locale first. */
  question?: readonly [number, number];
}

interface Reading {
  value: number;
  /** How many decimals were typed, zeros included. */
  decimals: number;
}

type Sign = '.' | ',';

/** Direction marks and joiners, which are invisible and come along with digits that are copied. */
const INVISIBLE = /\p{Cf}/gu;
const DIGIT = /\p{Nd}/u;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfee0;

/** Signs that have several forms, by the form in which they are read. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\p{Zs}/gu, ' '],
  [/[’‘ʼ`´]/g, "'"],
  [/،/g, ','],
  [/[−‐‑‒–﹣]/g, '-'],
];

/** Groups have three digits or, in India, two before the last three; the same sign separates them all. */
const THREES = /^[1-9]\d{0,2}([ '٬.,])\d{3}(?:\1\d{3})*$/;
const INDIAN = /^[1-9]\d?(?:([ '٬.,])\d{2})(?:\1\d{2})*\1\d{3}$/;

/** Returns a text with the digits of all scripts as ASCII ones. */
export const withAsciiDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    // Digits stand in rows from zero to nine, one row or several after each other.
    while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });

const known = new Map<string, { decimal: Sign; group: string }>();

/** Returns the signs between the digits of a locale's numbers in Latin digits. */
function signsOf(locale: string): { decimal: Sign; group: string } {
  let signs = known.get(locale);
  if (!signs) {
    const latin = new Intl.Locale(locale, { numberingSystem: 'latn' });
    const parts = new Intl.NumberFormat(latin).formatToParts(12_345_678.5);
    const find = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
    signs = { decimal: find('decimal') === ',' ? ',' : '.', group: find('group') };
    known.set(locale, signs);
  }
  return signs;
}

/** Returns a text with one form of each sign, without what is invisible. */
function normalized(text: string): string {
  const narrow = text
    .replace(INVISIBLE, '')
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET));
  return FORMS.reduce(
    (all, [forms, form]) => all.replace(forms, form),
    withAsciiDigits(narrow),
  ).trim();
}

/** Reads a number whose decimals follow a sign. */
function readWith(text: string, decimal: string): Reading | undefined {
  const [whole = '', fraction = '', ...more] = text.replace(/^-/, '').split(decimal);
  if (more.length > 0 || !/^\d*$/.test(fraction) || whole + fraction === '') return undefined;
  if (!/^\d*$/.test(whole) && !THREES.test(whole) && !INDIAN.test(whole)) return undefined;
  const size = Number(`${whole.replace(/\D/g, '') || '0'}.${fraction || '0'}`);
  // Adding 0 makes 0 of -0.
  return { value: (text.startsWith('-') ? -size : size) + 0, decimals: fraction.length };
}

/** Reads a number with this sign before its decimals, or the Arabic one, which is no other's. */
const readSigned = (typed: string, decimal: Sign): Reading | undefined =>
  readWith(typed, typed.includes('٫') ? '٫' : decimal);

/** Reads a number with this sign before its decimals alone, as a file has them; undefined where it is none so. */
export const readByDecimal = (text: string, decimal: Sign): number | undefined =>
  readSigned(normalized(text), decimal)?.value;

const otherOf = (decimal: Sign): Sign => (decimal === '.' ? ',' : '.');

/** Returns what a normalized text may stand for, the likelier number first: at most two. */
function readingsOf(typed: string, locale: string): Reading[] {
  const { decimal, group } = signsOf(locale);
  const other = otherOf(decimal);
  // Where the other sign does not group, it begins decimals, as on the keypads of keyboards.
  const isOwn = typed.includes(decimal) || group === other;
  const order = isOwn ? [decimal, other] : [other, decimal];
  const found = order.flatMap((sign) => readSigned(typed, sign) ?? []);
  return found.filter(({ value }, index) => index === 0 || value !== found[0]?.value);
}

/**
 * Reads a number as it is written in a locale: '1.200,5' in `de-DE`. With the other sign for decimals only what cannot
 * be read so ('1.5' there), or does not fit the field: then it asks. Digits may be of any script.
 */
export function readNumber(text: string, locale: string, limits: NumberLimits = {}): TypedNumber {
  const { decimals = Number.POSITIVE_INFINITY, min, max } = limits;
  const fits = (reading: Reading) =>
    reading.decimals <= decimals &&
    reading.value >= (min ?? reading.value) &&
    reading.value <= (max ?? reading.value);
  const [own, other] = readingsOf(normalized(text), locale);
  if (!own) return { value: Number.NaN };
  if (other && !fits(own) && fits(other)) {
    return { value: Number.NaN, question: [own.value, other.value] };
  }
  return { value: own.value };
}

/**
 * Reads weights with '+' between them: '1.37', '192+167'. Undefined where one cannot be read. They have the same sign
 * for decimals, where that can be; `isLikely` decides which one by what they come to.
 */
export function readWeights(
  text: string,
  locale: string,
  isLikely: (weights: number[]) => boolean,
): number[] | undefined {
  const parts = text.split(/[+＋]/).map(normalized);
  const { decimal } = signsOf(locale);
  const readings = [
    parts.map((part) => readSigned(part, decimal)),
    parts.map((part) => readSigned(part, otherOf(decimal))),
    parts.map((part) => readingsOf(part, locale)[0]),
  ].flatMap((each) => {
    const weights = each.flatMap((reading) => reading?.value ?? []);
    return weights.length === parts.length && weights.every((weight) => weight >= 0)
      ? [weights]
      : [];
  });
  return readings.find(isLikely) ?? readings[0];
}

/** Writes a number for a field, without groups, so that it is read again as the same; nothing for none. */
export function writeNumber(
  value: number | null | undefined,
  locale: string,
  decimals?: number,
): string {
  if (value == null || !Number.isFinite(value)) return '';
  const digits = new Intl.NumberFormat('en', {
    useGrouping: false,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals ?? 20,
  }).format(value);
  return digits.replace('.', signsOf(locale).decimal);
}

const typedLocale = (): string => numberLocale(theMarket(), theReader().language);

/** Reads a number as its reader is shown numbers. */
export const readTyped = (text: string, limits?: NumberLimits): TypedNumber =>
  readNumber(text, typedLocale(), limits);

/** Writes a number for a field as its reader is shown numbers. */
export const writeTyped = (value: number | null | undefined, decimals?: number): string =>
  writeNumber(value, typedLocale(), decimals);

/** Formats an amount for a field that is typed into: '1200.00', with a comma where the market writes one. */
export const formatPlainAmount = (amount: number): string =>
  writeTyped(amount, theMarket().currency.decimals);
