import type { DayRange } from '#contract/platform/http/http';
import { Prisma } from '../../../prisma/generated/client.ts';
import { daysAfter, instantOf } from '../time/clock.ts';

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

/** Returns the SQL conditions that an instant `column` lies in a range of a time zone's days, both included. */
export function withinDays(
  column: Prisma.Sql,
  { from, to }: DayRange,
  timeZone: string,
): Prisma.Sql[] {
  const startOf = (date: string) => instantOf({ date }, timeZone).toISOString();
  return [
    ...(from ? [Prisma.sql`${column} >= ${startOf(from)}::timestamptz`] : []),
    ...(to ? [Prisma.sql`${column} < ${startOf(daysAfter(to, 1))}::timestamptz`] : []),
  ];
}

/** Returns constants as the list of an SQL `IN (…)`: `'a', 'b'`. Never pass it what comes from outside. */
export const sqlList = (values: readonly string[]): string =>
  values.map((value) => `'${value}'`).join(',');

/** Returns the column of a field: the schema maps all but `from` and `to` like this. */
export const columnOf = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns fields of the row `alias` as a statement selects them: `u.zip_code AS "zipCode"`. */
export const selectFields = (alias: string, fields: readonly string[]): string =>
  fields.map((field) => `${alias}.${columnOf(field)} AS "${field}"`).join(',');

/** Returns fields of the row `alias` as arguments of `json_build_object`: `'zipCode', u.zip_code`. */
export const jsonFields = (alias: string, fields: readonly string[]): string =>
  fields.map((field) => `'${field}', ${alias}.${columnOf(field)}`).join(',');

/** Returns fields as Prisma's `select`. */
export const selectOf = <const Field extends string>(fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, true])) as Record<Field, true>;
