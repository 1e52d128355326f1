import type { Conversation, Message } from '#contract/farm/messages/messages';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { personSelect, presentPerson, presentPersonWithRole } from '../../people/users/present.ts';

/** Includes what presenting a message needs. */
export const messageInclude = {
  sender: { select: { ...personSelect, farm: { select: { farmName: true } } } },
  receiver: { select: personSelect },
  author: { select: personSelect },
} as const satisfies Prisma.MessageInclude;

export type MessageRow = Prisma.MessageGetPayload<{ include: typeof messageInclude }>;

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
  other: { select: personSelect },
  lastMessage: { select: { id: true, content: true, createdAt: true, senderId: true } },
} as const satisfies Prisma.ConversationInclude;

export type ConversationRow = Prisma.ConversationGetPayload<{
  include: typeof conversationInclude;
}>;

/** Presents a conversation to its owner. */
export const presentConversation = (row: ConversationRow): Conversation => ({
  user: presentPersonWithRole(row.other),
  lastMessage: {
    _id: row.lastMessage.id,
    content: row.lastMessage.content,
    createdAt: row.lastMessage.createdAt.toISOString(),
    sender: row.lastMessage.senderId,
  },
  unreadCount: row.unreadCount,
});
