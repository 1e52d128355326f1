import type { Calls } from '#contract/platform/http/constants';
import { theReader } from '#contract/platform/text/constants/reader';

export const categoriesApi = {
  list: { method: 'GET', path: '/categories' },
  create: { method: 'POST', path: '/categories' },
  update: { method: 'PUT', path: '/categories/:id' },
  remove: { method: 'DELETE', path: '/categories/:id' },
} as const satisfies Calls;

/** What a category is called: its `name` in the market's first language, `names` in others, by their tags. */
export interface CategoryNames {
  name: string;
  names?: Readonly<Record<string, string>> | undefined;
}

/** Returns the name of a category for the present reader. */
export const nameOfCategory = ({ name, names }: CategoryNames): string =>
  names?.[theReader().language] || name;
