import { randomUUID } from 'node:crypto';
import type { AddNote, AdminNote } from '#contract/admin/admin/admin';
import type { Message, ThreadQuery } from '#contract/farm/messages/messages';
import { room } from '#contract/platform/events/constants';
import type { ListQuery, Page } from '#contract/platform/http/http';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { readMessagesBetween } from '../../farm/messages/service.ts';
import { type PersonRow, personSelect, presentPersonWithRole } from '../../people/users/present.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import { decodeCursor, TimeCursor, timeCursorOf, toPage } from '../../platform/http/cursor.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit, auditOncePerDay } from '../../platform/stores/audit.ts';
import { isDuplicate, transact } from '../../platform/stores/postgres.ts';

const noteInclude = {
  author: { select: personSelect },
} as const;

/** A row of `order_notes` or `user_notes`. */
interface NoteRow {
  id: string;
  authorId: string;
  content: string;
  createdAt: Date;
  author: PersonRow;
}

/** The conditions of {@link laterThan}. */
type Later = ReturnType<typeof laterThan>;

/** What notes can be about: how they are kept for it, and what is recorded of them. */
interface NoteSubject {
  /** @throws 404 */
  require: (db: Database | Transaction, id: string) => Promise<unknown>;
  list: (db: Database, id: string, later: Later, take: number) => Promise<NoteRow[]>;
  /** Returns the note with this id, if any, and the id of what it is about. */
  find: (
    db: Database | Transaction,
    id: string,
  ) => Promise<(NoteRow & { subjectId: string }) | null>;
  add: (
    tx: Transaction,
    note: { id: string; subjectId: string; authorId: string; content: string },
  ) => Promise<NoteRow>;
  added: 'order.noteAdded' | 'user.noteAdded';
  event: (noteId: string, subjectId: string) => NewEvent;
}

const oldestFirst: { createdAt?: 'asc'; id?: 'asc' }[] = [{ createdAt: 'asc' }, { id: 'asc' }];

/** Notes about orders. */
export const ORDER_NOTES: NoteSubject = {
  require: requireOrder,
  list: (db, orderId, later, take) =>
    db.orderNote.findMany({
      where: { orderId, ...later },
      orderBy: oldestFirst,
      take,
      include: noteInclude,
    }),
  find: async (db, id) => {
    const row = await db.orderNote.findUnique({ where: { id }, include: noteInclude });
    return row && { ...row, subjectId: row.orderId };
  },
  add: (tx, { subjectId: orderId, ...note }) =>
    tx.orderNote.create({ data: { ...note, orderId }, include: noteInclude }),
  added: 'order.noteAdded',
  event: (_id, order) => ({
    name: 'order.noteAdded',
    data: { _id, order },
    rooms: [room.admins],
  }),
};

/** Notes about people. */
export const USER_NOTES: NoteSubject = {
  require: async (db, id) => {
    const user = await db.user.findUnique({ where: { id }, select: { id: true } });
    if (!user) throw notFound(msg('User not found'));
  },
  list: (db, userId, later, take) =>
    db.userNote.findMany({
      where: { userId, ...later },
      orderBy: oldestFirst,
      take,
      include: noteInclude,
    }),
  find: async (db, id) => {
    const row = await db.userNote.findUnique({ where: { id }, include: noteInclude });
    return row && { ...row, subjectId: row.userId };
  },
  add: (tx, { subjectId: userId, ...note }) =>
    tx.userNote.create({ data: { ...note, userId }, include: noteInclude }),
  added: 'user.noteAdded',
  event: (_id, user) => ({ name: 'user.noteAdded', data: { _id, user }, rooms: [room.admins] }),
};

const presentNote = (row: NoteRow): AdminNote => ({
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
  if (!order) throw notFound(msg('Order not found'));
  return order;
}

/** Lists the internal notes about something, oldest first. @throws 404 for what is unknown */
export async function listNotes(
  { db }: Platform,
  about: NoteSubject,
  id: string,
  { limit, cursor }: ListQuery,
): Promise<Page<AdminNote>> {
  await about.require(db, id);
  const rows = await about.list(db, id, laterThan(cursor), limit + 1);
  return toPage(rows, limit, timeCursorOf, presentNote);
}

function laterThan(cursor: string | undefined) {
  if (!cursor) return {};
  const [at, id] = decodeCursor(cursor, TimeCursor);
  const createdAt = new Date(at);
  return { OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }] };
}

/**
 * Writes an internal note. A repeat with the same `_id` by the same admin about the same subject returns the
 * stored note.
 * @throws 404 for what is unknown, 409 for an `_id` that is another note's
 */
export async function addNote(
  platform: Platform,
  admin: SessionUser,
  about: NoteSubject,
  subjectId: string,
  input: AddNote,
): Promise<AdminNote> {
  const id = input._id ?? randomUUID();
  const findStored = async (db: Database | Transaction): Promise<AdminNote | null> => {
    const row = await about.find(db, id);
    if (!row) return null;
    if (row.authorId !== admin.id || row.subjectId !== subjectId) {
      throw conflict('ID_TAKEN', msg("We couldn't save this note. Please try again."));
    }
    return presentNote(row);
  };
  try {
    return await transact(platform.db, async (tx) => {
      await lockCaller(tx, admin.id);
      await about.require(tx, subjectId);
      const stored = await findStored(tx);
      if (stored) return stored;
      const row = await about.add(tx, {
        id,
        subjectId,
        authorId: admin.id,
        content: input.content,
      });
      await audit(tx, admin, about.added, subjectId, { note: id });
      await record(tx, about.event(id, subjectId));
      return presentNote(row);
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // Concurrent requests had the same id: the first one is stored.
    const stored = await findStored(platform.db);
    if (!stored) throw error;
    return stored;
  }
}

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
  await auditOncePerDay(platform.db, admin, 'order.conversationRead', orderId);
  return readMessagesBetween(platform, [consumerId, farmerId], query);
}
