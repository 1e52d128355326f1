import { z } from 'zod';
import { invalidField } from './errors.ts';

/** Packs the place where a list goes on into an opaque text. */
export const encodeCursor = (parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/**
 * Unpacks what {@link encodeCursor} made.
 * @throws 400 when the text is not a cursor of this list
 */
export function decodeCursor<T extends z.ZodType>(cursor: string, parts: T): z.output<T> {
  try {
    return parts.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw invalidField(
      'cursor',
      'This cursor does not belong to this list. Start from the beginning.',
    );
  }
}

/** A time in a cursor: one that the database can hold, which the year 0 is not. */
export const CursorTime = z.iso.datetime().refine((at) => at >= '0001');

/** The place in a list ordered by time, then id. */
export const TimeCursor = z.tuple([CursorTime, z.uuid()]);

/**
 * Cuts a read of `limit + 1` rows to a page: the extra row only tells that there is more.
 * `placeOf` gives the cursor's parts of the page's last row.
 */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  placeOf: (row: Row) => readonly (string | number)[],
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page,
    nextCursor: rows.length > limit && last ? encodeCursor(placeOf(last)) : null,
  };
}

/** The `where` of rows after a time cursor in a list ordered by `createdAt desc, id desc`. */
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

/** The order that {@link olderThan} follows. */
export const NEWEST_FIRST = [{ createdAt: 'desc' }, { id: 'desc' }] as const;

/** The parts of a time cursor. */
export const timePlace = (row: { createdAt: Date; id: string }) => [
  row.createdAt.toISOString(),
  row.id,
];
