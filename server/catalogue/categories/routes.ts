import { categoriesApi } from '#contract/catalogue/categories/categories';
import type { Platform } from '../../platform/http/platform.ts';
import { listAnswer, type Route, route } from '../../platform/http/route.ts';
import { createCategory, deleteCategory, listCategories, updateCategory } from './service.ts';

/** Routes of categories: read by everyone, written by admins. */
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
