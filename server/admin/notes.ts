import { randomUUID } from 'node:crypto';
import type { AddOrderNote, OrderNote } from '#contract/admin';
import { room } from '#contract/events';
import type { ListQuery, Page } from '#contract/http';
import type { Message, ThreadQuery } from '#contract/messages';
import type { Database, Transaction } from '../../prisma/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';
import { record } from '../events/event-log.ts';
import { decodeCursor, TimeCursor, timeCursorOf, toPage } from '../http/cursor.ts';
import { conflict, notFound } from '../http/errors.ts';
import { lockCaller } from '../http/lock-caller.ts';
import type { Platform } from '../http/platform.ts';
import type { SessionUser } from '../http/sessions.ts';
import { readMessagesBetween } from '../messages/service.ts';
import { audit } from '../process/audit.ts';
import { isDuplicate, transact } from '../process/postgres.ts';
import { personSelect, presentPersonWithRole } from '../users/present.ts';

const noteInclude = {
  author: { select: personSelect },
} as const satisfies Prisma.OrderNoteInclude;

const presentNote = (
  row: Prisma.OrderNoteGetPayload<{ include: typeof noteInclude }>,
): OrderNote => ({
  _id: row.id,
  author: presentPersonWithRole(row.author),
  content: row.content,
  createdAt: row.createdAt.toISOString(),
});

/** Returns the parties of an order. @throws 404 */
async function requireOrder(db: Database | Transaction, id: string) {
  const order = await db.order.findUnique({
    where: { id },
    select: { consumerId: true, farmerId: true },
  });
  if (!order) throw notFound('Order not found');
  return order;
}

/** Lists the internal notes about an order, oldest first. @throws 404 for an unknown order */
export async function listNotes(
  { db }: Platform,
  orderId: string,
  { limit, cursor }: ListQuery,
): Promise<Page<OrderNote>> {
  await requireOrder(db, orderId);
  const rows = await db.orderNote.findMany({
    where: { orderId, ...laterThan(cursor) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: limit + 1,
    include: noteInclude,
  });
  const page = toPage(rows, limit, timeCursorOf);
  return { items: page.rows.map(presentNote), nextCursor: page.nextCursor };
}

function laterThan(cursor: string | undefined) {
  if (!cursor) return {};
  const [at, id] = decodeCursor(cursor, TimeCursor);
  const createdAt = new Date(at);
  return { OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }] };
}

/**
 * Writes an internal note about an order. A repeat with the same `_id` by the same admin about the same
 * order returns the stored note.
 * @throws 404 for an unknown order, 409 for an `_id` that is another note's
 */
export async function addNote(
  platform: Platform,
  admin: SessionUser,
  orderId: string,
  input: AddOrderNote,
): Promise<OrderNote> {
  const id = input._id ?? randomUUID();
  try {
    return await transact(platform.db, async (tx) => {
      await lockCaller(tx, admin.id);
      await requireOrder(tx, orderId);
      const stored = await findStored(tx, admin, orderId, id);
      if (stored) return stored;
      const row = await tx.orderNote.create({
        data: { id, orderId, authorId: admin.id, content: input.content },
        include: noteInclude,
      });
      await audit(tx, admin, 'order.noteAdded', orderId, { note: id });
      await record(tx, {
        name: 'order.noteAdded',
        data: { _id: id, order: orderId },
        rooms: [room.admins],
      });
      return presentNote(row);
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // Concurrent requests had the same id: the first one is stored.
    const stored = await findStored(platform.db, admin, orderId, id);
    if (!stored) throw error;
    return stored;
  }
}

/** Returns the admin's note with this id, if any. @throws 409 when it is another note's */
async function findStored(
  db: Database | Transaction,
  admin: SessionUser,
  orderId: string,
  id: string,
): Promise<OrderNote | null> {
  const row = await db.orderNote.findUnique({ where: { id }, include: noteInclude });
  if (!row) return null;
  if (row.authorId !== admin.id || row.orderId !== orderId) {
    throw conflict('ID_TAKEN', "We couldn't save this note. Please try again.");
  }
  return presentNote(row);
}

/** Hours within which one admin's reading of one conversation is audited once. */
const READING_HOURS = 24;

/**
 * Returns the newest messages between the parties of an order, whatever they are about. Audited once a
 * day for each admin and order, because these people did not write to admins.
 * @throws 404 for an unknown order
 */
export async function readOrderMessages(
  platform: Platform,
  admin: SessionUser,
  orderId: string,
  query: ThreadQuery,
): Promise<{ messages: Message[]; nextCursor: string | null }> {
  const { consumerId, farmerId } = await requireOrder(platform.db, orderId);
  const audited = await platform.db.auditEntry.findFirst({
    where: {
      adminId: admin.id,
      action: 'order.conversationRead',
      targetId: orderId,
      at: { gt: new Date(Date.now() - READING_HOURS * 3_600_000) },
    },
    select: { id: true },
  });
  if (!audited) await audit(platform.db, admin, 'order.conversationRead', orderId);
  return readMessagesBetween(platform, [consumerId, farmerId], query);
}
