import { expect, it } from 'vitest';
import type { Message } from '#contract/farm/messages/messages';
import { aUser } from '../../../platform/testing/network.ts';
import { splitLinks, threadRows } from './MessageBubble.tsx';

const me = aUser('consumer');
const other = aUser('farmer');
const message = (id: string, createdAt: string, isOwn = false, isRead = false): Message => ({
  _id: id,
  sender: isOwn ? me : other,
  receiver: isOwn ? other : me,
  content: id,
  isRead,
  createdAt,
});

it('orders rows by time, with a row for each day and one before the first unread message', () => {
  const rows = threadRows(
    [
      message('d', '2026-11-03T12:30:00'),
      message('c', '2026-11-03T12:01:00'),
      message('b', '2026-11-03T12:00:00', true, true),
      message('a', '2026-11-02T12:00:00', true),
    ],
    [
      {
        _id: 'e',
        owner: me._id,
        receiver: other._id,
        content: 'e',
        createdAt: '2026-11-03T12:31:00',
        state: 'failed',
      },
    ],
    me._id,
    'c',
  );
  const text = rows.map((row) =>
    row.kind === 'message' ? `${row.bubble._id} ${row.bubble.delivery ?? 'theirs'}` : row.kind,
  );
  expect(text).toEqual([
    'day',
    'a sent',
    'day',
    'b read',
    'unread',
    'c theirs',
    'd theirs',
    'e failed',
  ]);
});

it('groups messages of one person within minutes', () => {
  const rows = threadRows(
    [
      message('d', '2026-11-03T12:20:00'),
      message('c', '2026-11-03T12:03:00'),
      message('b', '2026-11-03T12:01:00'),
      message('a', '2026-11-03T12:00:00', true),
    ],
    [],
    me._id,
    undefined,
  );
  const firsts = rows.flatMap((row) =>
    row.kind === 'message' && row.isFirstOfGroup ? [row.bubble._id] : [],
  );
  expect(firsts).toEqual(['a', 'b', 'd']);
});

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
