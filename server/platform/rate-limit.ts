import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitName } from '#contract/platform';
import { tooMany } from './errors.ts';
import type { Redis } from './redis.ts';

/** Points within seconds, for each key. */
const LIMITS: Record<RateLimitName, { points: number; duration: number }> = {
  login: { points: 20, duration: 5 * 60 },
  reset: { points: 10, duration: 60 * 60 },
  register: { points: 30, duration: 60 * 60 },
  orders: { points: 30, duration: 60 },
  messages: { points: 60, duration: 60 },
  uploads: { points: 60, duration: 10 * 60 },
  search: { points: 600, duration: 60 },
  writes: { points: 240, duration: 60 },
};

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Counts in Redis for all processes together, and in memory for each alone while Redis is away. */
export function createRateLimits(options: { redis: Redis; scale: number; prefix: string }) {
  const limiters = new Map(
    Object.entries(LIMITS).map(([name, limit]) => {
      const points = Math.ceil(limit.points * options.scale);
      const memory = new RateLimiterMemory({ points, duration: limit.duration });
      const shared = new RateLimiterRedis({
        storeClient: options.redis,
        useRedisPackage: true,
        keyPrefix: `${options.prefix}:rate:${name}`,
        points,
        duration: limit.duration,
        // Beyond the limit the process knows by itself, without asking Redis again.
        inMemoryBlockOnConsumed: points + 1,
        insuranceLimiter: memory,
      });
      return [name, shared] as const;
    }),
  );

  /** Counts one try for each key. @throws 429 when one of them has none left */
  return async function consume(name: RateLimitName, keys: readonly string[]): Promise<void> {
    const limiter = limiters.get(name);
    for (const key of keys) {
      try {
        await limiter?.consume(key);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) {
          throw tooMany(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)));
        }
        throw refusal;
      }
    }
  };
}

/** What a signed-in user's tries are counted under, wherever they come from. */
export const userKey = (userId: string): string => `user:${userId}`;

/**
 * What tries on one account are counted under, whoever makes them and however they write its email.
 * Hashed, since it is whatever somebody sent, of any length, and nobody's business.
 */
export const accountKey = (email: string): string =>
  `account:${createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')}`;

/**
 * What a visitor's tries are counted under. Of an IPv6 address only the first 64 bits count: whoever
 * has one has the 2^64 others of the same network too.
 */
export function addressKey(address: string): string {
  const [, ipv4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (ipv4) return `address:${ipv4}`;
  if (!isIPv6(address)) return `address:${address}`;
  const [before = '', after] = address.split('::');
  const groups = before === '' ? [] : before.split(':');
  if (after !== undefined) {
    const behind = after === '' ? 0 : after.split(':').length;
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - behind)).fill('0'));
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `address:${network.join(':')}::/64`;
}
