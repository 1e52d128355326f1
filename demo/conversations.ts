import type { Prisma } from '../prisma/generated/client.ts';
import { type DemoThread, threads } from './data/threads.ts';
import { farmIdOf, idOf } from './ids.ts';
import type { DemoOrder } from './orders.ts';
import { before, HOUR_MS, MINUTE_MS } from './times.ts';

type MessageRow = Prisma.MessageCreateManyInput & { createdAt: Date };

/** The messages, and each side's row of the conversation. */
export interface DemoConversations {
  messages: MessageRow[];
  conversations: Prisma.ConversationCreateManyInput[];
}

/** Creates all conversations of the demo market. */
export function makeConversations(orders: readonly DemoOrder[], now: Date): DemoConversations {
  const created = threads.map((thread) => makeThread(thread, orders, now));
  return {
    messages: created.flatMap(({ messages }) => messages),
    conversations: created.flatMap(({ conversations }) => conversations),
  };
}

function makeThread(
  thread: DemoThread,
  orders: readonly DemoOrder[],
  now: Date,
): DemoConversations {
  const people = { F: farmIdOf(thread.farm), O: idOf('user', thread.with) };
  // Orders are sorted newest first.
  const order = orders.find(
    ({ order }) => order.farmerId === people.F && order.consumerId === people.O,
  );

  const messages = thread.messages.map(([by, hoursAgo, content], index): MessageRow => {
    const isRead = index < thread.messages.length - thread.unread;
    return {
      id: idOf('message', `${thread.farm} ${thread.with} ${index}`),
      senderId: people[by],
      receiverId: people[by === 'F' ? 'O' : 'F'],
      authorId: by === 'F' && thread.writtenBy ? idOf('user', thread.writtenBy) : null,
      content,
      relatedOrderId: (thread.isAboutOrder && index === 0 && order?.order.id) || null,
      createdAt: before(now, hoursAgo * HOUR_MS),
      readAt: isRead ? before(now, hoursAgo * HOUR_MS - 4 * MINUTE_MS) : null,
    };
  });

  const last = messages.at(-1);
  if (!last) return { messages: [], conversations: [] };
  const viewOf = (userId: string, otherId: string) => ({
    userId,
    otherId,
    lastMessageId: last.id,
    lastMessageAt: last.createdAt,
    unreadCount: messages.filter(({ receiverId, readAt }) => receiverId === userId && !readAt)
      .length,
  });
  return {
    messages,
    conversations: [viewOf(people.F, people.O), viewOf(people.O, people.F)],
  };
}
