import type { Message } from '#contract/farm/messages/messages';
import { NEWEST_FIRST } from '../../platform/http/cursor.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { messageInclude, presentMessage } from './present.ts';

/**
 * Returns a message with up to `count` before and after it between the same two people, in time order. Whoever
 * calls this decides whether the reader may see them.
 * @throws 404 for an unknown message
 */
export async function readMessagesAround(
  { db }: Platform,
  id: string,
  count: number,
): Promise<Message[]> {
  const message = await db.message.findUnique({ where: { id }, include: messageInclude });
  if (!message) throw notFound('Message not found');
  const { senderId, receiverId, createdAt } = message;
  const between = {
    OR: [
      { senderId, receiverId },
      { senderId: receiverId, receiverId: senderId },
    ],
  };
  const [before, after] = await Promise.all([
    // Messages of a thread have distinct times.
    db.message.findMany({
      where: { ...between, createdAt: { lt: createdAt } },
      orderBy: [...NEWEST_FIRST],
      take: count,
      include: messageInclude,
    }),
    db.message.findMany({
      where: { ...between, createdAt: { gt: createdAt } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: count,
      include: messageInclude,
    }),
  ]);
  return [...before.reverse(), message, ...after].map(presentMessage);
}
