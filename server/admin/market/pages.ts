import type {
  Announce,
  MarketPage,
  SaveMarketPage,
} from '#contract/admin/market-pages/market-pages';
import { room } from '#contract/platform/events/constants';
import type { Announcement, Market, MarketPageSlug } from '#contract/platform/market/constants';
import type { Transaction } from '../../../prisma/client.ts';
import type { Prisma, MarketPage as Row } from '../../../prisma/generated/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { notFound, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockMarket, presentMarket } from '../../platform/market/settings.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';

const present = (row: Row): MarketPage => ({
  // Only pages of known names are written.
  slug: row.slug as MarketPageSlug,
  title: row.title,
  body: row.body,
  version: row.version,
  updatedAt: row.updatedAt.toISOString(),
});

/** Returns a page that an admin wrote. @throws 404 */
export async function readPage({ db }: Platform, slug: MarketPageSlug): Promise<MarketPage> {
  const row = await db.marketPage.findUnique({ where: { slug } });
  if (!row) throw notFound('Page not found');
  return present(row);
}

/**
 * Writes a page, new or over what it was. What is already so changes nothing.
 * @throws 401; 409 VERSION_CONFLICT when somebody else wrote it meanwhile; an absent page has version 0
 */
export function savePage(
  { db }: Platform,
  admin: SessionUser,
  slug: MarketPageSlug,
  { title, body, expectedVersion }: SaveMarketPage,
): Promise<MarketPage> {
  return transact(db, async (tx) => {
    await lockCaller(tx, admin.id);
    const { pages } = await lockMarket(tx);
    const before = await tx.marketPage.findUnique({ where: { slug } });
    if (before?.title === title && before.body === body) return present(before);
    await requireVersion(expectedVersion, before?.version ?? 0, () =>
      before ? present(before) : null,
    );
    const row = await tx.marketPage.upsert({
      where: { slug },
      create: { slug, title, body },
      update: { title, body, version: { increment: 1 }, updatedAt: await readClock(tx) },
    });
    await audit(tx, admin, 'market.pageSaved', slug, { name: title });
    await changeMarket(tx, { pages: [...new Set([...pages, slug])] });
    return present(row);
  });
}

/** Takes a page away. @throws 401; 404 when there is none */
export function removePage(
  { db }: Platform,
  admin: SessionUser,
  slug: MarketPageSlug,
): Promise<void> {
  return transact(db, async (tx) => {
    await lockCaller(tx, admin.id);
    const { pages } = await lockMarket(tx);
    const { count } = await tx.marketPage.deleteMany({ where: { slug } });
    if (count === 0) throw notFound('Page not found');
    await audit(tx, admin, 'market.pageRemoved', slug, { name: slug });
    await changeMarket(tx, { pages: pages.filter((each) => each !== slug) });
  });
}

/**
 * Announces something to everybody, or takes it away. What is already so changes nothing. Another end of what is still
 * announced does not announce it again; the same text after it has ended or was taken away does.
 * @throws 401
 */
export function announce(
  { db }: Platform,
  admin: SessionUser,
  { text, endsAt }: Announce,
): Promise<Market> {
  return transact(db, async (tx) => {
    await lockCaller(tx, admin.id);
    const before = presentMarket(await lockMarket(tx));
    const after = text === '' ? null : { text, endsAt };
    if (
      before.announcement?.text === after?.text &&
      before.announcement?.endsAt === after?.endsAt
    ) {
      return before;
    }
    await audit(tx, admin, 'market.announced', 'announcement', { name: text });
    const now = await readClock(tx);
    return changeMarket(tx, {
      announcementText: text,
      announcementEndsAt: after?.endsAt ?? null,
      ...(after && !isStillAnnounced(before.announcement, text, now) ? { announcedAt: now } : {}),
    });
  });
}

/** Returns whether a text is what is announced until now. */
const isStillAnnounced = (announcement: Announcement | null, text: string, now: Date): boolean =>
  announcement?.text === text &&
  (announcement.endsAt === null || Date.parse(announcement.endsAt) > now.getTime());

/** Changes the settings, whose row is locked, and notifies everybody. */
async function changeMarket(
  tx: Transaction,
  data: Prisma.MarketSettingsUpdateInput,
): Promise<Market> {
  const changed = presentMarket(
    await tx.marketSettings.update({
      where: { id: 1 },
      data: { ...data, version: { increment: 1 } },
    }),
  );
  await record(tx, { name: 'market.updated', data: changed, rooms: [room.everyone] });
  return changed;
}
