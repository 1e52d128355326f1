import type { Redis } from './redis.ts';

/** How long a person counts as connected after their process last said so, in milliseconds. */
const LEASE_MS = 30_000;
/** How often a process renews what it said. */
export const PRESENCE_RENEWAL_MS = 10_000;

const keyOf = (prefix: string, userId: string) => `${prefix}:online:${userId}`;

/**
 * Notes that a process holds a connection of this person. The note ends by itself when the process
 * no longer renews it. @returns whether nobody held one before
 */
export async function noteOnline(
  redis: Redis,
  prefix: string,
  userId: string,
  processId: string,
): Promise<boolean> {
  const key = keyOf(prefix, userId);
  const [before] = await redis
    .multi()
    .hLen(key)
    .hSet(key, processId, '1')
    .pExpire(key, LEASE_MS)
    .exec();
  return Number(before) === 0;
}

/** Takes the note back. @returns whether nobody holds a connection of this person any more */
export async function noteOffline(
  redis: Redis,
  prefix: string,
  userId: string,
  processId: string,
): Promise<boolean> {
  const key = keyOf(prefix, userId);
  const [, left] = await redis.multi().hDel(key, processId).hLen(key).exec();
  return Number(left) === 0;
}

/** Whether some process holds a connection of this person. @throws while Redis is away */
export async function isOnline(redis: Redis, prefix: string, userId: string): Promise<boolean> {
  return (await redis.exists(keyOf(prefix, userId))) === 1;
}
