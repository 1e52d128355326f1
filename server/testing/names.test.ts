import { describe, expect, it } from 'vitest';
import { isOneLine, oneLine } from '#contract/http';

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
    expect(oneLine(100, 'Name is required').parse(name)).toBe(name);
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
    const { success, data } = oneLine(100, 'Name is required').safeParse(`${hidden}Green${hidden}`);
    expect(success ? data : 'Green').toBe('Green');
  });

  it('rejects a name without visible characters', () => {
    for (const blank of ['', '  ', '\u200d', '\u3164', '\u{E0041}', '\u00a0']) {
      expect(oneLine(100, 'Name is required').safeParse(blank).success).toBe(false);
    }
  });

  it('takes linear time for hostile input', () => {
    const started = performance.now();
    isOneLine('👩‍'.repeat(20_000));
    isOneLine('ا\u200c'.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
