import type { AccountExport } from '#contract/admin/account-export/account-export';
import type { ReportSubject } from '#contract/admin/moderation/moderation';
import { wordsOf } from '#contract/people/notifications/constants/words';
import type { Page } from '#contract/platform/http/http';
import { theMarket } from '#contract/platform/market/constants';
import type { Membership } from '#contract/platform/session/constants';
import { listOwnProducts } from '../../catalogue/products/read.ts';
import { presentFarmProfile } from '../../farm/farmers/present.ts';
import { messageInclude, presentMessage } from '../../farm/messages/present.ts';
import { listPlaces } from '../../farm/places/service.ts';
import { readSchedule } from '../../farm/schedule/service.ts';
import { readPayment } from '../../money/payment/service.ts';
import { listPlacedOrders, listReceivedOrders } from '../../ordering/model/read.ts';
import { presentPreferences } from '../../people/notifications/present.ts';
import { listNotifications } from '../../people/notifications/service.ts';
import { listAddresses } from '../../people/users/addresses.ts';
import { membershipInclude, presentUnreachable, presentUser } from '../../people/users/present.ts';
import { NEWEST_FIRST, olderThan, timeCursorOf, toPage } from '../../platform/http/cursor.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { inLanguageOf } from '../../platform/market/readers.ts';
import { sessionEnded } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';

/** Rows that are held at once. */
const PAGE_SIZE = 100;

/** An object of a JSON text, of known values, lists whose items are read page by page, and such objects. */
class Members {
  readonly entries: [name: string, content: unknown][];
  constructor(parts: Record<string, unknown>) {
    this.entries = Object.entries(parts);
  }
}

const isList = (content: unknown): content is AsyncIterable<unknown> =>
  typeof content === 'object' && content !== null && Symbol.asyncIterator in content;

/** Writes an object as JSON text, piece by piece, so that no more of it is held than one page of a list. */
async function* writeJson({ entries }: Members): AsyncGenerator<string> {
  yield '{';
  let separator = '\n';
  for (const [name, content] of entries) {
    yield `${separator}${JSON.stringify(name)}: `;
    separator = ',\n';
    if (content instanceof Members) yield* writeJson(content);
    else if (isList(content)) yield* writeList(content);
    else yield JSON.stringify(content);
  }
  yield '\n}';
}

async function* writeList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield '[';
  let separator = '\n';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
  yield ']';
}

/** The members of the file, so that one that is forgotten, or is not declared, does not compile. */
type Parts<Whole> = { [Name in keyof Whole]: unknown };

/**
 * Returns everything that the market keeps about somebody as the text of a JSON file, which is read from the
 * database while it is sent: the person who ordered ten thousand times takes no more memory than others.
 * @throws 401 when the account was just deleted
 */
export async function exportAccount(
  platform: Platform,
  user: SessionUser,
): Promise<AsyncGenerator<string>> {
  const { db } = platform;
  const row = await db.user.findUnique({
    where: { id: user.id, deletedAt: null, isFarm: false },
    include: {
      ...membershipInclude,
      sessions: { orderBy: { createdAt: 'desc' } },
      passkeys: {
        orderBy: { createdAt: 'desc' },
        select: { device: true, createdAt: true, lastUsedAt: true },
      },
      emailChanges: { orderBy: { createdAt: 'desc' } },
      pushSubscriptions: { orderBy: { createdAt: 'desc' } },
      follows: {
        orderBy: [{ since: 'desc' }, { id: 'desc' }],
        include: {
          product: { select: { name: true } },
          farm: { select: { listedName: true } },
        },
      },
    },
  });
  if (!row) throw sessionEnded();
  const { id: userId } = row;
  const parts: Parts<AccountExport> = {
    exportedAt: new Date(),
    market: theMarket().name,
    account: presentUser(row),
    emailVerifiedAt: row.emailVerifiedAt,
    phoneVerifiedAt: row.phoneVerifiedAt,
    emailUnreachable: presentUnreachable(row),
    emailChanges: row.emailChanges.map(({ oldEmail: from, newEmail: to, ...change }) => ({
      ...{ from, to, createdAt: change.createdAt, confirmedAt: change.confirmedAt },
    })),
    termsAcceptedAt: row.termsAcceptedAt,
    lastSeenAt: row.lastSeenAt,
    addresses: await listAddresses(platform, userId),
    preferences: presentPreferences(row.preferences),
    follows: row.follows.map(({ productId, farmId, product, farm, ...follow }) => ({
      ...{ product: productId, farm: farmId, name: product?.name ?? farm?.listedName ?? '' },
      ...{ since: follow.since, state: follow.state },
      ...{ toldAt: follow.toldAt, expiresAt: follow.expiresAt },
    })),
    sessions: row.sessions.map(({ device, createdAt, lastSeenAt, expiresAt }) => ({
      ...{ device, createdAt, lastSeenAt, expiresAt },
    })),
    passkeys: row.passkeys,
    pushSubscriptions: row.pushSubscriptions.map(({ endpoint, createdAt }) => ({
      ...{ endpoint, createdAt },
    })),
    uploads: rowsOf(
      (cursor) =>
        db.upload.findMany({
          where: { ownerId: userId, ...olderThan(cursor) },
          ...pageOfNewest,
        }),
      ({ id, createdAt }) => ({ address: `/uploads/${id}.webp`, createdAt }),
    ),
    orders: itemsOf((cursor) => listPlacedOrders(platform, userId, { limit: PAGE_SIZE, cursor })),
    messages: rowsOf(
      (cursor) =>
        db.message.findMany({
          where: {
            AND: [
              { OR: [{ senderId: userId }, { receiverId: userId }, { authorId: userId }] },
              olderThan(cursor),
            ],
          },
          include: messageInclude,
          ...pageOfNewest,
        }),
      presentMessage,
    ),
    notifications: itemsOf(async (cursor) => {
      const page = await listNotifications(platform, userId, { limit: PAGE_SIZE, cursor });
      const write = async () => page.items.map((each) => ({ ...each, ...wordsOf(each) }));
      return { ...page, items: await inLanguageOf(row.language, write) };
    }),
    reports: rowsOf(
      (cursor) =>
        db.report.findMany({
          where: { reporterId: userId, ...olderThan(cursor) },
          ...pageOfNewest,
        }),
      ({ kind, subjectId, subject, reason, text, createdAt, settledAt, outcome }) => ({
        ...{ kind, subject: subjectId, name: (subject as unknown as ReportSubject).name },
        ...{ reason, text, createdAt, settledAt, outcome },
      }),
    ),
    orderNotes: rowsOf(
      (cursor) =>
        db.orderNote.findMany({
          where: { authorId: userId, ...olderThan(cursor) },
          ...pageOfNewest,
        }),
      ({ orderId, content, createdAt }) => ({ order: orderId, content, createdAt }),
    ),
    adminActions: adminActionsOf(platform, userId),
    alerts: rowsOf(
      (cursor) =>
        db.attention.findMany({
          where: {
            AND: [{ OR: [{ seenById: userId }, { acknowledgedById: userId }] }, olderThan(cursor)],
          },
          ...pageOfNewest,
        }),
      ({ kind, orderId, createdAt, seenAt, seenById, acknowledgedAt, acknowledgedById }) => ({
        ...{ kind, order: orderId, createdAt },
        seenAt: seenById === userId ? seenAt : null,
        acknowledgedAt: acknowledgedById === userId ? acknowledgedAt : null,
      }),
    ),
    farm: await farmOf(platform, user, row.membership),
  };
  return writeJson(new Members(parts));
}

const pageOfNewest = { orderBy: [...NEWEST_FIRST], take: PAGE_SIZE + 1 };

/** Returns the farm that somebody owns. */
async function farmOf(
  platform: Platform,
  user: SessionUser,
  membership: Membership | null,
): Promise<Members | null> {
  if (membership?.role !== 'owner') return null;
  const { farmId } = membership;
  const owner = { ...user, membership };
  const profile = await platform.db.farmerProfile.findUnique({
    where: { userId: farmId },
    include: { user: true },
  });
  if (!profile) return null;
  const parts: Parts<NonNullable<AccountExport['farm']>> = {
    _id: farmId,
    profile: presentFarmProfile(profile, profile.user),
    places: await listPlaces(platform, owner),
    schedule: await readSchedule(platform, owner),
    payment: await readPayment(platform, owner),
    products: itemsOf((cursor) => listOwnProducts(platform, farmId, { limit: PAGE_SIZE, cursor })),
    orders: itemsOf((cursor) =>
      listReceivedOrders(platform, farmId, { limit: PAGE_SIZE, cursor, sort: 'newest' }),
    ),
  };
  return new Members(parts);
}

/** Returns the items of all pages of a list. */
async function* itemsOf<Item>(
  readPage: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor);
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Returns all rows that are read page by page, newest first, each presented. */
const rowsOf = <Row extends { id: string; createdAt: Date }, Item>(
  read: (cursor: string | undefined) => Promise<Row[]>,
  present: (row: Row) => Item,
): AsyncGenerator<Item> =>
  itemsOf(async (cursor) => toPage(await read(cursor), PAGE_SIZE, timeCursorOf, present));

/** What an admin did, newest first; the rows have no `createdAt`. */
async function* adminActionsOf({ db }: Platform, adminId: string): AsyncGenerator {
  let last: { id: string } | undefined;
  do {
    const rows = await db.auditEntry.findMany({
      where: { adminId },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
      take: PAGE_SIZE,
      ...(last ? { cursor: last, skip: 1 } : {}),
    });
    yield* rows.map(({ action, targetId, at }) => ({ action, target: targetId, at }));
    last = rows.length === PAGE_SIZE ? { id: rows.at(-1)?.id ?? '' } : undefined;
  } while (last);
}
