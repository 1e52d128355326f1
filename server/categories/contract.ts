import { z } from 'zod';
import {
  Done,
  endpoint,
  Id,
  idParams,
  ListQuery,
  list,
  one,
  requiredText,
  text,
} from '#contract/platform';

export const Category = z.object({
  _id: Id,
  name: z.string(),
  description: z.string(),
  /** An emoji, or empty. */
  icon: z.string(),
});
export type Category = z.infer<typeof Category>;

export const SaveCategory = z.object({
  name: requiredText(60, 'Category name is required'),
  description: text(500).default(''),
  icon: text(16).default(''),
});
export type SaveCategory = z.infer<typeof SaveCategory>;

export const categoriesApi = {
  list: endpoint({
    method: 'GET',
    path: '/categories',
    summary: 'All categories by name',
    access: 'public',
    changedBy: { any: ['category.changed'] },
    query: ListQuery,
    answer: list(Category),
  }),
  create: endpoint({
    method: 'POST',
    path: '/categories',
    summary: 'Add a category',
    access: ['admin'],
    body: SaveCategory,
    answer: one(Category),
    status: 201,
    rate: 'writes',
    failures: [409],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/categories/:id',
    summary: 'Change a category',
    access: ['admin'],
    params: idParams('Category not found'),
    body: SaveCategory,
    answer: one(Category),
    rate: 'writes',
    failures: [404, 409],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/categories/:id',
    summary: 'Delete a category; its products stay, without one',
    access: ['admin'],
    params: idParams('Category not found'),
    answer: Done,
    rate: 'writes',
    failures: [404],
  }),
};
