import { expect, it } from 'vitest';
import { splitLinks } from './thread/MessageBubble.tsx';

it('finds URLs without the punctuation around them', () => {
  expect(splitLinks('See https://farm.test/a?b=1, or (http://x.test).')).toEqual([
    { text: 'See ' },
    { text: 'https://farm.test/a?b=1', href: 'https://farm.test/a?b=1' },
    { text: ', or (' },
    { text: 'http://x.test', href: 'http://x.test/' },
    { text: ').' },
  ]);
});

it.each([
  'javascript:alert(1)',
  'data:text/html,<b>x</b>',
  'ftp://files.test/x',
  'no address at all',
  'https://',
])('makes no link of %s', (content) => {
  expect(splitLinks(content).every((piece) => piece.href === undefined)).toBe(true);
  expect(splitLinks(content).map((piece) => piece.text)).toEqual([content]);
});
