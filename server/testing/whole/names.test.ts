import { describe, expect, it } from 'vitest';
import { oneLine, optionalLine, requiredText } from '#contract/platform/http/http';
import { cleanText, isOneLine } from '#contract/platform/text/constants/text';
import { t } from '#contract/platform/text/constants/texts';
import { scaled } from '../../../testing/until.ts';

/** Texts in which nothing is visible, though many are longer than what `trim` leaves. */
const BLANK = [
  '',
  '  ',
  '\u00a0\u3000',
  '\u200b\u200b',
  '\u200d',
  '\u2060\ufeff',
  '\u2800',
  '\u2800 \u2800',
  '\u3164',
  '\u115f\u1160',
  '\uffa0',
  '\u00ad',
  '\u202e\u202c',
  '\u2028',
  '\u0301',
  '\ufe0f',
  '\u180e',
  '\u{E0041}',
  '\u001b\u0007',
];

describe('a name on one line', () => {
  it.each([
    ['apostrophes and hyphens', "Zoë O'Neill-Smythe"],
    ['typographic quotes', '“Hill” Farm’s № 1'],
    ['letters with separate accents', 'e\u0301a\u0308'],
    ['Arabic', 'محمد علي'],
    ['Persian with a non-joiner between letters', 'علی\u200cرضا'],
    ['Hebrew with points', 'שָׁלוֹם'],
    ['Hindi with a joiner after a virama', 'क्\u200dष'],
    ['Bengali with a joiner before a virama', 'র\u200d্য'],
    ['Sinhala with a joiner after a virama', 'ශ්\u200dරී'],
    ['Tamil and Thai', 'தமிழ் ไทย'],
    ['Han with a variant', '辻\u{E0100}さん'],
    ['Hangul', '농장'],
    ['letters of four bytes', '𝒻𝒶𝓇𝓂𠜎'],
    ['emoji of many parts', '👩‍🌾👩🏽‍🌾🏴‍☠️🇦🇹❤️'],
    ['the flag of Scotland', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['a keycap', '1️⃣'],
    ['a wide space inside', '農場　一'],
  ])('takes %s', (_, name) => {
    expect(oneLine(100, () => t('Name is required')).parse(name)).toBe(name);
  });

  it.each([
    ['NUL', '\u0000'],
    ['a line feed', '\n'],
    ['a carriage return', '\r'],
    ['a tab', '\t'],
    ['a vertical tab', '\u000b'],
    ['escape', '\u001b'],
    ['delete', '\u007f'],
    ['a control character of the second set', '\u0085'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
    ...[...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'].map((mark) => [
      `the bidi control U+${mark.charCodeAt(0).toString(16)}`,
      mark,
    ]),
    ['a left-to-right mark', '\u200e'],
    ['a zero-width space', '\u200b'],
    ['a non-joiner between Latin letters', '\u200c'],
    ['a joiner between Latin letters', '\u200d'],
    ['a word joiner', '\u2060'],
    ['a byte order mark', '\ufeff'],
    ['a soft hyphen', '\u00ad'],
    ['a Hangul filler', '\u3164'],
    ['a combining grapheme joiner', '\u034f'],
    ['a tag', '\u{E0041}'],
    ['a variation selector on a letter', '\ufe0f'],
    ['an annotation mark', '\ufff9'],
  ])('refuses %s', (_, hidden) => {
    expect(isOneLine(`Green${hidden}Valley`)).toBe(false);
    // At either end white space is trimmed, and everything else refused too.
    const { success, data } = oneLine(100, () => t('Name is required')).safeParse(
      `${hidden}Green${hidden}`,
    );
    expect(success ? data : 'Green').toBe('Green');
  });

  it.each(BLANK)('rejects %j, in which nothing is visible', (blank) => {
    expect(oneLine(100, () => t('Name is required')).safeParse(blank).success).toBe(false);
  });

  it('takes linear time for hostile input', () => {
    const started = performance.now();
    isOneLine('👩‍'.repeat(20_000));
    isOneLine('ا\u200c'.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(scaled(5000));
  });
});

describe('a text of several lines', () => {
  it.each(BLANK)('is missing if it is %j', (blank) => {
    expect(
      requiredText(100, () => t('Write something.')).safeParse(blank).error?.issues[0]?.message,
    ).toBe('Write something.');
  });

  it.each([
    ['line breaks', 'eggs\n\nmilk', 'eggs\n\nmilk'],
    [
      'line breaks of other systems',
      'a\r\nb\rc\u2028d\u2029e\u0085f\u000bg',
      'a\nb\nc\nd\ne\nf\ng',
    ],
    ['a tab', 'eggs\tmilk', 'eggs milk'],
    ['controls', 'eg\u0007gs\u001b[31m\u009b', 'eggs[31m'],
    ['overrides', '\u202e1,200\u202c and \u202dmore', '1,200 and more'],
    ['isolates and embeddings', '\u2067a\u2069\u2066b\u2069\u2068c\u202ad\u202be', 'abcde'],
    ['a phone number out of an address book', '\u202a+49 151 234\u202c', '+49 151 234'],
    ['direction marks', 'سعر\u200f 5\u200e kg\u061c.', 'سعر\u200f 5\u200e kg\u061c.'],
    ['joiners of a script', 'علی\u200cرضا क्\u200dष 👩‍🌾', 'علی\u200cرضا क्\u200dष 👩‍🌾'],
    ['word breaks of Thai', 'ตลาด\u200bสด', 'ตลาด\u200bสด'],
    ['spaces at the ends, behind what is taken out', '\u202e  eggs \u202c ', 'eggs'],
  ])('keeps what is needed of %s', (_, typed, stored) => {
    expect(requiredText(100, () => t('Write something.')).parse(typed)).toBe(stored);
    expect(cleanText(stored)).toBe(stored);
  });

  it('counts its characters once it is cleaned', () => {
    expect(requiredText(3, () => t('Write something.')).safeParse('\u202eabc\u202c').success).toBe(
      true,
    );
    expect(optionalLine(3).safeParse('abcd').success).toBe(false);
  });
});
