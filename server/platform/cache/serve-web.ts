import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Context, Next } from 'koa';
import sirv, { type Options as SirvOptions } from 'sirv';
import { notFound } from '../http/errors.ts';
import { createNamedFiles } from './named-files.ts';

const WEB_DIRECTORY = path.resolve('dist/web');

const SHELL = /^\/(index(\.html?)?)?$/;
/** Paths of files, which the shell does not stand in for. */
const FILE = /\/[\w\s~$.-]+\.\w+$|\/\.well-known/;

/** Serves the built client, compressed at build time; pages get the shell. */
export function serveWeb(directory = WEB_DIRECTORY) {
  // In development Vite serves the client, and tests need none.
  const isBuilt = existsSync(directory);
  const serve = isBuilt ? sirv(directory, webOptions) : undefined;
  const named = createNamedFiles(directory);
  return async (ctx: Context, next: Next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (!serve) throw notFound('The web client is not built: run npm run build.');
    if (named.sendManifest(ctx)) return;
    if (SHELL.test(ctx.path) || !(await serveFile(serve, ctx))) {
      if (FILE.test(ctx.path) && !SHELL.test(ctx.path)) ctx.status = 404;
      else named.sendShell(ctx);
    }
  };
}

/** Answers with a built file. @returns false where there is none */
function serveFile(serve: ReturnType<typeof sirv>, ctx: Context): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const onClose = () => resolve(true);
    ctx.res.once('close', onClose);
    // A newer build may have removed the file: end this response, not the process.
    ctx.res.once('pipe', (file) => file.once('error', () => ctx.res.destroy()));
    ctx.status = 200;
    ctx.respond = false;
    serve(ctx.req, ctx.res, () => {
      ctx.res.off('close', onClose);
      ctx.status = 404;
      ctx.respond = true;
      resolve(false);
    });
  });
}

const webOptions: SirvOptions = {
  etag: true,
  brotli: true,
  gzip: true,
  setHeaders: (response, pathname) => {
    response.setHeader(
      'Cache-Control',
      pathname.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
  },
};
