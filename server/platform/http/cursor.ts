import { z } from 'zod';
import type { Page } from '#contract/platform/http/http';
import { msg } from '#contract/platform/text/constants/texts';
import { invalidField } from './errors.ts';

/** Encodes the sort key of a page's last row as an opaque cursor. */
export const encodeCursor = (parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/**
 * Decodes a cursor of {@link encodeCursor}.
 * @throws 400 when the text is not a cursor of this list
 */
export function decodeCursor<T extends z.ZodType>(cursor: string, parts: T): z.output<T> {
  try {
    return parts.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw invalidField(
      'cursor',
      msg('This cursor does not belong to this list. Start from the beginning.'),
    );
  }
}

/** Postgres stores microseconds. */
const INSTANT_LENGTH_MAX = '2026-01-01T00:00:00.000000Z'.length;

/** A time in a cursor that Postgres accepts: no year 0, no more than microseconds. */
export const CursorTime = z.iso
  .datetime()
  .refine((at) => at >= '0001' && at.length <= INSTANT_LENGTH_MAX);

/** The cursor of a list ordered by time, then id. */
export const TimeCursor = z.tuple([CursorTime, z.uuid()]);

/**
 * Cuts a read of `limit + 1` rows to a page; the extra row shows that there is another page.
 * `placeOf` returns the cursor's parts for the page's last row, `present` a row's wire form.
 */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => readonly (string | number)[],
  present: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor = rows.length > limit && last ? encodeCursor(placeOf(last)) : null;
  return { items: shown.map((row) => present(row)), nextCursor };
}

/** Returns the Prisma `where` of rows after a time cursor in the order of {@link NEWEST_FIRST}. */
export function olderThan(cursor: string | undefined) {
  if (!cursor) return {};
  const [at, id] = decodeCursor(cursor, TimeCursor);
  const createdAt = new Date(at);
  return {
    AND: [
      { createdAt: { lte: createdAt } },
      { OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] },
    ],
  };
}

/** The Prisma `orderBy` that {@link olderThan} expects. */
export const NEWEST_FIRST = [{ createdAt: 'desc' }, { id: 'desc' }] as const;

/** Returns the parts of a time cursor. */
export const timeCursorOf = (row: { createdAt: Date; id: string }) => [
  row.createdAt.toISOString(),
  row.id,
];
