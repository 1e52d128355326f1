import type { DayRange } from '#contract/day-range';
import { Prisma } from '../../prisma/generated/client.ts';

const DAY_MS = 86_400_000;

/** Returns the SQL conditions that an instant `column` lies in a range of UTC days, both included. */
export function withinDays(column: Prisma.Sql, { from, to }: DayRange): Prisma.Sql[] {
  return [
    ...(from ? [Prisma.sql`${column} >= ${startOf(from)}::timestamptz`] : []),
    ...(to ? [Prisma.sql`${column} < ${startOf(to, DAY_MS)}::timestamptz`] : []),
  ];
}

const startOf = (day: string, laterMs = 0): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + laterMs).toISOString();
