import {
  MESSAGES_AROUND_REPORTED,
  type ReportKind,
  type ReportOutcome,
  type ReportReason,
} from '#contract/admin/moderation/constants';
import type {
  MakeReport,
  Report,
  ReportListQuery,
  ReportMade,
  ReportSubject,
  SettleReport,
} from '#contract/admin/moderation/moderation';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { Message } from '#contract/farm/messages/messages';
import { room } from '#contract/platform/events/constants';
import { shortId } from '#contract/platform/http/constants';
import type { Page } from '#contract/platform/http/http';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { getProduct } from '../../catalogue/products/read.ts';
import { readFarmer } from '../../farm/farmers/service.ts';
import { isShown, senderIdentityOf } from '../../farm/messages/people.ts';
import { readMessagesAround } from '../../farm/messages/present.ts';
import { getOrder } from '../../ordering/model/read.ts';
import { claimUnsolicited } from '../../people/notifications/limited-mails.ts';
import { personSelect, presentPerson, presentPersonWithRole } from '../../people/users/present.ts';
import { record } from '../../platform/events/event-log.ts';
import { NEWEST_FIRST, olderThan, timeCursorOf, toPage } from '../../platform/http/cursor.ts';
import { conflict, forbidden, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit, auditOncePerDay } from '../../platform/stores/audit.ts';
import { lockName, transact } from '../../platform/stores/postgres.ts';

const reportInclude = {
  reporter: { select: personSelect },
  about: { select: personSelect },
  settledBy: { select: personSelect },
} as const satisfies Prisma.ReportInclude;

type ReportRow = Prisma.ReportGetPayload<{ include: typeof reportInclude }>;

/** Presents a report to admins. */
const presentReport = (row: ReportRow): Report => ({
  _id: row.id,
  kind: row.kind,
  subjectId: row.subjectId,
  // Written by this file alone.
  subject: row.subject as unknown as ReportSubject,
  about: presentPersonWithRole(row.about),
  reporter: presentPersonWithRole(row.reporter),
  reason: row.reason as ReportReason,
  text: row.text,
  createdAt: row.createdAt.toISOString(),
  settledAt: row.settledAt?.toISOString() ?? null,
  settledBy: row.settledBy && presentPerson(row.settledBy),
  outcome: row.outcome,
  note: row.note,
});

/** Presents a report to the person who made it. */
const presentMade = (
  row: Pick<ReportRow, 'id' | 'kind' | 'subjectId' | 'reason' | 'text' | 'createdAt'>,
): ReportMade => ({
  _id: row.id,
  kind: row.kind,
  subjectId: row.subjectId,
  reason: row.reason as ReportReason,
  text: row.text,
  createdAt: row.createdAt.toISOString(),
});

/**
 * Reports something to the admins. Of one person about one subject there is one open report: a repeat returns it.
 * @throws 403 what is the reporter's own; 404 what is unknown or not theirs to see
 */
export async function makeReport(
  { db, env }: Platform,
  user: SessionUser,
  { kind, id, reason, text }: MakeReport,
): Promise<ReportMade> {
  const openKey = `${user.id} ${kind} ${id}`;
  return transact(db, async (tx) => {
    await lockCaller(tx, user.id);
    const { aboutId, subject } = await findSubject(tx, user, { kind, id });
    if (aboutId === user.id || aboutId === user.membership?.farmId) {
      throw forbidden(msg("You can't report what is your own."));
    }
    await lockName(tx, `report ${openKey}`);
    const open = await tx.report.findUnique({ where: { openKey } });
    if (open) return presentMade(open);
    const row = await tx.report.create({
      data: {
        reporterId: user.id,
        kind,
        subjectId: id,
        aboutId,
        reason,
        text,
        subject: { ...subject },
        openKey,
      },
    });
    const sender = { senderId: user.id, farmId: user.membership?.farmId };
    const isMailed = await claimUnsolicited(tx, env, { ...sender, to: 'admins' });
    await record(
      tx,
      { name: 'report.changed', data: { _id: row.id }, rooms: [room.admins] },
      { name: 'report.opened', data: { _id: row.id, kind, isMailed }, rooms: [] },
    );
    return presentMade(row);
  });
}

/** Lists reports, newest first. */
export async function listReports(
  { db }: Platform,
  { limit, cursor, state, kind }: ReportListQuery,
): Promise<Page<Report>> {
  const rows = await db.report.findMany({
    where: {
      settledAt: state === 'open' ? null : { not: null },
      ...(kind ? { kind } : {}),
      ...olderThan(cursor),
    },
    orderBy: [...NEWEST_FIRST],
    take: limit + 1,
    include: reportInclude,
  });
  return toPage(rows, limit, timeCursorOf, presentReport);
}

/**
 * Settles a report; its reporter is notified how. The same outcome again changes nothing.
 * @throws 404 unknown, 409 REPORT_SETTLED when it was settled otherwise
 */
export async function settleReport(
  platform: Platform,
  admin: SessionUser,
  id: string,
  { outcome, note }: SettleReport,
): Promise<Report> {
  return transact(platform.db, async (tx) => {
    await lockCaller(tx, admin.id);
    await tx.$queryRaw`SELECT 1 FROM reports WHERE id = ${id}::uuid FOR UPDATE`;
    const before = await requireReport(tx, id);
    if (before.outcome === outcome) return presentReport(before);
    if (before.settledAt) {
      throw conflict('REPORT_SETTLED', msg('Somebody else has settled this report meanwhile.'));
    }
    const row = await tx.report.update({
      where: { id },
      data: { outcome, note, settledAt: new Date(), settledById: admin.id, openKey: null },
      include: reportInclude,
    });
    await audit(tx, admin, 'report.settled', id, { outcome, kind: row.kind, about: row.aboutId });
    await record(
      tx,
      { name: 'report.changed', data: { _id: id }, rooms: [room.admins] },
      {
        name: 'report.settled',
        data: {
          _id: id,
          kind: row.kind,
          subject: row.subjectId,
          about: row.aboutId,
          reporter: row.reporterId,
          outcome,
        },
        rooms: [],
      },
    );
    return presentReport(row);
  });
}

/**
 * Returns a reported message with the few around it, in time order. Audited once a day for each admin and report,
 * because these people did not write to admins.
 * @throws 404 unknown, or no report of a message
 */
export async function readReportedMessages(
  platform: Platform,
  admin: SessionUser,
  id: string,
): Promise<Message[]> {
  const report = await requireReport(platform.db, id);
  if (report.kind !== 'message') throw notFound(msg('Report not found'));
  await auditOncePerDay(platform.db, admin, 'report.messagesRead', id);
  return readMessagesAround(platform, report.subjectId, MESSAGES_AROUND_REPORTED);
}

async function requireReport(db: Database | Transaction, id: string): Promise<ReportRow> {
  const row = await db.report.findUnique({ where: { id }, include: reportInclude });
  if (!row) throw notFound(msg('Report not found'));
  return row;
}

declare module '../../platform/events/event.ts' {
  interface InternalEvents {
    /** Something was reported: admins are to be notified, by mail if the reporter's limits allow it. */
    'report.opened': { _id: string; kind: ReportKind; isMailed: boolean };
    /** A report was settled: its reporter is to be notified. */
    'report.settled': {
      _id: string;
      kind: ReportKind;
      /** The id of what was reported, and of the person or farm it is about. */
      subject: string;
      about: string;
      reporter: string;
      outcome: ReportOutcome;
    };
  }
}

/** What is reported, as its reporter sees it. */
interface Found {
  /** The person or farm that it is about. */
  aboutId: string;
  subject: ReportSubject;
}

type Find = (tx: Transaction, user: SessionUser, id: string) => Promise<Found>;

const NOTHING = { text: '', image: null, amount: null };

/** Total, so that nothing can be reported that the reporter may not see. */
const FINDERS: Record<ReportKind, Find> = {
  product: async (tx, user, id) => {
    const product = await getProduct({ db: tx }, id, user);
    const { name, description, images, price, farmer } = product;
    return {
      aboutId: farmer._id,
      subject: { name, text: description, image: images[0] ?? null, amount: price },
    };
  },
  farm: async (tx, user, id) => {
    const { farmer, profile } = await readFarmer({ db: tx }, id, user);
    return {
      aboutId: farmer._id,
      subject: {
        ...NOTHING,
        name: farmNameOf({ farmName: profile.farmName, name: farmer.name }),
        text: profile.description,
        image: profile.cover,
      },
    };
  },
  message: async (tx, user, id) => {
    const reader = senderIdentityOf(user);
    const message = await tx.message.findFirst({
      // Only the person it was written to.
      where: { id, receiverId: reader.id },
      include: { sender: true },
    });
    if (!message || !(await isShown(tx, reader, message.senderId))) {
      throw notFound(msg('Message not found'));
    }
    return {
      aboutId: message.senderId,
      subject: { ...NOTHING, name: presentPerson(message.sender).name, text: message.content },
    };
  },
  order: async (tx, user, id) => {
    const order = await getOrder({ db: tx }, id, user);
    const isConsumers = order.consumer._id === user.id;
    return {
      aboutId: isConsumers ? order.farmer._id : order.consumer._id,
      subject: { ...NOTHING, name: `#${shortId(id)}`, amount: order.totalAmount },
    };
  },
};

/** Finds what somebody reports, within their command's transaction. @throws 404 what is unknown or not theirs to see */
const findSubject = (
  tx: Transaction,
  user: SessionUser,
  { kind, id }: { kind: ReportKind; id: string },
): Promise<Found> => FINDERS[kind](tx, user, id);
