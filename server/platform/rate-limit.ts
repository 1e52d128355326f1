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
