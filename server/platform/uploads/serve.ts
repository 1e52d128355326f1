import type { Context, Next } from 'koa';
import { uploadsApi } from '#contract/platform/uploads/uploads';
import { notFound } from '../http/errors.ts';
import type { Platform } from '../http/platform.ts';
import { type Route, route } from '../http/route.ts';
import { createUploads } from './service.ts';
import { createStorage, PICTURE_NAME, type Storage, storageUnavailable } from './storage.ts';

const PREFIX = '/uploads/';

/** Serves uploaded pictures. A name's content never changes, so it may be cached for ever. */
export function serveUploads({ env, log }: Platform) {
  let wasDenialLogged = false;
  const storage = createStorage(env, {
    onDenied: () => {
      if (wasDenialLogged) return;
      wasDenialLogged = true;
      log.warn(
        'Bucket refused a picture with 403; answering 404. Without s3:ListBucket a missing picture looks like this',
      );
    },
  });

  async function read(name: string): ReturnType<Storage['read']> {
    try {
      return await storage.read(name);
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'Picture could not be read; answering 503');
      throw storageUnavailable("This picture can't be shown just now. Please try again later.");
    }
  }

  return async (ctx: Context, next: Next) => {
    if (!ctx.path.startsWith(PREFIX) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      return next();
    }
    const name = ctx.path.slice(PREFIX.length);
    const picture = PICTURE_NAME.test(name) ? await read(name) : undefined;
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

/** Route of picture uploads. */
export function uploadsRoutes(platform: Platform): Route[] {
  const uploads = createUploads(platform, createStorage(platform.env));
  return [
    route(uploadsApi.create, async ({ user, ctx }) => {
      const data = await uploads.receive(ctx, user);
      return { data, count: data.length };
    }),
  ];
}
