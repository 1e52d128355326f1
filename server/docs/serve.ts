import { createHash } from 'node:crypto';
import type { Context, Next } from 'koa';
import type { Platform } from '../platform/platform.ts';
import type { Route } from '../platform/route.ts';
import { describeEvents } from './asyncapi.ts';
import { describeApi } from './openapi.ts';
import { renderDocs } from './page.ts';
import { DOCS_STYLE } from './style.ts';

/** The address of the page; all else here is data. */
export const DOCS_PAGE = '/api/docs';
const PATHS = ['/api/openapi.json', '/api/asyncapi.json', DOCS_PAGE, '/api/docs.css'] as const;
type Path = (typeof PATHS)[number];

interface File {
  type: string;
  body: string;
  etag: string;
}

const file = (type: string, body: string): File => ({
  type,
  body,
  etag: createHash('sha1').update(body).digest('base64url'),
});

function makeFiles(publicUrl: string, routes: readonly Route[]): Record<Path, File> {
  const openApi = describeApi(
    routes.map(({ endpoint }) => endpoint),
    publicUrl,
  );
  const asyncApi = describeEvents(publicUrl);
  return {
    '/api/openapi.json': file('application/json', JSON.stringify(openApi)),
    '/api/asyncapi.json': file('application/json', JSON.stringify(asyncApi)),
    [DOCS_PAGE]: file('text/html', renderDocs(openApi, asyncApi)),
    '/api/docs.css': file('text/css', DOCS_STYLE),
  };
}

/** Serves the API's documents, made from the contracts when they are first asked for. */
export function serveDocs({ env }: Platform, routes: readonly Route[]) {
  let files: Record<Path, File> | undefined;
  return async (ctx: Context, next: Next) => {
    const path = PATHS.find((known) => known === ctx.path);
    if (!path || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      return next();
    }
    files ??= makeFiles(env.PUBLIC_URL, routes);
    const { type, body, etag } = files[path];
    ctx.status = 200;
    ctx.etag = etag;
    ctx.set('Cache-Control', 'no-cache');
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = type;
    ctx.body = body;
  };
}
