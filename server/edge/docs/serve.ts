import { createHash } from 'node:crypto';
import type { Context, Next } from 'koa';
import type { EventRegistry } from '#contract/platform/events/event';
import {
  chooseEncoding,
  compressBody,
  type Encoding,
} from '../../platform/cache/cached-response.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { Route } from '../../platform/http/route.ts';
import { describeEvents } from './asyncapi.ts';
import { describeApi } from './openapi.ts';
import { DOCS_STYLE, renderDocs } from './page.ts';

/** The address of the page; all else here is data. */
export const DOCS_PAGE = '/api/docs';
const PATHS = ['/api/openapi.json', '/api/asyncapi.json', DOCS_PAGE, '/api/docs.css'] as const;
type Path = (typeof PATHS)[number];

interface File {
  type: string;
  body: Buffer;
  etag: string;
  /** Compressed when first asked for, once per coding. */
  compressed: Partial<Record<Encoding, Promise<Buffer>>>;
}

const file = (type: string, body: string): File => ({
  type,
  body: Buffer.from(body),
  // Weak: the same tag stands for every coding of the file.
  etag: `W/"${createHash('sha1').update(body).digest('base64url')}"`,
  compressed: {},
});

function makeFiles(
  publicUrl: string,
  routes: readonly Route[],
  events: EventRegistry,
): Record<Path, File> {
  const openApi = describeApi(
    routes.map(({ endpoint }) => endpoint),
    publicUrl,
  );
  const asyncApi = describeEvents(publicUrl, events);
  return {
    '/api/openapi.json': file('application/json', JSON.stringify(openApi)),
    '/api/asyncapi.json': file('application/json', JSON.stringify(asyncApi)),
    [DOCS_PAGE]: file('text/html', renderDocs(openApi, asyncApi)),
    '/api/docs.css': file('text/css', DOCS_STYLE),
  };
}

/** Serves the API's documents, made from the contracts when they are first asked for. */
export function serveDocs({ env }: Platform, routes: readonly Route[], events: EventRegistry) {
  let files: Record<Path, File> | undefined;
  return async (ctx: Context, next: Next) => {
    const path = PATHS.find((known) => known === ctx.path);
    if (!path || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      return next();
    }
    files ??= makeFiles(env.PUBLIC_URL, routes, events);
    const { type, body, etag, compressed } = files[path];
    ctx.status = 200;
    ctx.etag = etag;
    ctx.set('Cache-Control', 'no-cache');
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = type;
    const encoding = chooseEncoding(ctx.get('Accept-Encoding') || undefined);
    if (encoding === 'identity') {
      ctx.compress = false;
      ctx.body = body;
      return;
    }
    compressed[encoding] ??= compressBody(body, encoding);
    ctx.set('Content-Encoding', encoding);
    ctx.body = await compressed[encoding];
  };
}
