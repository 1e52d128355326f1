import escapeHtml from 'escape-html';
import { theMarket } from '#contract/platform/market/constants';
import type { Template } from './built.ts';
import type { Head } from './head.ts';
import { siteOf } from './site.ts';

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
    start.replace('<html ', () => `<html ${isRefused ? 'data-refused ' : ''}${announcement()}`),
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

function writeHead(head: Head): string {
  const { title, shareTitle, description, canonical, image, kind, isIndexed, structured } = head;
  const name = (key: string, content: string) =>
    `<meta name="${key}" content="${escapeHtml(content)}">`;
  const property = (key: string, content: string) =>
    `<meta property="${key}" content="${escapeHtml(content)}">`;
  return [
    name('description', description),
    `<title>${escapeHtml(title)}</title>`,
    `<link rel="canonical" href="${escapeHtml(canonical)}">`,
    ...(isIndexed ? [] : [name('robots', 'noindex')]),
    property('og:site_name', siteOf().name),
    property('og:locale', siteOf().locale),
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
    ...structured.map(
      (data) =>
        `<script type="application/ld+json">${toScriptJson({ '@context': 'https://schema.org', ...data })}</script>`,
    ),
  ].join('');
}
