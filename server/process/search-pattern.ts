import { Prisma } from '../../prisma/generated/client.ts';

/**
 * Returns SQL for the LIKE pattern that finds `search` in text folded by `search_form`. It is escaped
 * after folding, since unaccent turns full-width `％`, `＿` and `＼` into wildcards.
 */
export const foldedPattern = (search: string): Prisma.Sql =>
  Prisma.sql`'%' || regexp_replace(search_form(${search}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`;
