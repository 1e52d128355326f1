import type { Context, Next } from 'koa';
import { notFound } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { createStorage, PICTURE_NAME } from './storage.ts';

const PREFIX = '/uploads/';

/** Serves uploaded pictures. What is behind a name never changes, so it may be kept for ever. */
export function serveUploads({ env }: Platform) {
  const storage = createStorage(env);
  return async (ctx: Context, next: Next) => {
    if (!ctx.path.startsWith(PREFIX) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      return next();
    }
    const name = ctx.path.slice(PREFIX.length);
    const picture = PICTURE_NAME.test(name) ? await storage.read(name) : undefined;
    if (!picture) throw notFound('There is no such picture.');
    ctx.status = 200;
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.etag = name;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = 'image/webp';
    ctx.body = picture;
  };
}
