import escapeHtml from 'escape-html';
import type { Context, Next } from 'koa';
import { marketPagesApi } from '#contract/admin/market-pages/constants';
import { categoriesApi } from '#contract/catalogue/categories/constants';
import { withPriceNumbers } from '#contract/catalogue/products/constants/prices';
import { productsApi } from '#contract/catalogue/products/constants/products';
import { MISSING } from '#contract/edge/constants';
import { farmersApi } from '#contract/farm/farmers/constants';
import { theMarket } from '#contract/platform/market/constants';
import { wordLocale } from '#contract/platform/text/constants/formats';
import { addressIn, splitAddress, theReader } from '#contract/platform/text/constants/reader';
import type { Depend } from '../../platform/cache/response-cache.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { addressKey } from '../../platform/http/rate-limit.ts';
import { withoutRequestId } from '../../platform/http/route.ts';
import { LANGUAGES } from '../../platform/market/catalogues.ts';
import { offeredLanguages, withLanguage } from '../../platform/market/readers.ts';
import { withLanguageTag } from '../../platform/process/request-context.ts';
import { findPage, hasPage, lowerCasePathOf, missingPage, type PageAddress } from './addresses.ts';
import { type BuiltPages, makePage, type Read, type Template } from './built.ts';
import { type Head, headOf, type PageData, siteOf } from './head.ts';

const HTML = 'text/html; charset=utf-8';

/** A page about something that a visitor may not see: answered, and not kept. */
class RefusedPage extends Error {
  readonly status: number;
  readonly html: string;

  constructor(status: number, html: string) {
    super(`A page was refused with ${status}`);
    this.status = status;
    this.html = html;
  }
}

/**
 * Serves the public pages as HTML, from the response cache, where the client is built. Whatever goes wrong is left to
 * the client: what follows serves its shell. The first request for a page calls `load`.
 */
export function servePages(platform: Platform, read: Read, load: () => Promise<BuiltPages>) {
  const { env, log, responseCache, rateLimits } = platform;
  let loading: Promise<BuiltPages | undefined> | undefined;

  /** Loads the built pages once; undefined when there are none. */
  function loadOnce(): Promise<BuiltPages | undefined> {
    loading ??= load().then(
      (built) => {
        built.renderer.answerCallsWith(read);
        return built;
      },
      (error: NodeJS.ErrnoException) => {
        // Tests and development do without them.
        if (error.code !== 'ENOENT' && error.code !== 'ERR_MODULE_NOT_FOUND') logFailure(error);
        return undefined;
      },
    );
    return loading;
  }

  function logFailure(error: unknown, route?: string): void {
    const { message: reason, stack } = error as Error;
    log.error({ reason, stack, route }, 'Rendering a page failed');
  }

  /** Makes the page. @throws RefusedPage, or whatever rendering throws */
  async function render(
    { template, renderer }: BuiltPages,
    address: PageAddress,
    ctx: Context,
    depend: Depend,
  ): Promise<string> {
    const answers = new Map<string, string>();
    const { html, dehydrated } = await makePage({ ctx, depend, answers }, () =>
      renderer.renderPage({ ...address, reader: theReader() }),
    );
    const isRefused = dehydrated.refusals.length > 0;
    const head = headOf(address, dataOf(answers), env.PUBLIC_URL);
    const document = writeDocument(template, {
      route: address.route,
      html,
      dehydrated,
      // Of a list with a cursor that never was one there is only the refusal.
      head: isRefused ? { ...head, isIndexed: false } : head,
      isRefused,
    });
    // Of a list only what was asked for is wrong; without its subject a page is not there.
    if (isRefused || address.route === MISSING)
      throw new RefusedPage(address.hasSubject ? 404 : 200, document);
    return document;
  }

  return async (ctx: Context, next: Next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const [named, path] = splitAddress(ctx.path, LANGUAGES);
    const [own = 'en', ...others] = offeredLanguages();
    const redirect = (status: 301 | 302, to: string, language = named ?? own) => {
      ctx.status = status;
      ctx.redirect(addressIn(to, language, own));
    };
    // Not permanently: other settings of the market may offer it, or have another first one.
    if (named !== undefined && !others.includes(named)) {
      return redirect(302, path + ctx.search, own);
    }
    const lowerCase = lowerCasePathOf(path);
    if (lowerCase !== undefined) return redirect(301, lowerCase + ctx.search);
    const query = new URLSearchParams(ctx.querystring);
    const found = findPage(path, query);
    const chosen = ctx.cookies.get('language');
    if (found && named === undefined && chosen !== undefined && others.includes(chosen)) {
      ctx.set('Cache-Control', 'no-store');
      return redirect(302, path + ctx.search, chosen);
    }
    const canonical = found?.route === '/products' ? withPriceNumbers(query) : undefined;
    if (found && canonical) {
      // Not permanently: other settings of the market may read the text otherwise.
      return redirect(302, `${found.path}${canonical.size > 0 ? `?${canonical}` : ''}`);
    }
    if (!found) ctx.set('X-Robots-Tag', 'noindex');
    if (!found && (!mayBePage(path) || hasPage(path))) return next();
    const built = await loadOnce();
    if (!built) return next();
    const address = found ?? missingPage(path);
    const language = named ?? own;
    // The response cache compresses and sets Vary itself.
    const vary = ctx.response.get('Vary');
    ctx.remove('Vary');
    try {
      await responseCache.answer(
        {
          key: JSON.stringify(['page', language, address.path, address.search]),
          route: address.route,
          invalidatedBy: undefined,
          id: undefined,
          isPlainUrl: address.isPlain,
          admit: () => rateLimits(address.search ? 'search' : 'reads', [addressKey(ctx.ip)]),
          headers: () => ({ ...withoutRequestId(ctx.response.headers), 'content-type': HTML }),
          load: (depend) => withLanguageTag(language, () => render(built, address, ctx, depend)),
        },
        ctx.req,
        ctx.res,
      );
      ctx.respond = false;
    } catch (error) {
      if (vary) ctx.set('Vary', vary);
      if (error instanceof RefusedPage) {
        ctx.status = error.status;
        ctx.type = HTML;
        ctx.set('Cache-Control', 'no-cache');
        ctx.body = error.html;
        return;
      }
      // Anyone who asks too often, or while a store is away, gets the shell, which says so itself.
      if (!(error instanceof AppError)) logFailure(error, address.route);
      return next();
    }
  };
}

/** Returns whether a path is one that a page could have: not that of a file, and readable. */
function mayBePage(path: string): boolean {
  if (/\.[^/]*$/.test(path)) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Returns the data that the head is made of. */
function dataOf(answers: ReadonlyMap<string, string>): PageData {
  const dataAt = (path: string) => {
    const text = answers.get(path);
    return text === undefined ? undefined : JSON.parse(text).data;
  };
  return {
    product: dataAt(productsApi.detail.path),
    farm: dataAt(farmersApi.detail.path),
    categories: dataAt(categoriesApi.list.path),
    text: dataAt(marketPagesApi.read.path),
  };
}

/** The pictures that React asks to load early stand before the page; they belong into the head. */
const EARLY_LINKS = /^(?:<link rel="preload"[^>]*>)*/;

/** Puts a rendered page together. `isRefused` marks a page about something that a visitor may not see. */
export function writeDocument(
  { start, middle, end, filesOf }: Template,
  page: { route: string; html: string; dehydrated: unknown; head: Head; isRefused: boolean },
): string {
  const { route, html, dehydrated, head, isRefused } = page;
  const [early = ''] = EARLY_LINKS.exec(html) ?? [];
  const files = filesOf(route).map(
    (file) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="${file}">`,
  );
  return [
    withLanguage(start).replace(
      '<html ',
      () => `<html ${isRefused ? 'data-refused ' : ''}${announcement()}`,
    ),
    writeHead(head),
    early,
    ...files,
    middle,
    html.slice(early.length),
    `</div><script type="application/json" id="dehydrated">${toScriptJson(dehydrated)}</script>`,
    end.replace('</div>', ''),
  ].join('');
}

/** For `first-paint.js`, which knows whether it was put away. */
const announcement = (): string => {
  const { announcedAt } = theMarket().announcement ?? {};
  return announcedAt === undefined ? '' : `data-announcement="${announcedAt}" `;
};

/** Writes a value as JSON that cannot end the script element around it. */
export const toScriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (sign) => {
    const code = sign.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });

/** As social networks name it: `ur_PK`. */
const ogLocaleOf = (language: string): string =>
  new Intl.Locale(wordLocale(theMarket(), language)).baseName.replace('-', '_');

function writeHead(head: Head): string {
  const { title, shareTitle, description, canonical, alternates, image, kind, isIndexed } = head;
  const name = (key: string, content: string) =>
    `<meta name="${key}" content="${escapeHtml(content)}">`;
  const property = (key: string, content: string) =>
    `<meta property="${key}" content="${escapeHtml(content)}">`;
  return [
    name('description', description),
    `<title>${escapeHtml(title)}</title>`,
    `<link rel="canonical" href="${escapeHtml(canonical)}">`,
    ...(isIndexed ? alternates : []).map(
      ([language, url]) =>
        `<link rel="alternate" hreflang="${language}" href="${escapeHtml(url)}">`,
    ),
    ...(isIndexed ? [] : [name('robots', 'noindex')]),
    property('og:site_name', siteOf().name),
    property('og:locale', ogLocaleOf(theReader().language)),
    ...alternates.flatMap(([language]) =>
      language === 'x-default' || language === theReader().language
        ? []
        : [property('og:locale:alternate', ogLocaleOf(language))],
    ),
    property('og:type', kind),
    property('og:title', shareTitle),
    property('og:description', description),
    property('og:url', canonical),
    ...(image
      ? [
          property('og:image', image.url),
          property('og:image:width', String(image.width)),
          property('og:image:height', String(image.height)),
          property('og:image:alt', image.alt),
        ]
      : []),
    name('twitter:card', image ? 'summary_large_image' : 'summary'),
    ...head.structured.map(
      (data) =>
        `<script type="application/ld+json">${toScriptJson({ '@context': 'https://schema.org', ...data })}</script>`,
    ),
  ].join('');
}
