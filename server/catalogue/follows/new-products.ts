import type { Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { allOf, LISTED } from '../search/search.ts';

/** How many people one transaction notifies. */
const PEOPLE_AT_ONCE = 500;
/** How many products are named. */
const NAMES_MAX = 3;

/** What was added so lately may not be seen yet by everyone, and waits for the next time. */
export const UNSEEN_MS = 60_000;
const UNTIL = Prisma.sql`(now() - make_interval(secs => ${UNSEEN_MS / 1000}::int))`;

/** What the farms that somebody follows have added. */
interface NewProducts {
  userId: string;
  farmIds: string[];
  count: number;
  /** Of the latest ones. */
  names: string[];
}

/** The new products (`p`) of farms that people follow (`f`). */
const NEW = Prisma.sql`follows f JOIN users u ON u.id = f.user_id JOIN products p ON p.farmer_id = f.farm_id
  JOIN users farmer ON farmer.id = f.farm_id
  WHERE f.state = 'waiting' AND u.suspended_at IS NULL AND ${allOf(LISTED)}
    AND p.created_at > GREATEST(f.since, f.told_at) AND p.created_at <= ${UNTIL}`;

/**
 * Returns the next people, after one by their ids, whose farms have added something since they were notified last, and
 * notes that they are.
 */
export async function takeNewProducts(
  tx: Transaction,
  after: string | undefined,
): Promise<NewProducts[]> {
  const isNext = after === undefined ? Prisma.empty : Prisma.sql`AND f.user_id > ${after}::uuid`;
  const people = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM users WHERE id = ANY (ARRAY(
      SELECT DISTINCT f.user_id FROM ${NEW} ${isNext} ORDER BY f.user_id LIMIT ${PEOPLE_AT_ONCE}))
    ORDER BY id FOR KEY SHARE`;
  const ids = people.map(({ id }) => id);
  const news = await tx.$queryRaw<NewProducts[]>`
    SELECT f.user_id AS "userId", array_agg(DISTINCT f.farm_id) AS "farmIds", count(*)::int AS count,
      (array_agg(p.name ORDER BY p.created_at DESC, p.id))[1:${NAMES_MAX}::int] AS names
    FROM ${NEW} AND f.user_id = ANY (${ids}::uuid[])
    GROUP BY f.user_id ORDER BY f.user_id`;
  await tx.$executeRaw`
    UPDATE follows SET told_at = ${UNTIL}
    WHERE id = ANY (ARRAY(SELECT f.id FROM ${NEW} AND f.user_id = ANY (${ids}::uuid[])))`;
  return news;
}
