import type { DayRange } from '#contract/platform/http/http';
import { Prisma } from '../../../prisma/generated/client.ts';
import { daysAfter, instantOf } from '../time/wall-clock.ts';

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
