import type { MarketPage, SaveMarketPage } from '#contract/admin/market-pages/market-pages';
import type { MarketPageSlug } from '#contract/platform/market/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { MarketPage as Row } from '../../../prisma/generated/client.ts';
import { notFound, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { offeredLanguages } from '../../platform/market/readers.ts';
import { lockMarket, requireLanguages } from '../../platform/market/settings.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';
import { changeMarket } from './service.ts';

type Text = Pick<Row, 'title' | 'body'>;

const firstLanguage = (): string => offeredLanguages()[0] ?? 'en';

/** Returns the texts of a page by their languages, the one that stands in its own columns first. */
function textsOf(row: Row): Record<string, Text> {
  const { title, body, language } = row;
  return {
    [language ?? firstLanguage()]: { title, body },
    ...(row.texts as unknown as Record<string, Text>),
  };
}

/** The columns of texts; there is at least one. The one in `main` stands in the columns of its own. */
function toColumns(texts: Record<string, Text>, main: string) {
  const { [main]: own, ...others } = texts;
  const { title = '', body = '' } = own ?? {};
  return {
    title,
    body,
    language: main,
    texts: others as Record<string, { title: string; body: string }>,
  };
}

/** Presents the text of a page in a language, else in the market's first, else in the one that there is. */
function present(row: Row, wanted = firstLanguage()): MarketPage {
  const texts = textsOf(row);
  const languages = Object.keys(texts);
  const language =
    [wanted, firstLanguage()].find((each) => languages.includes(each)) ?? languages[0] ?? wanted;
  const { title, body } = texts[language] ?? row;
  return {
    // Only pages of known names are written.
    slug: row.slug as MarketPageSlug,
    title,
    body,
    language,
    languages,
    version: row.version,
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Returns a page that an admin wrote. @throws 404 */
export async function readPage(
  { db }: Platform,
  slug: MarketPageSlug,
  { language }: { language?: string | undefined },
): Promise<MarketPage> {
  const row = await db.marketPage.findUnique({ where: { slug } });
  if (!row) throw notFound(msg('Page not found'));
  return present(row, language);
}

/**
 * Writes a page in one language, new or over what it was. What is already so changes nothing.
 * @throws 400 for a language that this release does not speak; 401; 409 VERSION_CONFLICT when somebody else wrote it
 *   meanwhile, in any language; an absent page has version 0
 */
export function savePage(
  { db }: Platform,
  admin: SessionUser,
  slug: MarketPageSlug,
  { title, body, expectedVersion, language = firstLanguage() }: SaveMarketPage,
): Promise<MarketPage> {
  requireLanguages([language], 'language');
  return transact(db, async (tx) => {
    await lockCaller(tx, admin.id);
    const { pages } = await lockMarket(tx);
    const before = await tx.marketPage.findUnique({ where: { slug } });
    const texts = before ? textsOf(before) : {};
    if (before && texts[language]?.title === title && texts[language].body === body) {
      return present(before, language);
    }
    await requireVersion(expectedVersion, before?.version ?? 0, () =>
      before ? present(before, language) : null,
    );
    const main = Object.keys(texts)[0] ?? language;
    const columns = toColumns({ ...texts, [language]: { title, body } }, main);
    const row = await tx.marketPage.upsert({
      where: { slug },
      create: { slug, ...columns },
      update: { ...columns, version: { increment: 1 }, updatedAt: await readClock(tx) },
    });
    await audit(tx, admin, 'market.pageSaved', slug, { name: title });
    await changeMarket(tx, { pages: [...new Set([...pages, slug])] });
    return present(row, language);
  });
}

/** Takes the text of a page in one language away, with the last one the page. @throws 401; 404 when there is none */
export function removePage(
  { db }: Platform,
  admin: SessionUser,
  slug: MarketPageSlug,
  { language = firstLanguage() }: { language?: string | undefined },
): Promise<void> {
  return transact(db, async (tx) => {
    await lockCaller(tx, admin.id);
    const { pages } = await lockMarket(tx);
    const before = await tx.marketPage.findUnique({ where: { slug } });
    const { [language]: removed, ...left } = before ? textsOf(before) : {};
    if (!removed) throw notFound(msg('Page not found'));
    const [main] = Object.keys(left);
    if (main === undefined) await tx.marketPage.delete({ where: { slug } });
    else {
      await tx.marketPage.update({
        where: { slug },
        data: {
          ...toColumns(left, main),
          version: { increment: 1 },
          updatedAt: await readClock(tx),
        },
      });
    }
    await audit(tx, admin, 'market.pageRemoved', slug, { name: slug });
    await changeMarket(tx, {
      pages: main === undefined ? pages.filter((each) => each !== slug) : pages,
    });
  });
}
