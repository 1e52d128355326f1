import { uploadsApi } from '#contract/platform/uploads/uploads';
import type { Platform } from '../http/platform.ts';
import { type Route, route } from '../http/route.ts';
import { createUploads } from './service.ts';
import { createStorage } from './storage.ts';

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
