import { categoriesApi as calls } from '#contract/catalogue/categories/constants';
import { event, Reference } from '#contract/platform/events/event';
import { endpoints } from '#contract/platform/http/endpoint';
import {
  Id,
  idParams,
  ListQuery,
  list,
  named,
  one,
  oneLine,
  text,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

export const Category = named('Category', {
  _id: Id,
  name: z.string(),
  description: z.string(),
  /** An emoji, or empty. */
  icon: z.string(),
});
export type Category = z.infer<typeof Category>;

export const SaveCategory = z.object({
  name: oneLine(60, () => t('Category name is required')),
  description: text(500).default(''),
  icon: text(16).default(''),
});
export type SaveCategory = z.infer<typeof SaveCategory>;

export const categoryEvents = {
  'category.changed': event({
    data: Reference,
    summary: 'A category was made, changed or deleted.',
    audience: 'Everyone connected.',
    rooms: [['everyone']],
    changesPublicReads: true,
  }),
};

export const categoriesApi = endpoints(calls, {
  list: {
    summary: 'All categories by name',
    access: 'public',
    invalidatedBy: {
      'category.changed': 'anyId',
      'market.updated': 'never',
      'product.created': 'never',
      'product.updated': 'never',
      'product.deleted': 'never',
      'farmer.updated': 'never',
      'farmer.deleted': 'never',
      'farmer.listingChanged': 'never',
      'user.created': 'never',
      'user.deleted': 'never',
    },
    query: ListQuery,
    answer: list(Category),
  },
  create: {
    summary: 'Add a category',
    access: ['admin'],
    body: SaveCategory,
    answer: one(Category),
    status: 201,
  },
  update: {
    summary: 'Change a category',
    access: ['admin'],
    params: idParams(() => t('Category not found')),
    body: SaveCategory,
    answer: one(Category),
  },
  remove: {
    summary: 'Delete a category; its products stay, without one',
    access: ['admin'],
    params: idParams(() => t('Category not found')),
  },
});
