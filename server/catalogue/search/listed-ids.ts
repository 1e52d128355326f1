import type { Platform } from '../../platform/http/platform.ts';
import { allOf, LISTED, sourceOf } from './search.ts';

/** A product on the market, and when it last changed. */
export interface ListedId {
  id: string;
  updatedAt: Date;
}

/** Returns how many products are on the market. */
export async function countListed({ db }: Platform): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${sourceOf(null, LISTED)} WHERE ${allOf(LISTED)}`;
  return row?.count ?? 0;
}

/** Returns the products on the market, the oldest first, so that new ones move none to another part. */
export const listListedIds = (
  { db }: Platform,
  { offset, limit }: { offset: number; limit: number },
): Promise<ListedId[]> => db.$queryRaw<ListedId[]>`
  SELECT p.id, p.updated_at AS "updatedAt" FROM ${sourceOf(null, LISTED)}
  WHERE ${allOf(LISTED)}
  ORDER BY p.created_at, p.id OFFSET ${offset}::int LIMIT ${limit}::int`;
