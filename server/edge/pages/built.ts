import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'koa';
import { PAGES } from '#contract/edge/constants';
import type { Reader } from '#contract/platform/text/constants/reader';
import type { Depend } from '../../platform/cache/response-cache.ts';
import { AppError } from '../../platform/http/errors.ts';
import { failureOf } from '../../platform/http/middleware.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, readOwn } from '../../platform/http/route.ts';
import { RELEASE_FOLDER } from '../../platform/process/release.ts';

// The build of `web/render.tsx` is the only part of the client that the server loads, so its types are declared again.

/** Answers a GET of the API: `/api/products?limit=8`. */
export type Read = (url: string) => Promise<{ status: number; text: string }>;

/** What the build of `web/render.tsx` exports. */
interface Renderer {
  answerCallsWith: (read: Read) => void;
  renderPage: (request: {
    route: string;
    path: string;
    params: Readonly<Record<string, string>>;
    search: string;
    reader: Reader;
  }) => Promise<{ html: string; dehydrated: { refusals: readonly unknown[] } }>;
}

/** The page around what is rendered, in pieces, and the files of scripts that each page needs. */
export interface Template {
  /** Up to what the head says of the page. */
  start: string;
  /** From there to the content of the root element. */
  middle: string;
  /** From there to the end of the root element and what follows. */
  end: string;
  /** Addresses of the files that the page of a route needs beside those of all pages. */
  filesOf: (route: string) => readonly string[];
}

export interface BuiltPages {
  template: Template;
  renderer: Renderer;
}

const WEB = path.join(RELEASE_FOLDER, 'web');
const RENDERER = path.join(RELEASE_FOLDER, 'pages/render.js');

/** The modules of the pages, by their route, as Vite's manifest names them. */
const MODULES = new Map<string, string>(PAGES.map(([path, file]) => [path, `pages/${file}`]));

/** What Vite notes of a file that it built. */
interface Chunk {
  file: string;
  imports?: string[];
}

/**
 * Loads what `npm run build` has made of the client's pages.
 * @throws when they are not built, or not of a form that is known here
 */
export async function loadBuiltPages(): Promise<BuiltPages> {
  const html = readFileSync(path.join(WEB, 'index.html'), 'utf8');
  const manifest = readFileSync(path.join(WEB, '.vite/manifest.json'), 'utf8');
  const template = createTemplate(html, JSON.parse(manifest) as Record<string, Chunk>);
  const renderer = (await import(pathToFileURL(RENDERER).href)) as Renderer;
  return { template, renderer };
}

/** What the head says of the page that index.html is, and the content of its root element. */
const PIECES =
  /^(?<start>.*?)<meta\s+name="description".*?<\/title>(?<middle>.*<div id="root">).*?(?<end><\/div>\s*<\/body>.*)$/s;

/** Takes the built index.html apart. @throws when it has not the parts that belong to a page */
export function createTemplate(html: string, manifest: Record<string, Chunk>): Template {
  const { start, middle, end } = PIECES.exec(html)?.groups ?? {};
  if (start === undefined || middle === undefined || end === undefined) {
    throw new Error('index.html has no description, title or root element where pages have them.');
  }
  const filesFrom = (name: string, found = new Set<string>()): Set<string> => {
    const chunk = manifest[name];
    if (!chunk || found.has(chunk.file)) return found;
    found.add(chunk.file);
    for (const next of chunk.imports ?? []) filesFrom(next, found);
    return found;
  };
  // `data-signed-in` names files, too, which visitors do not load.
  const everywhere = new Set(
    Array.from(html.matchAll(/\s(?:src|href)="([^"]+)"/g), ([, at]) => at),
  );
  return {
    start,
    // The page is there without them: what it shows comes first.
    middle: middle.replaceAll('<script type="module"', '<script type="module" fetchpriority="low"'),
    end,
    filesOf: (route) =>
      Array.from(filesFrom(MODULES.get(route) ?? ''), (file) => `/${file}`).filter(
        (file) => !everywhere.has(file),
      ),
  };
}

/** The page that is being made, for which the reads of its components are answered. */
interface PageReading {
  ctx: Context;
  depend: Depend;
  /** The bodies of the answers so far, by the path of their endpoint. */
  answers: Map<string, string>;
}

const reading = new AsyncLocalStorage<PageReading>();

/** Makes a page: what is read meanwhile is read for it. */
export const makePage = <Result>(page: PageReading, make: () => Promise<Result>): Promise<Result> =>
  reading.run(page, make);

/** Returns how pages read what visitors may: from the handlers of the API, without a request. */
export function createRead(platform: Platform, routes: readonly Route[]): Read {
  const readable = routes
    .filter(({ endpoint: { method, access } }) => method === 'GET' && typeof access === 'string')
    .map((route) => ({ route, match: matcherOf(route.endpoint.path) }));
  return async (url) => {
    const page = reading.getStore();
    if (!page) throw new Error('A page reads after it was made.');
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const path = pathname.replace(/^\/api/, '');
    for (const { route, match } of readable) {
      const params = match(path);
      if (!params) continue;
      const query = Object.fromEntries(searchParams);
      try {
        const { ctx, depend, answers } = page;
        const text = await readOwn(platform, route, { params, query, ctx, depend });
        answers.set(route.endpoint.path, text);
        return { status: 200, text };
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        return { status: error.status, text: JSON.stringify(failureOf(error)) };
      }
    }
    throw new Error(`A page reads ${path}, which visitors may not.`);
  };
}

/** Returns the function that reads the parameters from a path of this pattern: `/products/:id`. */
function matcherOf(pattern: string): (path: string) => Record<string, string> | undefined {
  const expression = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
  return (path) => {
    const found = expression.exec(path);
    if (!found) return undefined;
    return Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  };
}
