import { randomUUID } from 'node:crypto';
import type {
  Conversation,
  Message,
  ReadReceipt,
  SendMessage,
} from '#contract/farm/messages/messages';
import type { ListQuery, Page, Role } from '#contract/platform/http/http';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { decodeCursor, NEWEST_FIRST, TimeCursor, toPage } from '../../platform/http/cursor.ts';
import { conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockWorker } from '../../platform/sessions/lock-caller.ts';
import { isDuplicate, lockName, transact } from '../../platform/stores/postgres.ts';
import {
  type Correspondent,
  mayWrite,
  requireCorrespondent,
  requireReceiver,
  type Sender,
  type SenderIdentity,
  senderRoom,
} from './people.ts';
import {
  conversationInclude,
  messageInclude,
  presentConversation,
  presentCorrespondent,
  presentMessage,
} from './present.ts';

/** A thread as one of its two people sees it. */
export interface Thread {
  /** In time order. */
  messages: Message[];
  /** The id of the oldest message here, to pass as `before`; null at the start of the thread. */
  nextCursor: string | null;
  user: Conversation['user'];
  mayWrite: boolean;
}

/**
 * Sends a message. A repeat with the same `_id` by the same sender returns the stored message.
 * @throws 404 for a receiver or an order that is unknown or that the sender may not write to or
 * about, 409 for somebody else's `_id`
 */
export async function sendMessage(
  platform: Platform,
  from: SenderIdentity,
  input: SendMessage,
): Promise<Message> {
  const id = input._id ?? randomUUID();
  try {
    return await storeMessage(platform, from, { ...input, _id: id });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // Concurrent requests had the same id and different receivers: the first one is stored.
    const stored = await findStored(platform.db, from, id);
    if (!stored) throw error;
    return stored;
  }
}

async function storeMessage(
  platform: Platform,
  from: SenderIdentity,
  input: SendMessage & { _id: string },
): Promise<Message> {
  const message = await transact(platform.db, async (tx) => {
    await lockWorker(tx, from.author);
    await lockThread(tx, from.id, input.receiver);
    const stored = await findStored(tx, from, input._id);
    if (stored) return stored;
    const receiver = await requireReceiver(tx, from, input.receiver);
    if (input.relatedOrder) await requireSharedOrder(tx, from, receiver, input.relatedOrder);
    const row = await tx.message.create({
      data: {
        id: input._id,
        senderId: from.id,
        receiverId: input.receiver,
        authorId: from.authorId === from.id ? null : from.authorId,
        content: input.content,
        relatedOrderId: input.relatedOrder ?? null,
        createdAt: await nextInstant(tx, from.id, input.receiver),
      },
      include: messageInclude,
    });
    await tx.$executeRaw`
      INSERT INTO conversations (user_id, other_id, last_message_id, last_message_at, unread_count)
      VALUES (${row.senderId}::uuid, ${row.receiverId}::uuid, ${row.id}::uuid, ${row.createdAt}, 0),
             (${row.receiverId}::uuid, ${row.senderId}::uuid, ${row.id}::uuid, ${row.createdAt}, 1)
      ON CONFLICT (user_id, other_id) DO UPDATE SET
        last_message_id = excluded.last_message_id,
        last_message_at = excluded.last_message_at,
        unread_count = conversations.unread_count + excluded.unread_count`;
    const message = presentMessage(row);
    await record(tx, {
      name: 'message.created',
      data: message,
      rooms: [senderRoom(row.sender), senderRoom(row.receiver)],
    });
    return message;
  });
  return message;
}

/** Returns the user's conversations, latest first, and how many messages are unread in all of them. */
export async function listConversations(
  platform: Platform,
  reader: Sender,
  query: ListQuery,
): Promise<Page<Conversation> & { unreadCount: number }> {
  const shown = { userId: reader.id, ...shownTo(reader) };
  const [rows, unread] = await Promise.all([
    platform.db.conversation.findMany({
      where: { ...shown, ...after(query.cursor) },
      orderBy: [{ lastMessageAt: 'desc' }, { otherId: 'asc' }],
      take: query.limit + 1,
      include: conversationInclude,
    }),
    platform.db.conversation.aggregate({ where: shown, _sum: { unreadCount: true } }),
  ]);
  const placeOf = (row: (typeof rows)[number]) => [row.lastMessageAt.toISOString(), row.otherId];
  const page = toPage(rows, query.limit, placeOf, presentConversation);
  return { ...page, unreadCount: unread._sum.unreadCount ?? 0 };
}

/** The condition of {@link maySeeConversation} in a list. Only consumers have conversations with farms of others. */
const shownTo = ({ id, role }: Sender): Prisma.ConversationWhereInput =>
  role === 'consumer'
    ? {
        other: {
          OR: [
            { farm: null },
            { deletedAt: { not: null } },
            { suspendedAt: null, farm: { approvedAt: { not: null } } },
            { ordersReceived: { some: { consumerId: id } } },
          ],
        },
      }
    : {};

function after(cursor: string | undefined) {
  if (!cursor) return {};
  const [at, otherId] = decodeCursor(cursor, TimeCursor);
  const lastMessageAt = new Date(at);
  return {
    AND: [
      { lastMessageAt: { lte: lastMessageAt } },
      { OR: [{ lastMessageAt: { lt: lastMessageAt } }, { otherId: { gt: otherId } }] },
    ],
  };
}

/**
 * Returns the newest messages between the reader and another person, or those before a given one.
 * @throws 404 for a person the reader neither has a thread with nor may write to
 */
export async function readThread(
  platform: Platform,
  reader: Sender,
  otherId: string,
  query: { limit: number; before?: string | undefined },
): Promise<Thread> {
  const other = await requireCorrespondent(platform.db, reader, otherId);
  return {
    ...(await readMessagesBetween(platform, [reader.id, otherId], query)),
    user: presentCorrespondent(other, other.farmName),
    mayWrite: mayWrite(reader, other),
  };
}

/**
 * Returns the newest messages between two people, or those before a given one. The person who calls this decides
 * whether the reader may see them.
 * @throws 404 when `before` is not one of their messages
 */
export async function readMessagesBetween(
  { db }: Platform,
  [one, other]: readonly [string, string],
  query: { limit: number; before?: string | undefined },
): Promise<Pick<Thread, 'messages' | 'nextCursor'>> {
  const earlier = query.before ? await writtenBefore(db, one, other, query.before) : {};
  // One query per direction, so that each uses the index.
  const readDirection = (senderId: string, receiverId: string) =>
    db.message.findMany({
      where: { senderId, receiverId, ...earlier },
      orderBy: [...NEWEST_FIRST],
      take: query.limit + 1,
      include: messageInclude,
    });
  const directions = await Promise.all([readDirection(one, other), readDirection(other, one)]);
  const newest = directions
    .flat()
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
  const page = newest.slice(0, query.limit).reverse();
  return {
    messages: page.map(presentMessage),
    nextCursor: newest.length > query.limit ? (page[0]?.id ?? null) : null,
  };
}

async function writtenBefore(db: Database, readerId: string, otherId: string, id: string) {
  const message = await db.message.findFirst({
    where: {
      id,
      OR: [
        { senderId: readerId, receiverId: otherId },
        { senderId: otherId, receiverId: readerId },
      ],
    },
    select: { createdAt: true },
  });
  if (!message) throw notFound(msg('Message not found'));
  const { createdAt } = message;
  return {
    AND: [
      { createdAt: { lte: createdAt } },
      { OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] },
    ],
  };
}

/**
 * Marks everything that `senderId` wrote to the reader as read; records an event for both if that
 * changed anything.
 * @throws 404 for a person the reader neither has a thread with nor may write to
 */
export async function markThreadRead(
  platform: Platform,
  reader: SenderIdentity,
  senderId: string,
): Promise<ReadReceipt> {
  const readerId = reader.id;
  const receipt = await transact(platform.db, async (tx) => {
    await lockWorker(tx, reader.author);
    const sender = await requireCorrespondent(tx, reader, senderId);
    await lockThread(tx, readerId, senderId);
    const at = await nextInstant(tx, readerId, senderId);
    const receipt: ReadReceipt = { reader: readerId, sender: senderId, at: at.toISOString() };
    const { count } = await tx.message.updateMany({
      where: { receiverId: readerId, senderId, readAt: null },
      data: { readAt: at },
    });
    if (count === 0) return receipt;
    await tx.conversation.updateMany({
      where: { userId: readerId, otherId: senderId },
      data: { unreadCount: 0 },
    });
    await record(tx, {
      name: 'messages.read',
      data: receipt,
      rooms: [senderRoom(sender), senderRoom(reader)],
    });
    return receipt;
  });
  return receipt;
}

/** Serializes writes in one thread, so that counts and times stay correct. */
const lockThread = (tx: Transaction, one: string, other: string) =>
  lockName(tx, `thread ${[one, other].sort().join(' ')}`);

/** Returns the current time, after the thread's last message: its messages have distinct times. */
async function nextInstant(tx: Transaction, userId: string, otherId: string): Promise<Date> {
  const [row] = await tx.$queryRaw<{ at: Date }[]>`
    SELECT greatest(
      date_trunc('milliseconds', clock_timestamp()),
      (SELECT last_message_at + interval '1 millisecond' FROM conversations
       WHERE user_id = ${userId}::uuid AND other_id = ${otherId}::uuid)
    ) AS at`;
  return row?.at ?? new Date();
}

/** Returns the sender's message with this id, if any. @throws 409 when it is somebody else's */
async function findStored(
  db: Database | Transaction,
  from: Sender,
  id: string,
): Promise<Message | null> {
  const row = await db.message.findUnique({ where: { id }, include: messageInclude });
  if (!row) return null;
  if (row.senderId !== from.id) {
    throw conflict('ID_TAKEN', msg("We couldn't send this message. Please try again."));
  }
  return presentMessage(row);
}

async function requireSharedOrder(
  tx: Transaction,
  from: Sender,
  receiver: Correspondent,
  orderId: string,
): Promise<void> {
  const order = await tx.order.findUnique({
    where: { id: orderId },
    select: { consumerId: true, farmerId: true },
  });
  const concerns = ({ id, role }: { id: string; role: Role }) =>
    role === 'admin' || id === order?.consumerId || id === order?.farmerId;
  if (!order || !concerns(from)) throw notFound(msg('Order not found'));
  if (!concerns(receiver)) {
    throw invalidField('relatedOrder', msg("This order isn't with this person."));
  }
}
