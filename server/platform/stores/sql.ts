import type { DayRange } from '#contract/platform/http/http';
import { searchWords } from '#contract/platform/text/constants/names';
import { phonesSought } from '#contract/platform/text/constants/phones';
import { Prisma } from '../../../prisma/generated/client.ts';
import { daysAfter, instantOf } from '../time/clock.ts';
import { likeLiteral } from './postgres.ts';

/** Returns the LIKE pattern of texts that have this part; its % and _ mean themselves. */
export const partOf = (text: string): string => `%${likeLiteral(text)}%`;

/** Returns the SQL condition that each word of a search is in one of these texts, which are in search form. */
export function hasWords(search: string, ...forms: Prisma.Sql[]): Prisma.Sql {
  const found = searchWords(search).map((word) => {
    const each = forms.map((form) => Prisma.sql`${form} LIKE ${partOf(word)}`);
    return Prisma.sql`(${Prisma.join(each, ' OR ')})`;
  });
  return found.length === 0 ? Prisma.sql`TRUE` : Prisma.join(found, ' AND ');
}

/** Returns the SQL condition of a `phone` that is searched for, as the last of several; nothing where none is. */
export function orHasPhone(search: string): Prisma.Sql {
  const sought = phonesSought(search);
  if (sought.length === 0) return Prisma.empty;
  return Prisma.sql`OR phone_form(phone) LIKE ANY (${sought.map(partOf)}::text[])`;
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
