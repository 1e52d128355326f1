import { Prisma } from '../../../prisma/generated/client.ts';

/**
 * Returns SQL for the LIKE pattern that finds `search` in text folded by `search_form`. It is escaped
 * after folding, since unaccent turns full-width `％`, `＿` and `＼` into wildcards.
 */
export const foldedPattern = (search: string): Prisma.Sql =>
  Prisma.sql`'%' || regexp_replace(search_form(${search}), '([\\\\%_])', '\\\\\\1', 'g') || '%'`;

/** Fewer digits are part of too many numbers. */
const PHONE_DIGITS_MIN = 4;

/**
 * Returns the digits of a search that looks like part of a phone number, so that it is found however its
 * digits are grouped; undefined for any other search.
 */
export function phoneDigits(search: string): string | undefined {
  if (!/^[\d\s()+./-]+$/.test(search)) return undefined;
  const digits = search.replace(/\D/g, '');
  return digits.length >= PHONE_DIGITS_MIN ? digits : undefined;
}
