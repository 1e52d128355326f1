import type { Context, Next } from 'koa';
import { categoriesApi } from '#contract/catalogue/categories/categories';
import { productsApi } from '#contract/catalogue/products/products';
import { farmersApi } from '#contract/farm/farmers/farmers';
import { theMarket } from '#contract/platform/market/constants';
import { marketApi } from '#contract/platform/market/market';
import { addressIn } from '#contract/platform/text/constants/reader';
import { msg } from '#contract/platform/text/constants/texts';
import { listCategories } from '../../catalogue/categories/service.ts';
import { countListed, listListedIds } from '../../catalogue/search/search.ts';
import { listFarmIds } from '../../farm/farmers/service.ts';
import type { Depend } from '../../platform/cache/response-cache.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { addressKey } from '../../platform/http/rate-limit.ts';
import { withoutRequestId } from '../../platform/http/route.ts';
import { offeredLanguages } from '../../platform/market/readers.ts';
import { LASTING_PATHS } from './addresses.ts';

/** Products in one part of the sitemap, each in all languages; the format allows 50,000 addresses and 50 MB. */
const PRODUCTS_PER_PART = 5_000;
/** Of categories, which are few; a market with more lists the first. */
const CATEGORIES_MAX = 200;

const PART = /^\/sitemaps\/(pages|farms|products-(\d{1,6}))\.xml$/;

/** Serves `robots.txt`, `sitemap.xml` and its parts, the latter two from the response cache. */
export function serveSitemap(
  platform: Platform,
  { productsPerPart = PRODUCTS_PER_PART }: { productsPerPart?: number } = {},
) {
  const { env, responseCache, rateLimits } = platform;
  const at = (path: string) => env.PUBLIC_URL + path;

  async function writeIndex(depend: Depend): Promise<string> {
    depend(productsApi.list.invalidatedBy, undefined);
    const count = await countListed(platform);
    const parts = Array.from(
      { length: Math.ceil(count / productsPerPart) },
      (_, index) => `products-${index + 1}`,
    );
    const entries = ['pages', 'farms', ...parts].map(
      (name) => `<sitemap><loc>${at(`/sitemaps/${name}.xml`)}</loc></sitemap>`,
    );
    return xml('sitemapindex', entries);
  }

  async function writePages(depend: Depend): Promise<string> {
    depend(categoriesApi.list.invalidatedBy, undefined);
    depend(marketApi.read.invalidatedBy, undefined);
    const { items } = await listCategories(platform, { limit: CATEGORIES_MAX });
    const texts = theMarket()
      .pages.map((slug) => `/${slug}`)
      .filter((path) => !LASTING_PATHS.includes(path));
    const categories = items.map(({ _id }) => `/products?category=${_id}`);
    return xml(
      'urlset',
      [...LASTING_PATHS, ...texts, ...categories].flatMap((path) => urlEntries(path)),
    );
  }

  async function writeFarms(depend: Depend): Promise<string> {
    depend(farmersApi.list.invalidatedBy, undefined);
    depend(marketApi.read.invalidatedBy, undefined);
    const ids = await listFarmIds(platform);
    return xml(
      'urlset',
      ids.flatMap((id) => urlEntries(`/farmers/${id}`)),
    );
  }

  async function writeProducts(part: number, depend: Depend): Promise<string> {
    depend(productsApi.list.invalidatedBy, undefined);
    depend(marketApi.read.invalidatedBy, undefined);
    const products = await listListedIds(platform, {
      offset: (part - 1) * productsPerPart,
      limit: productsPerPart,
    });
    if (products.length === 0) throw notFound(msg('The sitemap has no such part.'));
    return xml(
      'urlset',
      products.flatMap(({ id, updatedAt }) => urlEntries(`/products/${id}`, updatedAt)),
    );
  }

  /** An entry for each language, each with all of them. */
  function urlEntries(path: string, changedAt?: Date): string[] {
    const languages = offeredLanguages();
    const addresses = languages.map((each) => at(addressIn(path, each, languages[0])));
    const alternates = [...languages, 'x-default'].map(
      (each, index) =>
        `<xhtml:link rel="alternate" hreflang="${each}" href="${addresses[index] ?? at(path)}"/>`,
    );
    const rest =
      (changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : '') +
      (languages.length > 1 ? alternates.join('') : '');
    return addresses.map((address) => `<url><loc>${address}</loc>${rest}</url>`);
  }

  /** Returns what writes the file at a path; undefined where there is none. */
  function writerOf(path: string): ((depend: Depend) => Promise<string>) | undefined {
    if (path === '/sitemap.xml') return writeIndex;
    const [, name, part] = PART.exec(path) ?? [];
    if (name === 'pages') return writePages;
    if (name === 'farms') return writeFarms;
    const number = Number(part);
    return number > 0 ? (depend) => writeProducts(number, depend) : undefined;
  }

  return async (ctx: Context, next: Next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/robots.txt') {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.set('Cache-Control', 'public, max-age=3600');
      ctx.body = robots(at('/sitemap.xml'));
      return;
    }
    const load = writerOf(ctx.path);
    if (!load) return next();
    // The response cache compresses and sets Vary itself.
    ctx.remove('Vary');
    await responseCache.answer(
      {
        key: JSON.stringify(['sitemap', ctx.path]),
        route: 'sitemap',
        invalidatedBy: undefined,
        id: undefined,
        isPlainUrl: ctx.querystring === '',
        admit: () => rateLimits('search', [addressKey(ctx.ip)]),
        headers: () => ({
          ...withoutRequestId(ctx.response.headers),
          'content-type': 'application/xml; charset=utf-8',
        }),
        load,
      },
      ctx.req,
      ctx.res,
    );
    ctx.respond = false;
  };
}

const xml = (root: string, entries: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${entries.join('\n')}</${root}>\n`;

/** Pages that are not public say so themselves; what they read is kept from robots altogether. */
const robots = (sitemap: string): string =>
  [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /admin/queues',
    '',
    `Sitemap: ${sitemap}`,
    '',
  ].join('\n');
