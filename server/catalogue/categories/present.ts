import type { Category } from '#contract/catalogue/categories/categories';
import type { Category as CategoryRow } from '../../../prisma/generated/client.ts';

/** Presents a category. */
export const presentCategory = (row: CategoryRow): Category => ({
  _id: row.id,
  name: row.name,
  description: row.description,
  icon: row.icon,
});
