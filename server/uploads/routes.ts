import { uploadsApi } from '#contract/uploads';
import type { Platform } from '../platform/platform.ts';
import { type Route, route } from '../platform/route.ts';
import { receiveFiles } from './receive.ts';
import { keepPictures } from './service.ts';
import { createStorage } from './storage.ts';

/** Taking in pictures. */
export function uploadsRoutes(platform: Platform): Route[] {
  const storage = createStorage(platform.env);
  return [
    route(uploadsApi.create, async ({ user, ctx }) => {
      const files = await receiveFiles(ctx);
      const data = await keepPictures(platform, storage, user.id, files);
      return { data, count: data.length };
    }),
  ];
}
