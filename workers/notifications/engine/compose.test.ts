import { describe, expect, it } from 'vitest';
import { costOf, handed } from '#contract/people/notifications/constants/written';
import { excerpt, nameInText, singleLine } from '#contract/platform/text/constants/excerpts';
import { isolate } from '#contract/platform/text/constants/reader';
import * as order from '../ordering/order-words.ts';
import { greeting } from './compose.ts';

describe('user-written text', () => {
  it.each([
    ['a\r\nBcc: all@farmgate.test', 'a Bcc: all@farmgate.test'],
    ['a\u2028b\u2029c\u0085d\u000be', 'a b c d e'],
    ['  a \t  b  ', 'a b'],
    ['\u202egnp.exe\u202c', 'gnp.exe'],
    ['\u2066a\u2069\u200e\u200f\u061c', 'a'],
    ['pay\u200bpal\u2060\ufeff\u00ad', 'paypal'],
    ['a\u3164\u115f\u2800b', 'a b'],
    ['tag\u{e0041}\u{e007f}', 'tag'],
    ['escape\u001b[31m', 'escape [31m'],
    // What scripts and emoji need stays.
    ['نامه\u200cای', 'نامه\u200cای'],
    ['👩\u200d🌾 ❤\ufe0f', '👩\u200d🌾 ❤\ufe0f'],
    ['Zoë O’Neil-Łukasz', 'Zoë O’Neil-Łukasz'],
  ])('%j is one line without invisible characters', (text, expected) => {
    expect(singleLine(text)).toBe(expected);
  });

  it('is truncated between characters', () => {
    expect(excerpt('🥕'.repeat(200))).toBe(`${'🥕'.repeat(139)}…`);
    expect(excerpt('short')).toBe('short');
  });

  it('takes linear time', () => {
    const long = `${'\u200b '.repeat(200_000)}a`;
    expect(singleLine(long)).toBe('a');
    expect(greeting(long)).toBe('Hello a,');
    expect(greeting(`A${'.'.repeat(200_000)}`)).toBe('Hello,');
  });
});

it('shortens names in a sentence and replaces blank ones', () => {
  expect(nameInText('Ada')).toBe('Ada');
  expect(nameInText('A'.repeat(100))).toBe(`${'A'.repeat(59)}…`);
  for (const blank of ['', ' ', '\u200b\u2800\u3164', '\u200d\u200d']) {
    expect(nameInText(blank)).toBe('Someone');
    expect(nameInText(blank, 'A product')).toBe('A product');
  }
});

describe('a greeting', () => {
  it.each([
    'Ada Lovelace',
    'J. R. Smith',
    "Zoë O'Neil",
    'Jean-Luc',
    'महात्मा गांधी',
    '李小龍',
    'نامه\u200cای',
  ])('includes the name %s', (name) => {
    expect(greeting(name)).toBe(`Hello ${isolate(name)},`);
  });

  it.each([
    'WIN http://evil.example',
    'evil.example',
    'Call 0800 555 555',
    'me@evil.example',
    '<b>Ada</b>',
    '$$$',
    'A'.repeat(61),
    '',
  ])('omits %j, which is not a plain name', (name) => {
    expect(greeting(name)).toBe('Hello,');
  });
});

it.each([
  ['2026-11-22T10:00:00.000Z', '2026-11-28', 'on Sat, Nov 28 at 9:30 AM'],
  // Said in full, because the text is read later too.
  ['2026-11-28T08:00:00.000Z', '2026-11-28', 'on Sat, Nov 28 at 9:30 AM'],
  ['2026-12-31T23:59:59.000Z', '2027-01-02', 'on Sat, Jan 2, 2027 at 9:30 AM'],
])('names the handover of an order placed at %s for %s', (createdAt, date, words) => {
  const moment = { date, time: '09:30' };
  const said = (details: object) => {
    const { way, day, time } = handed(order.handoverOf({ createdAt, ...details }));
    return `${way} on ${day} at ${time}`.replaceAll('\u202f', ' ');
  };
  expect(said({ pickupDetails: moment })).toBe(`pickup ${words}`);
  expect(said({ deliveryDetails: moment })).toBe(`delivery ${words}`);
});

it('marks a total as an estimate while something is to be weighed', () => {
  const said = (of: Parameters<typeof order.costOf>[0]) => costOf(order.costOf(of));
  expect(said({ totalAmount: 480, isTotalFinal: false })).toBe('≈ ₨480.00');
  expect(said({ totalAmount: 493.2, isTotalFinal: true })).toBe('₨493.20');
});
