import type { Conversation, Correspondent, Message } from '#contract/farm/messages/messages';
import { msg } from '#contract/platform/text/constants/texts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import {
  type PersonRow,
  personSelect,
  presentPerson,
  presentPersonWithRole,
} from '../../people/users/present.ts';
import { NEWEST_FIRST } from '../../platform/http/cursor.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';

/** Includes what presenting a message needs. */
export const messageInclude = {
  sender: { select: { ...personSelect, farm: { select: { farmName: true } } } },
  receiver: { select: personSelect },
  author: { select: personSelect },
} as const satisfies Prisma.MessageInclude;

type MessageRow = Prisma.MessageGetPayload<{ include: typeof messageInclude }>;

/** Presents a message to its two parties. */
export const presentMessage = (row: MessageRow): Message => ({
  _id: row.id,
  sender: presentPerson(row.sender),
  receiver: presentPerson(row.receiver),
  ...(row.author
    ? { author: { ...presentPerson(row.author), farmName: row.sender.farm?.farmName ?? '' } }
    : {}),
  content: row.content,
  isRead: row.readAt !== null,
  createdAt: row.createdAt.toISOString(),
  ...(row.relatedOrderId === null ? {} : { relatedOrder: row.relatedOrderId }),
});

/** Includes what presenting a conversation needs. */
export const conversationInclude = {
  other: { select: { ...personSelect, farm: { select: { farmName: true } } } },
  lastMessage: { select: { id: true, content: true, createdAt: true, senderId: true } },
} as const satisfies Prisma.ConversationInclude;

type ConversationRow = Prisma.ConversationGetPayload<{
  include: typeof conversationInclude;
}>;

/** Presents whom somebody writes with; `farmName` is that of their farm. */
export const presentCorrespondent = (
  row: PersonRow,
  farmName: string | null | undefined,
): Correspondent => ({
  ...presentPersonWithRole(row),
  ...(farmName && !row.deletedAt && { farmName }),
});

/** Presents a conversation to its owner. */
export const presentConversation = (row: ConversationRow): Conversation => ({
  user: presentCorrespondent(row.other, row.other.farm?.farmName),
  lastMessage: {
    _id: row.lastMessage.id,
    content: row.lastMessage.content,
    createdAt: row.lastMessage.createdAt.toISOString(),
    sender: row.lastMessage.senderId,
  },
  unreadCount: row.unreadCount,
});

/**
 * Returns a message with up to `count` before and after it between the same two people, in time order. Anyone who
 * calls this decides whether the reader may see them.
 * @throws 404 for an unknown message
 */
export async function readMessagesAround(
  { db }: Platform,
  id: string,
  count: number,
): Promise<Message[]> {
  const message = await db.message.findUnique({ where: { id }, include: messageInclude });
  if (!message) throw notFound(msg('Message not found'));
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
