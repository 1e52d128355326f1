import { FOLLOW_DAYS, FOLLOWS_MAX } from '#contract/catalogue/follows/constants';
import type { Followed } from '#contract/catalogue/follows/follows';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { findFarmCards } from '../../farm/farmers/service.ts';
import type { ChangeFollows } from '../../people/notifications/unsubscribe.ts';
import { accountChanged } from '../../people/users/addresses.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCallerAlone } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { getProduct } from '../products/read.ts';

/** What somebody follows. */
type Subject = { productId: string } | { farmId: string };

/**
 * Follows a product: its customer waits to be notified, once, when it is back in stock, the next time if there is some
 * now. Who waits already keeps their place, and it is kept for longer.
 * @throws 401 the account was just deleted; 404 a product that the caller cannot see; 409 TOO_MANY_FOLLOWS
 */
export const followProduct = (
  platform: Platform,
  user: SessionUser,
  productId: string,
): Promise<Followed> =>
  transact(platform.db, async (tx) => {
    await lockCallerAlone(tx, user.id);
    await lockStock(tx, productId);
    await getProduct({ db: tx }, productId, user);
    return follow(tx, user.id, { productId });
  });

/**
 * Follows a farm, whose new products its customer is notified of.
 * @throws 401 the account was just deleted; 404 a farm that is not in the market; 409 TOO_MANY_FOLLOWS
 */
export const followFarm = (
  platform: Platform,
  user: SessionUser,
  farmId: string,
): Promise<Followed> =>
  transact(platform.db, async (tx) => {
    await lockCallerAlone(tx, user.id);
    await requireFarm(tx, farmId);
    return follow(tx, user.id, { farmId });
  });

/** No longer follows a product. @throws 401 the account was just deleted; 404 one that is unknown to the caller */
export const unfollowProduct = (
  platform: Platform,
  user: SessionUser,
  productId: string,
): Promise<void> =>
  transact(platform.db, async (tx) => {
    await lockCallerAlone(tx, user.id);
    const isGone = await unfollow(tx, user.id, { productId });
    if (!isGone) await getProduct({ db: tx }, productId, user);
  });

/** No longer follows a farm. @throws 401 the account was just deleted; 404 one that is unknown to the caller */
export const unfollowFarm = (
  platform: Platform,
  user: SessionUser,
  farmId: string,
): Promise<void> =>
  transact(platform.db, async (tx) => {
    await lockCallerAlone(tx, user.id);
    const isGone = await unfollow(tx, user.id, { farmId });
    if (!isGone) await requireFarm(tx, farmId);
  });

/** Keeps the stock of a product as it is until the transaction ends: new stock is seen, or finds who waits. */
export async function lockStock(tx: Transaction, productId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM products WHERE id = ${productId}::uuid FOR SHARE`;
}

async function requireFarm(tx: Transaction, farmId: string): Promise<void> {
  const farms = await findFarmCards({ db: tx }, [farmId]);
  if (farms.length === 0) throw notFound(msg('Farmer not found'));
}

/** Follows something for somebody whose row is locked alone. Its time is that of the clock, as that of new stock. */
export async function follow(tx: Transaction, userId: string, subject: Subject): Promise<Followed> {
  const before = await tx.follow.findFirst({ where: { userId, ...subject } });
  if (!before || before.state === 'ended') await requireRoom(tx, userId);
  const [column, _id] =
    'productId' in subject ? ['product_id', subject.productId] : ['farm_id', subject.farmId];
  const about = Prisma.raw(column);
  const [row] = await tx.$queryRaw<{ since: Date; state: Followed['state'] }[]>`
    INSERT INTO follows AS f (user_id, ${about}, since, expires_at)
    VALUES (${userId}::uuid, ${_id}::uuid, clock_timestamp(), now() + make_interval(days => ${FOLLOW_DAYS}::int))
    ON CONFLICT (user_id, ${about}) DO UPDATE SET state = 'waiting', expires_at = EXCLUDED.expires_at,
      since = CASE f.state WHEN 'waiting' THEN f.since ELSE EXCLUDED.since END,
      wave = CASE f.state WHEN 'waiting' THEN f.wave END
    RETURNING since, state::text`;
  if (!row) throw new Error('Following something had no answer.');
  if (before?.state !== 'waiting') await record(tx, accountChanged(userId));
  return { _id, since: row.since.toISOString(), state: row.state };
}

/** @returns whether it was a favourite, or had been one */
export async function unfollow(
  tx: Transaction,
  userId: string,
  subject: Subject,
): Promise<boolean> {
  const { count } = await tx.follow.deleteMany({ where: { userId, ...subject } });
  if (count > 0) await record(tx, accountChanged(userId));
  return count > 0;
}

async function requireRoom(tx: Transaction, userId: string): Promise<void> {
  const count = await tx.follow.count({ where: { userId, state: { not: 'ended' } } });
  if (count < FOLLOWS_MAX) return;
  throw conflict(
    'TOO_MANY_FOLLOWS',
    msg(
      'You follow {count, plural, one {# farm or product} other {# farms and products}} already. Take one off your favorites first.',
      { count: FOLLOWS_MAX },
    ),
  );
}

/**
 * Ends the favourites of these products that somebody has been mailed about, takes that back, or only names them. Nobody
 * is signed in: a signed link does it.
 */
export const changeFollows: ChangeFollows = async (platform, userId, productIds, change) => {
  const names = await transact(platform.db, async (tx) => {
    const people = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM users WHERE id = ${userId}::uuid AND deleted_at IS NULL AND NOT is_farm
      FOR NO KEY UPDATE`;
    if (people.length === 0) return null;
    const count =
      change === 'end'
        ? await endFollows(tx, userId, productIds)
        : change === 'undo'
          ? await restoreFollows(tx, userId, productIds)
          : 0;
    if (count > 0) await record(tx, accountChanged(userId));
    const products = await tx.product.findMany({
      where: { id: { in: [...productIds] } },
      select: { name: true },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
    });
    return products.map(({ name }) => name);
  });
  await platform.eventLog.sequence();
  return names;
};

const endFollows = (tx: Transaction, userId: string, productIds: readonly string[]) =>
  tx.$executeRaw`
    UPDATE follows SET state = 'ended'
    WHERE user_id = ${userId}::uuid AND product_id = ANY (${productIds}::uuid[]) AND state <> 'ended'`;

/** Whoever had asked again since they were told waits on. It is kept for as long as a new one. */
const restoreFollows = (tx: Transaction, userId: string, productIds: readonly string[]) =>
  tx.$executeRaw`
    INSERT INTO follows AS f (user_id, product_id, state)
    SELECT ${userId}::uuid, id, 'told' FROM products WHERE id = ANY (${productIds}::uuid[])
    ON CONFLICT (user_id, product_id) DO UPDATE
      SET state = CASE WHEN f.told_at >= f.since THEN 'told'::"FollowState" ELSE 'waiting' END,
        expires_at = EXCLUDED.expires_at
      WHERE f.state = 'ended'`;

/** How many favourites one run ends. */
const EXPIRED_AT_ONCE = 1000;

/**
 * Ends favourites that nobody has renewed, and deletes those that ended long ago.
 * @returns how many it ended or deleted
 */
export const expireFollows = (db: Database): Promise<number> =>
  transact(db, async (tx) => {
    const ended = await tx.$queryRaw<{ userId: string }[]>`
      UPDATE follows SET state = 'ended' WHERE id = ANY (ARRAY(
        SELECT id FROM follows WHERE expires_at < now() AND state <> 'ended'
        ORDER BY id LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED))
      RETURNING user_id AS "userId"`;
    await record(tx, ...[...new Set(ended.map(({ userId }) => userId))].map(accountChanged));
    const deleted = await tx.$executeRaw`
      DELETE FROM follows
      WHERE state = 'ended' AND expires_at < now() - make_interval(days => ${FOLLOW_DAYS}::int)`;
    return ended.length + deleted;
  });
