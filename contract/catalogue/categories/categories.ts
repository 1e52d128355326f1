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
  optionalLine,
  text,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { MARKET_TEXT_MAX } from '#contract/platform/market/constants/choices';
import { t } from '#contract/platform/text/constants/texts';

export const Category = named('Category', {
  _id: Id,
  /** In the market's first language. */
  name: z.string(),
  /** In others that it has a name in, by their tags; absent where it has none. */
  names: z.record(z.string(), z.string()).optional(),
  description: z.string(),
  /** An emoji, or empty. */
  icon: z.string(),
});
export type Category = z.infer<typeof Category>;

export const SaveCategory = z.object({
  name: oneLine(60, () => t('Category name is required')),
  /** In other languages than the market's first, by their tags; empty where it has no name. Left out they stay. */
  names: z.record(z.string().max(MARKET_TEXT_MAX.locale), optionalLine(60)).optional(),
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
