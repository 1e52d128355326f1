import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Context, Next } from 'koa';
import sirv, { type Options as SirvOptions } from 'sirv';
import { notFound } from './errors.ts';

const WEB_DIRECTORY = path.resolve('dist/web');

/** Serves the built client, compressed at build time; paths without a file get index.html. */
export function serveWeb() {
  // In development Vite serves the client, and tests need none.
  const serve = existsSync(WEB_DIRECTORY) ? sirv(WEB_DIRECTORY, webOptions) : undefined;
  return (ctx: Context, next: Next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (!serve) throw notFound('The web client is not built: run npm run build.');
    ctx.respond = false;
    ctx.status = 200;
    return new Promise<void>((resolve) => {
      ctx.res.once('close', resolve);
      // A newer build may have removed the file: end this response, not the process.
      ctx.res.once('pipe', (file) => file.once('error', () => ctx.res.destroy()));
      serve(ctx.req, ctx.res, () => {
        ctx.res.statusCode = 404;
        ctx.res.end();
      });
    });
  };
}

const webOptions: SirvOptions = {
  etag: true,
  brotli: true,
  gzip: true,
  single: true,
  setHeaders: (response, pathname) => {
    response.setHeader(
      'Cache-Control',
      pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
  },
};
