import { categoriesApi } from '#contract/categories';
import type { Platform } from '../platform/platform.ts';
import { listAnswer, type Route, route } from '../platform/route.ts';
import { createCategory, deleteCategory, listCategories, updateCategory } from './service.ts';

/** Categories: read by everyone, kept by admins. */
export const categoriesRoutes = (platform: Platform): Route[] => [
  route(categoriesApi.list, async ({ query }) => listAnswer(await listCategories(platform, query))),
  route(categoriesApi.create, async ({ user, body }) => ({
    data: await createCategory(platform, user, body),
  })),
  route(categoriesApi.update, async ({ user, params, body }) => ({
    data: await updateCategory(platform, user, params.id, body),
  })),
  route(categoriesApi.remove, async ({ user, params }) => {
    await deleteCategory(platform, user, params.id);
    return {};
  }),
];
