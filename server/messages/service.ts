import { randomUUID } from 'node:crypto';
import type { Conversation, Message, ReadReceipt, SendMessage } from '#contract/messages';
import { partyTo } from '#contract/orders';
import type { ListQuery, Page } from '#contract/platform';
import { room } from '#contract/realtime';
import type { PersonWithRole } from '#contract/users';
import type { Database, Transaction } from '../../prisma/client.ts';
import { decodeCursor, NEWEST_FIRST, TimeCursor, toPage } from '../platform/cursor.ts';
import { conflict, forbidden, invalidField, notFound } from '../platform/errors.ts';
import { record } from '../platform/event-log.ts';
import type { Platform } from '../platform/platform.ts';
import { isDuplicate, lockName, transact } from '../platform/postgres.ts';
import type { SessionUser } from '../platform/sessions.ts';
import { personSelect, presentPersonWithRole } from '../users/present.ts';
import { canMessage } from './policy.ts';
import {
  conversationInclude,
  messageInclude,
  presentConversation,
  presentMessage,
} from './present.ts';

type Sender = Pick<SessionUser, 'id' | 'role'>;

/** A thread as one of its two people sees it. */
export interface Thread {
  /** In time order. */
  messages: Message[];
  /** The id to read on before, or null at the beginning of the thread. */
  nextCursor: string | null;
  user: PersonWithRole;
  mayWrite: boolean;
}

/** Whether `from` may write to the person with this id; false for unknown and deleted people. */
export async function mayMessage(platform: Platform, from: Sender, to: string): Promise<boolean> {
  const receiver = await findPerson(platform.db, to);
  return receiver !== null && mayWrite(platform.db, from, receiver);
}

/**
 * Sends a message. A repeat with the same `_id` from the same sender returns what is stored.
 * @throws 403 when the policy says no, 404 for an unknown receiver or order, 409 for somebody
 * else's `_id`
 */
export async function sendMessage(
  platform: Platform,
  from: Sender,
  input: SendMessage,
): Promise<Message> {
  const id = input._id ?? randomUUID();
  try {
    return await storeMessage(platform, from, { ...input, _id: id });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // The same id came in twice at once, to different receivers: the first one is the message.
    const stored = await findStored(platform.db, from, id);
    if (!stored) throw error;
    return stored;
  }
}

async function storeMessage(
  platform: Platform,
  from: Sender,
  input: SendMessage & { _id: string },
): Promise<Message> {
  const message = await transact(platform.db, async (tx) => {
    await lockThread(tx, from.id, input.receiver);
    const stored = await findStored(tx, from, input._id);
    if (stored) return stored;
    await requireReceiver(tx, from, input.receiver);
    if (input.relatedOrder) await requireSharedOrder(tx, from, input.receiver, input.relatedOrder);
    const row = await tx.message.create({
      data: {
        id: input._id,
        senderId: from.id,
        receiverId: input.receiver,
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
      rooms: [room.user(row.senderId), room.user(row.receiverId)],
    });
    return message;
  });
  return message;
}

/** The user's conversations, latest first. */
export async function listConversations(
  platform: Platform,
  userId: string,
  query: ListQuery,
): Promise<Page<Conversation>> {
  const rows = await platform.db.conversation.findMany({
    where: { userId, ...after(query.cursor) },
    orderBy: [{ lastMessageAt: 'desc' }, { otherId: 'asc' }],
    take: query.limit + 1,
    include: conversationInclude,
  });
  const page = toPage(rows, query.limit, (row) => [row.lastMessageAt.toISOString(), row.otherId]);
  return { items: page.rows.map(presentConversation), nextCursor: page.nextCursor };
}

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
 * The newest messages between the reader and someone, or those before a given one.
 * @throws 404 for a person the reader neither has a thread with nor may write to
 */
export async function readThread(
  platform: Platform,
  reader: Sender,
  otherId: string,
  query: { limit: number; before?: string | undefined },
): Promise<Thread> {
  const { db } = platform;
  const other = await findPerson(db, otherId);
  if (!other) throw notFound('User not found');
  const isAllowed = await mayWrite(db, reader, other);
  const earlier = query.before ? await writtenBefore(db, reader.id, otherId, query.before) : {};
  // One read per direction, each straight from its index, however long the thread is.
  const readDirection = (senderId: string, receiverId: string) =>
    db.message.findMany({
      where: { senderId, receiverId, ...earlier },
      orderBy: [...NEWEST_FIRST],
      take: query.limit + 1,
      include: messageInclude,
    });
  const [own, theirs] = await Promise.all([
    readDirection(reader.id, otherId),
    readDirection(otherId, reader.id),
  ]);
  const newest = [...own, ...theirs].sort(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
  );
  if (!isAllowed && newest.length === 0 && !query.before) throw notFound('User not found');
  const page = newest.slice(0, query.limit).reverse();
  return {
    messages: page.map(presentMessage),
    nextCursor: newest.length > query.limit ? (page[0]?.id ?? null) : null,
    user: presentPersonWithRole(other),
    mayWrite: isAllowed,
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
  if (!message) throw notFound('Message not found');
  const { createdAt } = message;
  return {
    AND: [
      { createdAt: { lte: createdAt } },
      { OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] },
    ],
  };
}

/**
 * Marks everything that `senderId` wrote to the reader as read; both sides are told if that
 * changed anything.
 * @throws 404 for an unknown person
 */
export async function markThreadRead(
  platform: Platform,
  readerId: string,
  senderId: string,
): Promise<ReadReceipt> {
  const receipt = await transact(platform.db, async (tx) => {
    if (!(await findPerson(tx, senderId))) throw notFound('User not found');
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
      rooms: [room.user(senderId), room.user(readerId)],
    });
    return receipt;
  });
  return receipt;
}

/** Sending and reading in one thread go one after the other, so counts and times stay true. */
const lockThread = (tx: Transaction, one: string, other: string) =>
  lockName(tx, `thread ${[one, other].sort().join(' ')}`);

/** The present, after the last message of the thread: no two messages of it share an instant. */
async function nextInstant(tx: Transaction, userId: string, otherId: string): Promise<Date> {
  const [row] = await tx.$queryRaw<{ at: Date }[]>`
    SELECT greatest(
      date_trunc('milliseconds', clock_timestamp()),
      (SELECT last_message_at + interval '1 millisecond' FROM conversations
       WHERE user_id = ${userId}::uuid AND other_id = ${otherId}::uuid)
    ) AS at`;
  return row?.at ?? new Date();
}

/** The sender's message of this id. @throws 409 when the id is somebody else's message */
async function findStored(
  db: Database | Transaction,
  from: Sender,
  id: string,
): Promise<Message | null> {
  const row = await db.message.findUnique({ where: { id }, include: messageInclude });
  if (!row) return null;
  if (row.senderId !== from.id) {
    throw conflict('ID_TAKEN', 'This message could not be sent. Please try again.');
  }
  return presentMessage(row);
}

type PersonRow = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

const findPerson = (db: Database | Transaction, id: string) =>
  db.user.findUnique({ where: { id }, select: personSelect });

async function requireReceiver(tx: Transaction, from: Sender, receiverId: string): Promise<void> {
  // Held until the commit, so that nobody is deleted between the look and the message.
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${receiverId}::uuid FOR SHARE`;
  const receiver = await findPerson(tx, receiverId);
  if (!receiver || receiver.deletedAt) throw notFound('User not found');
  if (await mayWrite(tx, from, receiver)) return;
  throw forbidden(
    from.id === receiverId
      ? 'You cannot write to yourself.'
      : from.role === 'farmer'
        ? 'You can write to customers who have ordered from you or written to you.'
        : 'You can write to farmers, and to anyone who has written to you.',
  );
}

async function mayWrite(
  db: Database | Transaction,
  from: Sender,
  receiver: PersonRow,
): Promise<boolean> {
  const to = { id: receiver.id, role: receiver.role, isDeleted: receiver.deletedAt !== null };
  // Most answers need no look at the past.
  if (canMessage(from, to, { hasWritten: false, hasOrdered: false })) return true;
  if (!canMessage(from, to, { hasWritten: true, hasOrdered: true })) return false;
  // In the order of an index: where any row will do, Postgres may look for it through the whole table.
  const [written, ordered] = await Promise.all([
    db.message.findFirst({
      where: { senderId: to.id, receiverId: from.id },
      orderBy: [...NEWEST_FIRST],
      select: { id: true },
    }),
    db.order.findFirst({
      where: { consumerId: to.id, farmerId: from.id },
      orderBy: [...NEWEST_FIRST],
      select: { id: true },
    }),
  ]);
  return canMessage(from, to, { hasWritten: written !== null, hasOrdered: ordered !== null });
}

async function requireSharedOrder(
  tx: Transaction,
  from: Sender,
  receiverId: string,
  orderId: string,
): Promise<void> {
  const order = await tx.order.findUnique({
    where: { id: orderId },
    select: { consumerId: true, farmerId: true },
  });
  if (!order || !partyTo(order, from)) throw notFound('Order not found');
  const receiver = await findPerson(tx, receiverId);
  if (!receiver || !partyTo(order, receiver)) {
    throw invalidField('relatedOrder', 'This order has nothing to do with the receiver.');
  }
}
