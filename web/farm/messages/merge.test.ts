import { describe, expect, it, vi } from 'vitest';
import type { Message } from '#contract/farm/messages/messages';
import { unreadCountOf } from '../../people/model/unread.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { createQueryClient } from '../../platform/queries/query-client.ts';
import { aUser } from '../../platform/testing/network.ts';
import { mergeMessage, mergeRead } from './merge.ts';
import { conversationsQuery, threadQuery } from './queries.ts';

const me = aUser('consumer', 'Cora');
const other = aUser('farmer', 'Finn');
const third = aUser('admin', 'Ada');
const person = ({ _id, name }: typeof me) => ({ _id, name });
const at = (minute: number) => `2026-11-02T10:${String(minute).padStart(2, '0')}:00.000Z`;

const message = (number: number, isOwn: boolean, over: Partial<Message> = {}): Message => ({
  _id: `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`,
  sender: person(isOwn ? me : other),
  receiver: person(isOwn ? other : me),
  content: `Words ${number}`,
  isRead: false,
  createdAt: at(number),
  ...over,
});

const conversation = (user: typeof me, minute: number, unreadCount = 0) => ({
  _id: user._id,
  user: { ...person(user), role: user.role },
  lastMessage: {
    _id: `00000000-0000-4000-9000-${String(minute).padStart(12, '0')}`,
    content: `Words ${minute}`,
    createdAt: at(minute),
    sender: user._id,
  },
  unreadCount,
});

/** Returns a cache with two conversations and the newest page of one thread. */
function aCache(unreadCount = 1) {
  const cache = createQueryClient();
  cache.setQueryData(conversationsQuery().queryKey, {
    pages: [
      {
        success: true,
        data: [conversation(third, 20), conversation(other, 10, 1)],
        count: 2,
        nextCursor: null,
        unreadCount,
      },
    ],
    pageParams: [null],
  });
  cache.setQueryData(threadQuery(other._id).queryKey, {
    pages: [
      {
        success: true,
        data: [message(10, false), message(9, true)],
        count: 2,
        nextCursor: 'more',
        user: { ...person(other), role: 'farmer' },
        mayWrite: true,
      },
    ],
    pageParams: [null],
  });
  return cache;
}
type Cache = ReturnType<typeof aCache>;
const thread = (cache: Cache) =>
  itemsOf<Message>(cache.getQueryData(threadQuery(other._id).queryKey));
const list = (cache: Cache) => cache.getQueryData(conversationsQuery().queryKey);
const words = (cache: Cache) => thread(cache).map(({ content }) => content);

describe('a message', () => {
  it('of my own, from another tab, is not unread', () => {
    const cache = aCache();
    mergeMessage(cache, message(30, true), me._id);
    expect(words(cache)[0]).toBe('Words 30');
    expect(unreadCountOf(list(cache))).toBe(1);
  });

  it('is inserted by its time, but not behind the loaded part', () => {
    const cache = aCache();
    mergeMessage(cache, message(30, false), me._id);
    mergeMessage(cache, message(20, true), me._id);
    mergeMessage(cache, message(1, true), me._id);
    expect(words(cache)).toEqual(['Words 30', 'Words 20', 'Words 10', 'Words 9']);
  });

  it('that was read stays read', () => {
    const cache = aCache();
    mergeRead(cache, { reader: me._id, sender: other._id, at: at(10) }, me._id);
    mergeMessage(cache, message(10, false), me._id);
    expect(thread(cache)[0]).toMatchObject({ content: 'Words 10', isRead: true });
  });
});

describe('a receipt', () => {
  it("of mine marks the other's messages until then and clears the count", () => {
    const cache = aCache();
    mergeRead(cache, { reader: me._id, sender: other._id, at: at(10) }, me._id);
    expect(thread(cache).map(({ isRead }) => isRead)).toEqual([true, false]);
    expect(unreadCountOf(list(cache))).toBe(0);
  });

  it('of theirs marks my messages until then and keeps my count', () => {
    const cache = aCache();
    mergeMessage(cache, message(40, true), me._id);
    mergeRead(cache, { reader: other._id, sender: me._id, at: at(12) }, me._id);
    expect(thread(cache).map(({ isRead }) => isRead)).toEqual([false, false, true]);
    expect(unreadCountOf(list(cache))).toBe(1);
  });
});

describe('the unread count', () => {
  const unknown = {
    ...aUser('farmer', 'Far Away'),
    _id: '00000000-0000-4000-8000-000000000077',
  };
  const isRefetched = (cache: Cache) =>
    vi.waitFor(() =>
      expect(cache.getQueryState(conversationsQuery().queryKey)?.isInvalidated).toBe(true),
    );

  it('covers all conversations, loaded or not', () => {
    const cache = aCache(150);
    expect(unreadCountOf(list(cache))).toBe(150);
    mergeMessage(cache, message(30, false), me._id);
    mergeMessage(cache, message(30, false), me._id);
    expect(unreadCountOf(list(cache))).toBe(151);
    mergeRead(cache, { reader: me._id, sender: other._id, at: at(30) }, me._id);
    mergeRead(cache, { reader: me._id, sender: other._id, at: at(30) }, me._id);
    expect(unreadCountOf(list(cache))).toBe(149);
  });

  it('is refetched when a conversation was read that is not loaded', async () => {
    const cache = aCache(150);
    mergeRead(cache, { reader: me._id, sender: unknown._id, at: at(30) }, me._id);
    await isRefetched(cache);
  });
});
