import type { Redis } from './redis.ts';

/** How long a person or farm counts as online after their process last renewed the key, in milliseconds. */
const LEASE_MS = 30_000;
/** How often a process renews its keys. */
export const PRESENCE_RENEWAL_MS = 10_000;

const keyOf = (prefix: string, userId: string) => `${prefix}:online:${userId}`;

/**
 * Marks that a process holds a connection of this person or farm. The mark expires when the process stops
 * renewing it. @returns whether no process held one before @throws RedisAwayError
 */
export async function markOnline(
  redis: Redis,
  prefix: string,
  userId: string,
  processId: string,
): Promise<boolean> {
  const key = keyOf(prefix, userId);
  const [before] = await redis.withDeadline(() =>
    redis.multi().hLen(key).hSet(key, processId, '1').pExpire(key, LEASE_MS).exec(),
  );
  return Number(before) === 0;
}

/**
 * Removes the mark. @returns whether no process holds a connection of this person or farm any more
 * @throws RedisAwayError
 */
export async function markOffline(
  redis: Redis,
  prefix: string,
  userId: string,
  processId: string,
): Promise<boolean> {
  const key = keyOf(prefix, userId);
  const [, left] = await redis.withDeadline(() =>
    redis.multi().hDel(key, processId).hLen(key).exec(),
  );
  return Number(left) === 0;
}

/** Returns whether any process holds a connection of this person or farm. @throws RedisAwayError */
export async function isOnline(redis: Redis, prefix: string, userId: string): Promise<boolean> {
  return (await redis.withDeadline(() => redis.exists(keyOf(prefix, userId)))) === 1;
}
